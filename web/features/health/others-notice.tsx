import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { UserRound, UsersRound } from "lucide-react";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { platformHealthQuery } from "../../api/queries/platform-health.ts";
import { spotQuery } from "../../api/queries/spots.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { leadsToHealth } from "./asks-for-others.ts";
import { othersMessage } from "./others-messages.ts";
import { OthersRoom } from "./others-room.tsx";

/** Is it me or everyone? Where nobody can tell, only the way to what is known. */
export function OthersNotice({ phase, timeZone }: Pick<Snapshot, "phase" | "timeZone">) {
  const health = useQuery(platformHealthQuery);
  // The city by the platform's name, whatever the driver calls it.
  const spot = useQuery(spotQuery);
  const now = useNow(60_000);
  if (health.isPending || spot.isPending) return <OthersRoom phase={phase} />;
  const own = health.data?.cities.find(({ city }) => city === spot.data?.spot?.city) ?? null;
  const message = othersMessage(phase, own, { timeZone, now });
  const link = (
    <Link to="/health" className={buttonClass("quiet", "justify-self-start -ml-4")}>
      {m.health_title()}
    </Link>
  );
  if (message === null) return leadsToHealth(phase) ? link : null;
  const Icon = message.title === m.others_only_you() ? UserRound : UsersRound;
  return (
    <section aria-labelledby="others-title" data-testid="others" className="card grid gap-1 p-4 sm:p-5">
      <h2 id="others-title" className="flex items-center gap-2 text-lg">
        <Icon aria-hidden className="size-5 shrink-0 text-soft" />
        {message.title}
      </h2>
      <p className="max-w-prose">{message.text}</p>
      {message.advice && <p className="max-w-prose text-soft">{message.advice}</p>}
      {link}
    </section>
  );
}
