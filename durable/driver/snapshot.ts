import { Temporal } from "temporal-polyfill";
import type { Snapshot } from "../../db/shapes/live.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
import type { DriverState } from "../engine/types.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import { compareWon, type LogEntry, type WonBlock, type WonPosition } from "../../db/shapes/driver-log.ts";
import type { Block } from "../../db/shapes/offer.ts";
import type { EventTable } from "./storage/tables/events.ts";

const MAX_FEED_LENGTH = 50;
/** More than a day can hold: blocks of half an hour, one after the other. */
const MAX_WON_LENGTH = 48;

/** Everything that a dashboard shows, built from the state and the log. */
export function buildSnapshot(
  state: DriverState,
  { events, owner, now }: { events: EventTable; owner: DriverOwner | null; now: EpochMs },
): Snapshot {
  const timeZone = owner?.timeZone ?? "UTC";
  const today = startOfDay(now, timeZone);
  return {
    seq: events.lastSeq(),
    at: now,
    phase: state.phase,
    switchedOn: state.profile?.switchedOn ?? false,
    mode: state.profile?.mode ?? "lucrative",
    specialMode: state.profile?.specialMode ?? null,
    filtersVersion: state.profile?.filtersVersion ?? 0,
    serviceUntil: state.profile?.serviceUntil ?? null,
    lastPollAt: state.transient.lastPollAnsweredAt,
    timeZone,
    warehouses: [...state.warehouses],
    held: state.held
      .filter((block) => block.endsAt > now && block.status !== "forfeited")
      .toSorted((one, other) => one.startsAt - other.startsAt),
    today: events.totalsSince(today),
    won: events
      .list("won", { cursor: Number.MAX_SAFE_INTEGER, limit: MAX_WON_LENGTH })
      .filter(({ event }) => event.at >= today),
    feed: events.feed(MAX_FEED_LENGTH),
  };
}

/** Replaces the blocks in log entries with their present state on the platform, for example checked in or given back. */
export function withCurrentStatus(rows: readonly LogEntry[], held: DriverState["held"]): LogEntry[] {
  return rows.map(({ seq, event }) => {
    if (event.kind !== "attempt_settled" || event.attempt.outcome.status !== "won") return { seq, event };
    const block = currentBlock(event.attempt.outcome.block, held);
    return { seq, event: { ...event, attempt: { ...event.attempt, outcome: { status: "won", block } } } };
  });
}

/** One page of the captured blocks in the log. At most some hundred, so that all of them can be sorted for each page. */
export function listWonBlocks(
  events: EventTable,
  held: DriverState["held"],
  { after, limit }: { after: WonPosition; limit: number },
): WonBlock[] {
  return events
    .list("won", { cursor: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER })
    .flatMap(({ seq, event }) => {
      if (event.kind !== "attempt_settled" || event.attempt.outcome.status !== "won") return [];
      const { block } = event.attempt.outcome;
      return { seq, at: block.acceptedAt, blockId: block.blockId, block: currentBlock(block, held) };
    })
    .filter((won) => compareWon(after, won) < 0)
    .toSorted(compareWon)
    .slice(0, limit)
    .map(({ seq, at, block }) => ({ seq, at, block }));
}

function currentBlock(block: Block, held: DriverState["held"]): Block {
  return held.find(({ blockId }) => blockId === block.blockId) ?? block;
}

/** The first instant of today in the driver's time zone. */
function startOfDay(now: EpochMs, timeZone: string): EpochMs {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).startOfDay()
    .epochMilliseconds;
}
