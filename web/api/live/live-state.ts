import type { DayTotals, ServerMessage, Snapshot } from "../../../db/shapes/work/live.ts";
import { LIST_OF, offerOutcomeOf, shownPay, type LogEntry } from "../../../db/shapes/log/driver-log.ts";
import type { Question } from "../../../db/shapes/work/question.ts";
import type { Block, Offer } from "../../../db/shapes/work/offer.ts";
import { makeDateFormat } from "../../../db/shapes/time-zone.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";

export type PollSample = { at: EpochMs; offers: number };

/** `crowded`: newer pages of this driver took its place, until it becomes visible again. */
export type ConnectionStatus = "connecting" | "open" | "waiting" | "crowded" | "revoked";

/** A dashboard's contents, and how current they are. */
export type LiveState = {
  connection: ConnectionStatus;
  /** When the last message arrived; null before the first. */
  lastMessageAt: EpochMs | null;
  /** The socket was silent for too long. */
  isStale: boolean;
  snapshot: Snapshot | null;
  /** The snapshot is from the device's cache; the server hasn't sent one yet. */
  isRestored: boolean;
  /** A message could not be read, and no snapshot has come since. */
  isUnreadable: boolean;
  /** The latest polls, oldest first. */
  pollSamples: readonly PollSample[];
  /** The latest capture that arrived as an event, for its announcement. */
  lastCapture: { seq: number; block: Block } | null;
  /** When the server last said that there is an announcement. */
  announcedAt: EpochMs | null;
  /** When the server last said that the driver's spot has changed. */
  spotMovedAt: EpochMs | null;
};

export type LiveInput =
  | { kind: "connection"; connection: ConnectionStatus }
  | { kind: "pong"; at: EpochMs }
  | { kind: "timed_out" }
  | { kind: "unreadable" }
  | { kind: "restored"; snapshot: Snapshot; at: EpochMs }
  | { kind: "settings"; settings: Pick<Snapshot, "revision" | "switchedOn" | "mode" | "specialMode"> }
  | { kind: "message"; message: ServerMessage; at: EpochMs };

export const MAX_FEED_ITEMS = 50;
export const MAX_POLL_SAMPLES = 48;

export const initialLiveState: LiveState = {
  connection: "connecting",
  lastMessageAt: null,
  isStale: false,
  snapshot: null,
  isRestored: false,
  isUnreadable: false,
  pollSamples: [],
  lastCapture: null,
  announcedAt: null,
  spotMovedAt: null,
};

/** The `seq` up to which all events are known, which `resume` sends. A cached snapshot is replaced, not continued. */
export function lastSeq({ snapshot, isRestored }: LiveState): number {
  return isRestored ? 0 : (snapshot?.seq ?? 0);
}

/** Whether the page shows what the server says now, or will a moment later. */
export function isCurrent({ connection, isStale, isRestored, isUnreadable }: LiveState): boolean {
  return !isRestored && !isUnreadable && !isStale && (connection === "open" || connection === "connecting");
}

/** Whether one copy of the driver's record is older than another. One without a revision is not. */
export function isOlder(
  one: { revision?: number | undefined },
  other: { revision?: number | undefined },
): boolean {
  return one.revision !== undefined && other.revision !== undefined && one.revision < other.revision;
}

/** The next state; the same reference if nothing changed. */
export function liveReducer(state: LiveState, input: LiveInput): LiveState {
  switch (input.kind) {
    case "connection":
      return state.connection === input.connection ? state : { ...state, connection: input.connection };
    case "pong":
      return state.isRestored || state.isUnreadable
        ? state
        : {
            ...state,
            snapshot: state.snapshot && onDayOf(state.snapshot, input.at),
            lastMessageAt: input.at,
            isStale: false,
          };
    case "timed_out":
      return state.isStale ? state : { ...state, isStale: true };
    case "unreadable":
      return state.isUnreadable ? state : { ...state, isUnreadable: true };
    case "restored":
      if (state.snapshot) return state;
      return { ...state, snapshot: input.snapshot, lastMessageAt: input.at, isRestored: true };
    case "settings":
      if (!state.snapshot || isOlder(input.settings, state.snapshot)) return state;
      return { ...state, snapshot: { ...state.snapshot, ...input.settings } };
    case "message":
      // Without the server's snapshot there is nothing to apply a change to.
      if (
        (state.isRestored || state.isUnreadable) &&
        (input.message.kind === "event" || input.message.kind === "pulse")
      )
        return state;
      return applyMessage({ ...state, lastMessageAt: input.at, isStale: false }, input.message);
  }
}

function applyMessage(state: LiveState, message: ServerMessage): LiveState {
  switch (message.kind) {
    case "snapshot":
    case "changed":
      // A snapshot that is older than the last event is outdated.
      if (message.kind === "changed" && message.snapshot.seq < lastSeq(state)) return state;
      return { ...state, snapshot: dedupeByOffer(message.snapshot), isRestored: false, isUnreadable: false };
    case "announced":
      return { ...state, announcedAt: message.at };
    case "spot_moved":
      return { ...state, spotMovedAt: message.at };
    case "pulse":
      return {
        ...state,
        pollSamples: [...state.pollSamples, { at: message.at, offers: message.offers }].slice(
          -MAX_POLL_SAMPLES,
        ),
        snapshot: state.snapshot && { ...onDayOf(state.snapshot, message.at), lastPollAt: message.at },
      };
    case "event": {
      const { snapshot } = state;
      if (!snapshot || message.seq <= snapshot.seq) return state;
      const next = applyEvent(snapshot, { seq: message.seq, event: message.event });
      const block = capturedBlock({ seq: message.seq, event: message.event });
      return {
        ...state,
        snapshot: next,
        lastCapture: block ? { seq: message.seq, block } : state.lastCapture,
      };
    }
  }
}

/** The snapshot at an instant: on the driver's next day nothing has happened yet. */
export function onDayOf(snapshot: Snapshot, at: EpochMs): Snapshot {
  const { timeZone } = snapshot;
  if (at <= snapshot.at || dateIn(snapshot.at, timeZone) === dateIn(at, timeZone)) return snapshot;
  return { ...snapshot, at, today: { captured: 0, passedOver: 0, gone: 0, capturedCents: 0 }, won: [] };
}

/** The snapshot as the server would send it after this event. */
export function applyEvent(before: Snapshot, entry: LogEntry): Snapshot {
  const { seq, event } = entry;
  const snapshot = onDayOf(before, event.at);
  const next = { ...snapshot, seq, at: Math.max(snapshot.at, event.at) };
  if (event.kind === "phase_changed") return { ...next, phase: event.phase };
  if (event.kind === "question_asked" || event.kind === "question_closed")
    next.questions = openQuestions(snapshot, event);
  if (!offerOf(entry)) return next;
  const block = capturedBlock(entry);
  return {
    ...next,
    feed: prependEntry(snapshot.feed, entry),
    held: block ? upsertHeldBlock(snapshot.held, block) : snapshot.held,
    today: updateDayFigures(snapshot, entry),
    won: block ? [entry, ...snapshot.won] : snapshot.won,
  };
}

function openQuestions(
  { questions }: Snapshot,
  { kind, question }: Extract<LogEntry["event"], { kind: "question_asked" | "question_closed" }>,
): Question[] {
  const others = questions.filter(({ questionId }) => questionId !== question.questionId);
  return kind === "question_asked" ? [...others, question] : others;
}

/** The offer that a log entry is about, if any. */
function offerOf({ event }: LogEntry): Offer | null {
  return offerOutcomeOf(event)?.offer ?? null;
}

/** The newest entry about an offer replaces the earlier ones. */
function prependEntry(feed: readonly LogEntry[], entry: LogEntry): LogEntry[] {
  const offerId = offerOf(entry)?.offerId;
  return [entry, ...feed.filter((known) => offerOf(known)?.offerId !== offerId)].slice(0, MAX_FEED_ITEMS);
}

function dedupeByOffer(snapshot: Snapshot): Snapshot {
  const seen = new Set<string>();
  const feed = snapshot.feed.filter((entry) => {
    const offerId = offerOf(entry)?.offerId;
    if (offerId === undefined || seen.has(offerId)) return false;
    seen.add(offerId);
    return true;
  });
  return { ...snapshot, feed };
}

function capturedBlock({ event }: LogEntry): Block | null {
  const outcome = offerOutcomeOf(event)?.outcome;
  return outcome?.kind === "won" ? outcome.block : null;
}

function upsertHeldBlock(held: readonly Block[], block: Block): Block[] {
  return [...held.filter((known) => known.blockId !== block.blockId), block].sort(
    (one, other) => one.startsAt - other.startsAt,
  );
}

/** Counts as the server does: each offer in the list of its latest entry, from midnight in the driver's time zone. */
function updateDayFigures(snapshot: Snapshot, entry: LogEntry): DayTotals {
  const { today } = snapshot;
  const found = offerOutcomeOf(entry.event);
  switch (found && LIST_OF[found.outcome.kind]) {
    case "disliked": {
      const isKnown = snapshot.feed.some(
        ({ event }) =>
          isPassedOver(event, found?.offer) &&
          dateIn(event.at, snapshot.timeZone) === dateIn(entry.event.at, snapshot.timeZone),
      );
      return isKnown ? today : { ...today, passedOver: today.passedOver + 1 };
    }
    case "won":
      return {
        ...today,
        captured: today.captured + 1,
        capturedCents: today.capturedCents + (found ? shownPay(found) : 0),
      };
    case "lost":
      return { ...today, gone: today.gone + 1 };
    case null:
      return today;
  }
}

function isPassedOver(event: LogEntry["event"], offer: Offer | undefined): boolean {
  const found = offerOutcomeOf(event);
  return found?.outcome.kind === "rejected" && found.offer.offerId === offer?.offerId;
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** The date of an instant in a time zone, as `2026-11-26`. */
export function dateIn(at: EpochMs, timeZone: string): string {
  const known = dateFormats.get(timeZone) ?? makeDateFormat("en-CA", { timeZone, dateStyle: "short" });
  dateFormats.set(timeZone, known);
  return known.format(at);
}
