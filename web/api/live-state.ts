import type { DayFigures, LiveEvent, ServerMessage, Snapshot } from "../../worker/contract/live.ts";
import type { Mode, SpecialMode } from "../../durable/engine/rules.ts";
import type { Block, Offer } from "../../durable/engine/types.ts";
import type { EpochMs } from "../../durable/engine/units.ts";

export type Pulse = { at: EpochMs; offers: number };

export type Line = "connecting" | "open" | "waiting" | "gone";

/** What a dashboard shows, and how far it can be believed. */
export type LiveState = {
  line: Line;
  /** The last word from the server; null before the first. */
  heardAt: EpochMs | null;
  /** The line was silent for too long. */
  stale: boolean;
  snapshot: Snapshot | null;
  /** The snapshot was kept on the device by an earlier visit; the server has not spoken yet. */
  isOld: boolean;
  /** The latest polls, oldest first. */
  pulses: readonly Pulse[];
  /** The latest capture that arrived as an event, for its announcement. */
  captured: { seq: number; block: Block } | null;
};

export type LiveInput =
  | { kind: "line"; line: Line }
  | { kind: "heard"; at: EpochMs }
  | { kind: "silent" }
  | { kind: "kept"; snapshot: Snapshot; at: EpochMs }
  | { kind: "settings"; switchedOn: boolean; mode: Mode; specialMode: SpecialMode | null }
  | { kind: "message"; message: ServerMessage; at: EpochMs };

export const FEED_LENGTH = 50;
export const PULSES_KEPT = 48;

export const initialLive: LiveState = {
  line: "connecting",
  heardAt: null,
  stale: false,
  snapshot: null,
  isOld: false,
  pulses: [],
  captured: null,
};

/** The place in the log up to which everything is known; what `resume` says. An earlier visit's knowledge is replaced, not continued. */
export function lastSeq({ snapshot, isOld }: LiveState): number {
  return isOld ? 0 : (snapshot?.seq ?? 0);
}

/** The next state. The same reference where nothing changed. */
export function stepLive(state: LiveState, input: LiveInput): LiveState {
  switch (input.kind) {
    case "line":
      return state.line === input.line ? state : { ...state, line: input.line };
    case "heard":
      return state.isOld ? state : { ...state, heardAt: input.at, stale: false };
    case "silent":
      return state.stale ? state : { ...state, stale: true };
    case "kept":
      if (state.snapshot) return state;
      return { ...state, snapshot: input.snapshot, heardAt: input.at, isOld: true };
    case "settings": {
      if (!state.snapshot) return state;
      const { switchedOn, mode, specialMode } = input;
      return { ...state, snapshot: { ...state.snapshot, switchedOn, mode, specialMode } };
    }
    case "message":
      // Until the server has said how things stand, no change can be told of them.
      if (state.isOld && (input.message.kind === "event" || input.message.kind === "pulse")) return state;
      return receive({ ...state, heardAt: input.at, stale: false }, input.message);
  }
}

function receive(state: LiveState, message: ServerMessage): LiveState {
  switch (message.kind) {
    case "snapshot":
    case "changed":
      // One that was overtaken by an event knows less than we do.
      if (message.kind === "changed" && message.snapshot.seq < lastSeq(state)) return state;
      return { ...state, snapshot: withOneLinePerOffer(message.snapshot), isOld: false };
    case "pulse":
      return {
        ...state,
        pulses: [...state.pulses, { at: message.at, offers: message.offers }].slice(-PULSES_KEPT),
        snapshot: state.snapshot && { ...state.snapshot, lastPollAt: message.at },
      };
    case "event": {
      const { snapshot } = state;
      if (!snapshot || message.seq <= snapshot.seq) return state;
      const next = applyEvent(snapshot, { seq: message.seq, event: message.event });
      const block = wonBlock({ seq: message.seq, event: message.event });
      return { ...state, snapshot: next, captured: block ? { seq: message.seq, block } : state.captured };
    }
  }
}

/** The snapshot as the server would answer it after this event. */
export function applyEvent(snapshot: Snapshot, entry: LiveEvent): Snapshot {
  const { seq, event } = entry;
  const next = { ...snapshot, seq, at: Math.max(snapshot.at, event.at) };
  switch (event.kind) {
    case "phase_changed":
      return { ...next, phase: event.phase };
    case "silence_suspected":
    case "service_ending":
      return next;
    case "offer_judged":
    case "attempt_started":
    case "attempt_settled": {
      const block = wonBlock(entry);
      return {
        ...next,
        feed: withEntry(snapshot.feed, entry),
        held: block ? withBlock(snapshot.held, block) : snapshot.held,
        today: countToday(snapshot, entry),
      };
    }
  }
}

/** The offer that a line of the log is about, if any. */
export function offerOf({ event }: LiveEvent): Offer | null {
  switch (event.kind) {
    case "offer_judged":
      return event.offer;
    case "attempt_started":
    case "attempt_settled":
      return event.attempt.offer;
    case "phase_changed":
    case "silence_suspected":
    case "service_ending":
      return null;
  }
}

/** The newest word on an offer takes the place of the earlier ones. */
function withEntry(feed: readonly LiveEvent[], entry: LiveEvent): LiveEvent[] {
  const offerId = offerOf(entry)?.offerId;
  return [entry, ...feed.filter((known) => offerOf(known)?.offerId !== offerId)].slice(0, FEED_LENGTH);
}

function withOneLinePerOffer(snapshot: Snapshot): Snapshot {
  const seen = new Set<string>();
  const feed = snapshot.feed.filter((entry) => {
    const offerId = offerOf(entry)?.offerId;
    if (offerId === undefined || seen.has(offerId)) return false;
    seen.add(offerId);
    return true;
  });
  return { ...snapshot, feed };
}

function wonBlock({ event }: LiveEvent): Block | null {
  return event.kind === "attempt_settled" && event.attempt.outcome.status === "won"
    ? event.attempt.outcome.block
    : null;
}

function withBlock(held: readonly Block[], block: Block): Block[] {
  return [...held.filter((known) => known.blockId !== block.blockId), block].sort(
    (one, other) => one.startsAt - other.startsAt,
  );
}

/** Counts as the server does: each list by the latest word on an offer, from the driver's midnight on. */
function countToday(snapshot: Snapshot, entry: LiveEvent): DayFigures {
  const sameDay = dayOf(snapshot.at, snapshot.timeZone) === dayOf(entry.event.at, snapshot.timeZone);
  const today = sameDay ? snapshot.today : { captured: 0, passedOver: 0, gone: 0, capturedCents: 0 };
  const { event } = entry;
  if (event.kind === "offer_judged") {
    const isKnown = snapshot.feed.some(
      (known) => known.event.kind === "offer_judged" && known.event.offer.offerId === event.offer.offerId,
    );
    return event.reasons.length === 0 || (sameDay && isKnown)
      ? today
      : { ...today, passedOver: today.passedOver + 1 };
  }
  if (event.kind !== "attempt_settled") return today;
  const { outcome } = event.attempt;
  if (outcome.status === "won") {
    return {
      ...today,
      captured: today.captured + 1,
      capturedCents: today.capturedCents + outcome.block.payCents,
    };
  }
  return outcome.status === "lost" ? { ...today, gone: today.gone + 1 } : today;
}

const calendars = new Map<string, Intl.DateTimeFormat>();

function dayOf(at: EpochMs, timeZone: string): string {
  const known = calendars.get(timeZone) ?? new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  calendars.set(timeZone, known);
  return known.format(at);
}
