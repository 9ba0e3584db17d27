import { Temporal } from "temporal-polyfill";
import type { Snapshot } from "../../db/shapes/work/live.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
import { isLinked } from "../engine/link.ts";
import { openQuestions } from "../engine/questions/question-list.ts";
import { lastAnswerAt } from "../engine/contact.ts";
import type { DriverState } from "../engine/state/types.ts";
import { usedLimitsOf } from "../engine/verdicts/counted-blocks.ts";
import type { Cents, EpochMs } from "../../db/shapes/units.ts";
import { capturedIn, NEWEST_WON, type LogEntry } from "../../db/shapes/log/driver-log.ts";
import { withCurrentStatus } from "./services/won-history.ts";
import type { Store } from "./storage/store.ts";

const MAX_FEED_LENGTH = 50;
/** More than a day can hold: blocks of half an hour, one after the other. */
const MAX_WON_LENGTH = 48;

/** Everything that a dashboard shows, built from the state and the log. */
export function buildSnapshot(
  state: DriverState,
  {
    store: { events, wonBlocks },
    owner,
    currency,
    now,
  }: {
    store: Pick<Store, "events" | "wonBlocks">;
    owner: DriverOwner | null;
    currency: string;
    now: EpochMs;
  },
): Snapshot {
  const timeZone = owner?.timeZone ?? "UTC";
  const today = startOfDay(now, timeZone);
  const usedLimits = usedLimitsOf(state, { now, currency });
  const blocks = wonBlocks.page({ after: NEWEST_WON, limit: MAX_WON_LENGTH }).map(({ block }) => block);
  const captures = events
    .list("won", { cursor: Number.MAX_SAFE_INTEGER, limit: MAX_WON_LENGTH })
    .filter(({ event }) => event.at >= today);
  const won = withCurrentStatus(captures, blocks);
  const returned = new Set(won.filter(isReturned).map(({ seq }) => seq));
  const { capturedCents, ...totals } = events.totalsSince(today);
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
    // As in the sums of all captures, a block that was given back counts, and adds no pay.
    today: {
      ...totals,
      capturedCents: capturedCents - payOf(captures.filter(({ seq }) => returned.has(seq))),
    },
    won,
    feed: withCurrentStatus(events.feed(MAX_FEED_LENGTH), blocks),
  };
}

function isReturned(entry: LogEntry): boolean {
  return capturedIn(entry).some(({ status }) => status === "forfeited");
}

function payOf(captures: readonly LogEntry[]): Cents {
  return captures.flatMap(capturedIn).reduce((sum, { payCents }) => sum + payCents, 0);
}

/** The first instant of today in the driver's time zone. */
function startOfDay(now: EpochMs, timeZone: string): EpochMs {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).startOfDay()
    .epochMilliseconds;
}
