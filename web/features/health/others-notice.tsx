import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { UserRound, UsersRound } from "lucide-react";
import type { SharedState } from "../../../db/shapes/city-health.ts";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import type { Phase } from "../../../db/shapes/work/phase.ts";
import type { CityHealthNow } from "../../../worker/contract/platform-health.ts";
import { platformHealthQuery } from "../../api/queries/platform-health.ts";
import { spotQuery } from "../../api/queries/spots.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { formatUntil } from "../language/format.ts";
import { OthersRoom, leadsToHealth } from "./others-room.tsx";

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

/** Whether others have it too, and what to do. */
type OthersMessage = { title: string; text: string; advice: string | null };

/** The states in which it depends on the platform alone whether the system works. */
const PLATFORMS_OWN = new Set<Phase["kind"]>([
  "unreachable",
  "unreadable",
  "blocks_unreadable",
  "throttled",
  "other",
]);
/** The states that the driver ends by what the card above asks for. */
const DRIVERS_OWN = new Set<Phase["kind"]>(["needs_link", "verification_required"]);

/** The state that others would share with a phase of the driver's system; null if it is never shared. */
function sharedStateOf(phase: Phase): SharedState | null {
  switch (phase.kind) {
    case "needs_link":
      return "signed_out";
    case "throttled":
    case "quota_used_up":
    case "unreachable":
    case "unreadable":
    case "blocks_unreadable":
    case "verification_required":
      return phase.kind;
    default:
      return null;
  }
}

/** The message for a phase, by the state of the driver's city; null where nobody can tell. */
export function othersMessage(
  phase: Phase,
  city: CityHealthNow | null,
  reading: { timeZone: string; now: number },
): OthersMessage | null {
  if (city === null || city.state === "unknown") return null;
  const own = sharedStateOf(phase);
  const isShared = own !== null && city.shared.includes(own);
  const isTrouble = city.state !== "working";
  const advice = DRIVERS_OWN.has(phase.kind) ? m.others_act() : m.others_wait();
  if (isShared && own === "quota_used_up")
    return { title: m.others_down_title(), text: m.others_quota({ city: city.city }), advice };
  if (isShared && own === "signed_out")
    return { title: m.others_down_title(), text: m.others_signed_out({ city: city.city }), advice };
  if (isShared && own === "verification_required")
    return { title: m.others_down_title(), text: m.others_verification({ city: city.city }), advice };
  if (isTrouble && (isShared || PLATFORMS_OWN.has(phase.kind) || !isFailing(phase)))
    return { title: m.others_down_title(), text: troubleText(city, reading), advice };
  if (!isFailing(phase))
    return { title: m.others_working_title(), text: m.others_working({ city: city.city }), advice: null };
  return {
    title: m.others_only_you(),
    text: m.others_working({ city: city.city }),
    advice: ownAdvice(phase),
  };
}

/** Off, and without service, nothing failed. */
function isFailing({ kind }: Phase): boolean {
  return kind !== "off" && kind !== "no_service";
}

function troubleText(
  { city, state, since, isOurs }: CityHealthNow,
  reading: { timeZone: string; now: number },
): string {
  const slots = { city, since: formatUntil(since, reading) };
  if (isOurs) return m.others_ours(slots);
  return state === "down" ? m.others_down(slots) : m.others_slow(slots);
}

function ownAdvice({ kind }: Phase): string {
  if (kind === "throttled" || kind === "quota_used_up") return m.others_close_apps();
  if (kind === "weekly_limit") return m.others_own_limit();
  return DRIVERS_OWN.has(kind) ? m.others_step() : m.others_contact();
}
