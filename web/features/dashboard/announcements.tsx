import { useQuery, queryOptions } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { Megaphone, X } from "lucide-react";
import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { textIn } from "../../../db/shapes/language.ts";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { announcementsResponse } from "../../../worker/contract/voice.ts";
import { createStored } from "../../api/cache/storage.ts";
import { api } from "../../api/client/client.ts";
import { atOwnPace } from "../../api/client/full-jitter.ts";
import { queryClient } from "../../api/client/query-client.ts";
import { parseResponse } from "../../api/client/request.ts";
import { liveStore } from "../../api/live/live.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { currentLocale } from "../language/locale.ts";

const MINUTE_MS = 60_000;

const SHOWN_MS = 60_000;
const QUIET_MS = 10 * 60_000;

/** Operators' announcements to the driver now. Asked for again soon while something is shown, since it may be taken back. */
const announcementsQuery = queryOptions({
  queryKey: ["announcements"],
  queryFn: async () => parseResponse(announcementsResponse, await api.flex.v1.announcements.$get()),
  staleTime: SHOWN_MS,
  refetchInterval: ({ state }) =>
    atOwnPace((state.data?.announcements.length ?? 0) > 0 ? SHOWN_MS : QUIET_MS),
});

/** Operators' announcements to the driver, until they end or are closed on this device. */
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
    <output aria-label={m.announcements()} className="grid gap-3 empty:sr-only">
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

export const storedDismissedAnnouncements = {
  key: "jornada.announcements",
  shape: z.array(z.string()),
  upcasts: [unchanged],
};

/** How many are remembered: more than hold at a time. */
const MAX_REMEMBERED = 50;

const stored = createStored(storedDismissedAnnouncements);

/** The announcements that were closed on this device. */
function loadDismissed(): readonly string[] {
  return stored.load() ?? [];
}

/** Remembers that an announcement was closed. @returns all that were */
function dismiss(id: string): readonly string[] {
  const dismissed = [...new Set([...loadDismissed(), id])].slice(-MAX_REMEMBERED);
  stored.save(dismissed);
  return dismissed;
}
