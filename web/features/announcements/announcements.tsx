import { textIn } from "../../../db/shapes/language.ts";
import { useQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { Megaphone, X } from "lucide-react";
import { useEffect, useState } from "react";
import { announcementsQuery } from "../../api/queries/announcements.ts";
import { liveStore } from "../../api/live/live.ts";
import { queryClient } from "../../api/client/query-client.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { currentLocale } from "../language/locale.ts";
import { dismiss, loadDismissed } from "./dismissed-announcements.ts";

const MINUTE_MS = 60_000;

/** What operators tell the driver, until it ends or is closed on this device. */
export function Announcements() {
  const announcedAt = useSelector(liveStore, (live) => live.announcedAt);
  useEffect(() => {
    if (announcedAt !== null) void queryClient.invalidateQueries({ queryKey: announcementsQuery.queryKey });
  }, [announcedAt]);
  const { data } = useQuery(announcementsQuery);
  const now = useNow(MINUTE_MS);
  const [dismissed, setDismissed] = useState(loadDismissed);
  const shown = (data?.announcements ?? []).filter(
    ({ id, endsAt }) => endsAt > now && !dismissed.includes(id),
  );
  return (
    // The region is there before its first line, which is how screen readers notice it.
    <output aria-label={m.announcements()} className="grid gap-3 empty:hidden">
      {shown.map(({ id, text }) => (
        <span key={id} className="card flex items-start gap-3 p-4" data-testid="announcement">
          <Megaphone aria-hidden className="mt-0.5 size-5 shrink-0 text-soft" />
          <span className="min-w-0 flex-1 break-words">{textIn(text, currentLocale())}</span>
          <button
            type="button"
            aria-label={m.close()}
            onClick={() => setDismissed(dismiss(id))}
            className="-m-2 grid size-11 shrink-0 place-items-center rounded-field text-soft hover:bg-sunken"
          >
            <X aria-hidden className="size-5" />
          </button>
        </span>
      ))}
    </output>
  );
}
