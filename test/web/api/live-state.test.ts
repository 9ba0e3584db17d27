import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { logEvent } from "../../../db/shapes/log/driver-log.ts";
import {
  initialLiveState,
  isCurrent,
  lastSeq,
  MAX_FEED_ITEMS,
  MAX_POLL_SAMPLES,
  liveReducer,
  type LiveState,
} from "../../../web/api/live/live-state.ts";
import { snapshot, type ServerMessage } from "../../../db/shapes/work/live.ts";
import { quietSnapshot } from "../../support/quiet-snapshot.ts";

const AT = Date.UTC(2026, 2, 10, 15);

const offer = (offerId: string, payCents = 9000) => ({
  offerId,
  warehouseId: "w1",
  serviceType: "parcel",
  startsAt: AT + 7_200_000,
  endsAt: AT + 18_000_000,
  payCents,
  currency: "USD",
  surge: false,
  expiresAt: AT + 3_600_000,
});

const passed = (offerId: string, at = AT) =>
  z.parse(logEvent, {
    kind: "offer_judged",
    at,
    offer: offer(offerId),
    reasons: [{ code: "price_below_minimum", rule: 9500, offer: 9000 }],
    filtersVersion: 1,
  });

const settled = (offerId: string, status: "won" | "lost") =>
  z.parse(logEvent, {
    kind: "attempt_settled",
    at: AT,
    attempt: {
      attemptId: `attempt-${offerId}`,
      offer: offer(offerId),
      payAtLeastCents: 9000,
      createdAt: AT,
      endedAt: AT,
      outcome:
        status === "lost"
          ? { status, reason: "offer_gone" }
          : {
              status,
              block: {
                ...offer(offerId, 9100),
                blockId: `b-${offerId}`,
                status: "scheduled",
                acceptedAt: AT,
                checkedInAt: null,
              },
            },
    },
  });

const shown = (over: object = {}) =>
  z.parse(snapshot, {
    ...quietSnapshot(AT),
    seq: 10,
    lastPollAt: null,
    today: { captured: 1, passedOver: 5, gone: 2, capturedCents: 4000 },
    ...over,
  });

const hear = (state: LiveState, ...messages: ServerMessage[]) =>
  messages.reduce((known, message) => liveReducer(known, { kind: "message", message, at: AT }), state);

const opened = () => hear(initialLiveState, { kind: "snapshot", snapshot: shown() });

describe("the live state", () => {
  it("counts a passed-over offer once, however often it is judged", () => {
    const state = hear(
      opened(),
      { kind: "event", seq: 11, event: passed("o1") },
      { kind: "event", seq: 12, event: passed("o1") },
    );
    expect(state.snapshot?.today).toEqual({ captured: 1, passedOver: 6, gone: 2, capturedCents: 4000 });
    expect(state.snapshot?.feed.map(({ seq }) => seq)).toEqual([12]);
  });

  it("keeps one line per offer, the newest word on it", () => {
    const state = hear(
      opened(),
      { kind: "event", seq: 11, event: passed("o1") },
      { kind: "event", seq: 12, event: passed("o2") },
      { kind: "event", seq: 13, event: settled("o1", "lost") },
    );
    expect(state.snapshot?.feed.map(({ seq }) => seq)).toEqual([13, 12]);
    expect(state.snapshot?.today.gone).toBe(3);
  });

  it("holds a captured block, counts its money and tells of it", () => {
    const state = hear(opened(), { kind: "event", seq: 11, event: settled("o1", "won") });
    expect(state.snapshot?.held.map(({ blockId }) => blockId)).toEqual(["b-o1"]);
    expect(state.snapshot?.today).toEqual({ captured: 2, passedOver: 5, gone: 2, capturedCents: 13_100 });
    expect(state.lastCapture).toMatchObject({ seq: 11, block: { blockId: "b-o1" } });
  });

  it("follows the phase, which is no line of the feed", () => {
    const event = z.parse(logEvent, { kind: "phase_changed", at: AT, phase: { kind: "off" } });
    const { snapshot: next } = hear(opened(), { kind: "event", seq: 11, event });
    expect(next).toEqual(shown({ seq: 11, phase: { kind: "off" } }));
  });

  it("has a question until it is closed, whatever else happens", () => {
    const asked = (kind: string, state: object) =>
      z.parse(logEvent, {
        kind,
        at: AT,
        question: {
          questionId: "question1",
          offer: offer("o1"),
          place: null,
          filtersVersion: 1,
          askedAt: AT,
          closesAt: AT + 60_000,
          state,
        },
      });
    const questionsOf = ({ snapshot: of }: LiveState) => of?.questions.map(({ questionId }) => questionId);
    const open = hear(opened(), {
      kind: "event",
      seq: 11,
      event: asked("question_asked", { status: "waiting" }),
    });
    const later = hear(open, { kind: "event", seq: 12, event: passed("o2") });
    const closed = hear(later, {
      kind: "event",
      seq: 13,
      event: asked("question_closed", { status: "passed", at: AT }),
    });
    expect([open, later, closed].map(questionsOf)).toEqual([["question1"], ["question1"], []]);
  });

  it("leaves what it already knows alone", () => {
    const state = opened();
    const again = hear(state, { kind: "event", seq: 10, event: passed("o1") });
    expect(again.snapshot).toBe(state.snapshot);
  });

  it("starts the day's figures anew after the driver's midnight", () => {
    const midnight = Date.UTC(2026, 2, 11, 4, 1);
    const state = hear(opened(), { kind: "event", seq: 11, event: passed("o1", midnight) });
    expect(state.snapshot?.today).toEqual({ captured: 0, passedOver: 1, gone: 0, capturedCents: 0 });
  });

  it("has a new day however it learns of it: by the next phase, a poll or the answer to a ping", () => {
    const won = hear(opened(), { kind: "event", seq: 11, event: settled("o1", "won") });
    const [evening, morning] = [Date.UTC(2026, 2, 11, 3, 59), Date.UTC(2026, 2, 11, 12)];
    const awake = (at: number) =>
      z.parse(logEvent, { kind: "phase_changed", at, phase: { kind: "polling" } });
    const nothing = { captured: 0, passedOver: 0, gone: 0, capturedCents: 0 };
    const waysOn = (at: number): LiveState[] => [
      hear(won, { kind: "event", seq: 12, event: awake(at) }),
      hear(won, { kind: "pulse", at, offers: 0 }),
      liveReducer(won, { kind: "pong", at }),
    ];
    for (const { snapshot: of } of waysOn(evening))
      expect([of?.today.captured, of?.won.length]).toEqual([2, 1]);
    for (const next of waysOn(morning)) {
      expect([next.snapshot?.today, next.snapshot?.won]).toEqual([nothing, []]);
      const later = hear(next, { kind: "event", seq: 13, event: passed("o2", morning + 1_000) });
      expect(later.snapshot?.today).toEqual({ ...nothing, passedOver: 1 });
    }
  });

  it("counts an offer that first matched, and one that was passed over yesterday too, as the server does", () => {
    const matched = z.parse(logEvent, { ...passed("o1"), reasons: [] });
    const turned = hear(
      opened(),
      { kind: "event", seq: 11, event: matched },
      { kind: "event", seq: 12, event: passed("o1") },
    );
    expect(turned.snapshot?.today.passedOver).toBe(6);
    const midnight = Date.UTC(2026, 2, 11, 4);
    const overnight = hear(
      opened(),
      { kind: "event", seq: 11, event: passed("o1", midnight - 60_000) },
      { kind: "event", seq: 12, event: passed("o2", midnight + 60_000) },
      { kind: "event", seq: 13, event: passed("o1", midnight + 120_000) },
    );
    expect(overnight.snapshot?.today.passedOver).toBe(2);
  });

  it("goes by the device's own days where it doesn't know the driver's zone", () => {
    const abroad = { kind: "snapshot", snapshot: shown({ timeZone: "America/Founded_Tomorrow" }) } as const;
    const today = hear(initialLiveState, abroad, { kind: "event", seq: 11, event: passed("o1") });
    expect(today.snapshot?.today.passedOver).toBe(6);
  });

  it("keeps the captures of the day apart from the feed, which forgets", () => {
    const won = hear(opened(), { kind: "event", seq: 11, event: settled("o1", "won") });
    const offers = Array.from({ length: MAX_FEED_ITEMS }, (_, index) => ({
      kind: "event" as const,
      seq: 12 + index,
      event: passed(`p${index}`),
    }));
    const later = hear(won, ...offers);
    expect(later.snapshot?.feed.some(({ seq }) => seq === 11)).toBe(false);
    expect(later.snapshot?.won.map(({ seq }) => seq)).toEqual([11]);

    const tomorrow = { ...passed("o2"), at: AT + 24 * 3_600_000 };
    expect(hear(later, { kind: "event", seq: 100, event: tomorrow }).snapshot?.won).toEqual([]);
  });

  it("is not set back by a change that an event has overtaken", () => {
    const ahead = hear(opened(), { kind: "event", seq: 11, event: passed("o1") });
    const after = hear(ahead, { kind: "changed", snapshot: shown({ switchedOn: false }) });
    expect(after.snapshot).toBe(ahead.snapshot);
  });

  it("keeps the latest polls and the instant of the last one", () => {
    const polls = Array.from({ length: MAX_POLL_SAMPLES + 5 }, (_, index) => ({
      kind: "pulse" as const,
      at: AT + index,
      offers: 0,
    }));
    const state = hear(opened(), ...polls);
    expect(state.pollSamples).toHaveLength(MAX_POLL_SAMPLES);
    expect(state.snapshot?.lastPollAt).toBe(AT + MAX_POLL_SAMPLES + 4);
  });

  it("is stale after silence and fresh again with the next word", () => {
    const silent = liveReducer(opened(), { kind: "timed_out" });
    expect(silent.isStale).toBe(true);
    expect(liveReducer(silent, { kind: "pong", at: AT + 1 })).toMatchObject({
      isStale: false,
      lastMessageAt: AT + 1,
    });
  });

  const old = () =>
    liveReducer(initialLiveState, { kind: "restored", snapshot: shown({ seq: 40 }), at: AT - 60_000 });

  it("shows what an earlier visit kept as of then, and asks for all of it anew", () => {
    expect(old()).toMatchObject({ snapshot: { seq: 40 }, lastMessageAt: AT - 60_000, isRestored: true });
    expect(lastSeq(old())).toBe(0);
  });

  it("continues an earlier visit by no change, and is replaced by the server's word, whatever its place", () => {
    const waiting = hear(
      old(),
      { kind: "pulse", at: AT, offers: 1 },
      { kind: "event", seq: 41, event: passed("o1") },
    );
    expect(waiting).toEqual(old());
    expect(liveReducer(waiting, { kind: "pong", at: AT })).toEqual(old());
    const fresh = hear(waiting, { kind: "snapshot", snapshot: shown({ seq: 12 }) });
    expect(fresh).toMatchObject({ snapshot: { seq: 12 }, lastMessageAt: AT, isRestored: false });
  });

  it("is never set back to an earlier visit", () => {
    expect(
      liveReducer(opened(), { kind: "restored", snapshot: shown({ seq: 40 }), at: AT }).snapshot?.seq,
    ).toBe(10);
  });
});

describe("the shown state", () => {
  const open: LiveState = { ...initialLiveState, connection: "open", lastMessageAt: AT };

  it("is current while the connection is there, or about to be", () => {
    expect([isCurrent(open), isCurrent({ ...open, connection: "connecting" })]).toEqual([true, true]);
  });

  it.each([
    ["was silent for too long", { isStale: true }],
    ["is from the device's cache", { isRestored: true }],
    ["waits for the next try", { connection: "waiting" }],
    ["gave its place to newer pages", { connection: "crowded" }],
    ["belongs to a session that ended", { connection: "revoked" }],
  ] satisfies [string, Partial<LiveState>][])("is not where the connection %s", (_what, change) => {
    expect(isCurrent({ ...open, ...change })).toBe(false);
  });
});
