import { Temporal } from "temporal-polyfill";
import type { Snapshot } from "../../db/shapes/work/live.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
import { isLinked } from "../engine/link.ts";
import { openQuestions } from "../engine/questions/question-list.ts";
import { lastAnswerAt } from "../engine/contact.ts";
import type { DriverState } from "../engine/state/types.ts";
import { usedLimitsOf } from "../engine/verdicts/used-limits.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { EventTable } from "./storage/tables/events.ts";

const MAX_FEED_LENGTH = 50;
/** More than a day can hold: blocks of half an hour, one after the other. */
const MAX_WON_LENGTH = 48;

/** Everything that a dashboard shows, built from the state and the log. */
export function buildSnapshot(
  state: DriverState,
  {
    events,
    owner,
    currency,
    now,
  }: { events: EventTable; owner: DriverOwner | null; currency: string; now: EpochMs },
): Snapshot {
  const timeZone = owner?.timeZone ?? "UTC";
  const today = startOfDay(now, timeZone);
  const usedLimits = usedLimitsOf(state, { now, currency });
  return {
    seq: events.lastSeq(),
    at: now,
    phase: state.phase,
    ...(state.profile && { revision: state.profile.revision }),
    switchedOn: state.profile?.switchedOn ?? false,
    isLinked: isLinked(state),
    mode: state.profile?.mode ?? "lucrative",
    specialMode: state.profile?.specialMode ?? null,
    filtersVersion: state.profile?.filtersVersion ?? 0,
    serviceUntil: state.profile?.serviceUntil ?? null,
    pausedUntil: state.profile?.pausedUntil ?? null,
    lastPollAt: lastAnswerAt(state),
    timeZone,
    warehouses: [...state.warehouses],
    held: state.held
      .filter((block) => block.endsAt > now && block.status !== "forfeited")
      .toSorted((one, other) => one.startsAt - other.startsAt),
    questions: openQuestions(state),
    ...(usedLimits && { usedLimits }),
    today: events.totalsSince(today),
    won: events
      .list("won", { cursor: Number.MAX_SAFE_INTEGER, limit: MAX_WON_LENGTH })
      .filter(({ event }) => event.at >= today),
    feed: events.feed(MAX_FEED_LENGTH),
  };
}

/** The first instant of today in the driver's time zone. */
function startOfDay(now: EpochMs, timeZone: string): EpochMs {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).startOfDay()
    .epochMilliseconds;
}
