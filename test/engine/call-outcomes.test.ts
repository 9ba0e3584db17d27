import { describe, expect, it } from "vitest";
import { NO_BACKOFF } from "../../durable/engine/state/cadence.ts";
import type { BlocksOutcome } from "../../durable/engine/state/outcomes.ts";
import type { DriverState, MachineEvent } from "../../durable/engine/state/types.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { idOf, kinds, makeBlock, makeOffer, NOON } from "./fixtures.ts";
import { know } from "./quota/known-quota.ts";
import { byId, listed, makeAttempt, transientState, throttled } from "./parts.ts";
import { after, wake } from "./steps.ts";

const read = (outcome: BlocksOutcome): MachineEvent => ({ kind: "blocks_read", outcome });
const reading = new Map([["read_blocks" as const, NOON - 5]]);

describe("a poll", () => {
  const minute = know({ remaining: 58, windowFrom: NOON - 10_000 });
  const answered = (state: DriverState, sent: { sentAt: number; partsSentAt?: readonly number[] }) =>
    after(state, { kind: "polled", ...sent, outcome: { kind: "unchanged", quota: null } }, NOON + 100).state
      .transient;

  it("counts in the quota when it is sent, before it is answered", () => {
    const left = (remaining: number) =>
      wake(transientState({ quota: know({ remaining }) })).state.transient.quota?.quota.remaining;
    expect([left(58), left(0)]).toEqual([57, 0]);
    expect(wake(transientState({ quota: know({ limit: 5 }) })).state.quotaMemory?.polls).toEqual([NOON]);
    const { transient } = wake(transientState({ quota: minute })).state;
    expect([transient.lastPollAt, transient.polls, [...transient.inFlight]]).toEqual([
      NOON,
      [NOON],
      [["poll", NOON]],
    ]);
  });

  it("counts from when it left, where its token had to be refreshed first", () => {
    const asked = transientState({ lastPollAt: NOON, polls: [NOON - 3_000, NOON] });
    expect(answered(asked, { sentAt: NOON })).toMatchObject({
      lastPollAt: NOON,
      pollCalls: 1,
      polls: [NOON - 3_000, NOON],
    });
    expect(answered(asked, { sentAt: NOON }).polls).toBe(asked.transient.polls);
    const thrice = transientState({ lastPollAt: NOON, polls: [NOON - 6_000, NOON - 3_000, NOON] });
    expect(answered(thrice, { sentAt: NOON + 50 }).polls).toEqual([NOON - 6_000, NOON - 3_000, NOON + 50]);
    expect(answered(asked, { sentAt: NOON + 50 })).toMatchObject({
      lastPollAt: NOON + 50,
      polls: [NOON - 3_000, NOON + 50],
    });
    expect(answered(asked, { sentAt: NOON - 50 })).toMatchObject({
      lastPollAt: NOON,
      polls: [NOON - 3_000, NOON],
    });
    // A restart has forgotten that it was requested.
    const forgotten = transientState({ lastPollAt: null, polls: [NOON - 3_000] });
    expect(answered(forgotten, { sentAt: NOON })).toMatchObject({
      lastPollAt: NOON,
      polls: [NOON - 3_000, NOON],
    });
  });

  it("counts as many calls as its list took", () => {
    const asked = transientState({ lastPollAt: NOON, polls: [NOON - 3_000, NOON] });
    expect(answered(asked, { sentAt: NOON, partsSentAt: [NOON + 20, NOON + 40] })).toMatchObject({
      pollCalls: 3,
      polls: [NOON - 3_000, NOON, NOON + 20, NOON + 40],
    });
    expect(answered(asked, { sentAt: NOON + 10, partsSentAt: [NOON + 20] }).polls).toEqual([
      NOON - 3_000,
      NOON + 10,
      NOON + 20,
    ]);
  });

  it("is paced from when it was due, if it is sent a moment late", () => {
    const state = transientState({ lastPollAt: NOON - 3_100, pacedFrom: NOON - 3_100 });
    expect(wake(state).state.transient.pacedFrom).toBe(NOON - 100);
  });

  it("has its answer ignored where the driver is no longer linked, or was never known", () => {
    const offers: MachineEvent = {
      kind: "polled",
      sentAt: NOON,
      outcome: { kind: "offers", offers: [makeOffer("a")], quota: null, etag: "e1" },
    };
    const inFlight = new Map([["poll" as const, NOON]]);
    const unlinked = after(transientState({ inFlight }, { link: { status: "unlinked" } }), offers).state;
    expect([unlinked.verdicts.size, unlinked.transient.etag, unlinked.transient.inFlight.size]).toEqual([
      0,
      null,
      0,
    ]);
    const unknown = { ...transientState({ inFlight }), profile: null };
    expect(after(unknown, offers).state.verdicts.size).toBe(0);
    const known = after(transientState({ inFlight, polledFiltersVersion: 1 }), offers).state;
    expect([known.verdicts.size, known.transient.etag]).toEqual([1, "e1"]);
    const saved = after(transientState({ inFlight, polledFiltersVersion: 0 }), offers).state;
    expect(saved.transient.etag).toBeNull();
  });

  it("may take all that is left of the quota, as long as its list fits into one answer", () => {
    expect(wake(transientState({ quota: know() })).effects).toMatchObject([{ kind: "poll", maxCalls: 54 }]);
  });

  it("that lists nothing for long tells the driver once", () => {
    const quiet = { lastNewAt: NOON - 40 * MINUTE_MS, meanGapMs: MINUTE_MS, suspectedAt: null };
    const nothing: MachineEvent = {
      kind: "polled",
      sentAt: NOON,
      outcome: { kind: "unchanged", quota: null },
    };
    const told = (offerActivity: DriverState["offerActivity"], openOfferIds: string[] = []) =>
      after(
        transientState(
          { lastPollAnsweredAt: NOON - 1_000, openOfferIds: openOfferIds.map(idOf.offer) },
          { offerActivity },
        ),
        nothing,
      );
    expect(told(quiet).effects.slice(0, 2)).toEqual([
      { kind: "log", events: [{ kind: "silence_suspected", at: NOON, lastNewAt: quiet.lastNewAt }] },
      { kind: "notify", notifications: [{ kind: "silence_suspected" }] },
    ]);
    expect(told(quiet).state.offerActivity).toEqual({ ...quiet, suspectedAt: NOON });
    expect(kinds(told({ ...quiet, suspectedAt: NOON - 1 }).effects)).toEqual([]);
    expect(kinds(told(quiet, ["a"]).effects)).toEqual([]);
  });

  it("that is answered ends backoff and throttle", () => {
    const waited = { ...throttled(NOON - 1), backoff: { failures: 2, retryAt: NOON } };
    const event: MachineEvent = { kind: "polled", sentAt: NOON, outcome: { kind: "unchanged", quota: null } };
    expect(after(transientState({}, waited), event).state).toMatchObject({
      backoff: NO_BACKOFF,
      throttle: { step: 1, until: null, since: NOON - 1 },
    });
  });
});

describe("the blocks of a driver who is no longer linked", () => {
  it("are not theirs any more", () => {
    const state = transientState({ inFlight: reading }, { link: { status: "signed_out" } });
    const event = read({ kind: "blocks", blocks: [makeBlock(makeOffer("a"))] });
    const { held, transient } = after(state, event).state;
    expect([held, transient.inFlight.size, transient.heldFetchedAt]).toEqual([[], 0, NOON]);
  });
});

describe("a reading of the blocks", () => {
  it("has no attempt in doubt repeated while polls back off", () => {
    const outcome = { status: "unknown", tries: 1, triedAt: NOON - HOUR_MS } as const;
    const openAttempts = byId(makeAttempt("1", makeOffer("a"), { outcome }));
    const state = (retryAt: number) =>
      transientState({ inFlight: reading }, { openAttempts, backoff: { failures: 1, retryAt } });
    const called = (retryAt: number) =>
      kinds(after(state(retryAt), read({ kind: "blocks", blocks: [] })).effects).includes("accept");
    expect([called(NOON + 1), called(NOON)]).toEqual([false, true]);
  });
});

describe("a failed reading of the blocks", () => {
  it("reports every call's limits, link and verifications", () => {
    const failed = (outcome: BlocksOutcome) => after(transientState({}), read(outcome)).state;
    expect(failed({ kind: "rate_limited", retryAt: NOON + 5_000 }).throttle.until).toBe(NOON + 5_000);
    expect(failed({ kind: "signed_out" }).link).toEqual({ status: "signed_out" });
    expect(failed({ kind: "verification_required", url: null }).verification).toEqual({
      url: null,
      since: NOON,
    });
  });

  it("keeps polls from nothing but a wait that was stated", () => {
    const failed = (outcome: BlocksOutcome) => after(transientState({}), read(outcome));
    const { state, effects } = failed({ kind: "unreachable" });
    expect([state.backoff, state.throttle.until, kinds(effects)]).toEqual([NO_BACKOFF, null, ["poll"]]);
    const told = failed({ kind: "unreachable", retryAt: NOON + 5_000 });
    expect([told.state.throttle.until, kinds(told.effects)]).toEqual([NOON + 5_000, ["log"]]);
  });

  it("because of the rate climbs where no wait is stated", () => {
    const { throttle } = after(transientState({}), read({ kind: "rate_limited", retryAt: null })).state;
    expect(throttle).toMatchObject({ step: 1, until: NOON + 30_000 });
  });

  it("lets nothing be accepted in secure mode", () => {
    expect(kinds(after(listed({}, { inFlight: reading }), read({ kind: "timeout" })).effects)).toEqual([]);
    const known = after(listed({}, { inFlight: reading }), read({ kind: "blocks", blocks: [] }));
    expect(kinds(known.effects)).toEqual(["log", "accept"]);
  });
});

describe("a verification that is done", () => {
  const verification = { url: null, since: NOON };
  const checked = (required: boolean): MachineEvent => ({
    kind: "verification_checked",
    outcome: { kind: "verification", required },
  });

  it("ends the backoff, and has the blocks read before anything is accepted in secure mode", () => {
    const { state, effects } = after(
      listed({ verification, backoff: { failures: 3, retryAt: NOON } }),
      checked(false),
    );
    expect([state.verification, state.backoff]).toEqual([null, NO_BACKOFF]);
    expect(kinds(effects)).toContain("read_blocks");
    expect(kinds(effects)).not.toContain("accept");
    const still = after(
      listed({ verification, backoff: { failures: 3, retryAt: NOON } }),
      checked(true),
    ).state;
    expect([still.verification, still.backoff]).toEqual([verification, NO_BACKOFF]);
  });

  it("is requested often again from a return a minute after the last one on", () => {
    const returned = (ago: number) =>
      after(transientState({}, { verification: { url: null, since: NOON - ago } }), {
        kind: "driver_returned",
      }).state.verification?.since;
    expect([returned(MINUTE_MS), returned(MINUTE_MS - 1)]).toEqual([NOON, NOON - MINUTE_MS + 1]);
  });
});
