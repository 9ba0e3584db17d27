import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import {
  hasCallSettled,
  isDoubtDue,
  isPendingTimedOut,
  isPollDue,
  isStillWanted,
  mayCheckVerificationNow,
  maySendAccept,
  nextWakeAt,
  phaseOf,
  reconcileAt,
  waitsUntil,
} from "../../durable/engine/phase.ts";
import { ctx, makeFilters, makeOffer, makeProfile, NOON, SETTINGS, week } from "./fixtures.ts";
import { byId, makeAttempt, transientState } from "./parts.ts";

const phase = (...given: Parameters<typeof transientState>) =>
  phaseOf(transientState(...given), NOON, SETTINGS);
const throttle = (until: number | null) => ({ throttle: { step: 1, until, since: NOON, isNotified: false } });
const polling = { kind: "polling" };
const opensOnFriday = makeProfile({ filters: makeFilters({ schedule: week(9 * 60, 11 * 60, [5]) }) });
const inFlight = new Map([["poll" as const, NOON - 1]]);
const unknown = (tries: number, triedAt: number) => ({
  outcome: { status: "unknown" as const, tries, triedAt },
});

describe("the phase that a driver sees", () => {
  it("is off without a profile, and without service where that has no end or is over", () => {
    expect(phaseOf({ ...transientState({}), profile: null }, NOON, SETTINGS)).toEqual({ kind: "off" });
    const paid = (serviceUntil: number | null) => phase({}, { profile: makeProfile({ serviceUntil }) });
    expect([paid(null), paid(NOON)]).toEqual([
      { kind: "no_service", waitingForSpot: false },
      { kind: "no_service", waitingForSpot: false },
    ]);
    expect(paid(NOON + 1)).toEqual(polling);
  });

  it("is throttled until the wait ends, and not in that instant", () => {
    expect(phase({}, throttle(NOON + 1))).toEqual({ kind: "throttled", until: NOON + 1 });
    expect([phase({}, throttle(NOON)), phase({}, throttle(null))]).toEqual([polling, polling]);
    const waits = (until: number | null) => waitsUntil(transientState({}, throttle(until)), NOON);
    expect([waits(NOON + 1), waits(NOON), waits(null)]).toEqual([NOON + 1, null, null]);
  });

  it("is a quota that is used up until the poll at its end is answered", () => {
    const used = { kind: "quota_used_up", until: NOON };
    expect(phase({}, { quotaWaitUntil: NOON + 1 })).toEqual({ ...used, until: NOON + 1 });
    expect(phase({ inFlight }, { quotaWaitUntil: NOON })).toEqual(used);
    expect(phase({}, { quotaWaitUntil: NOON })).toEqual(polling);
    expect(phase({ inFlight }, { quotaWaitUntil: null })).toEqual(polling);
  });
});

describe("a poll", () => {
  const isDue = (...given: Parameters<typeof transientState>) =>
    isPollDue(transientState(...given), ctx(NOON));

  it("is due where it is allowed, one at a time, and not before the quota's wait ends", () => {
    expect(isDue({})).toBe(true);
    expect(isDue({ inFlight })).toBe(false);
    expect(isDue({}, { quotaWaitUntil: NOON + 1 })).toBe(false);
    expect(isDue({}, { quotaWaitUntil: NOON })).toBe(true);
    expect(isDue({}, throttle(NOON + 1))).toBe(false);
    expect(isDue({}, { profile: opensOnFriday })).toBe(false);
  });
});

describe("whether the platform is asked about a verification", () => {
  const verification = { url: "https://platform.example/selfie", since: NOON - HOUR_MS };
  const may = (checkedAt: number | null, fields: Parameters<typeof transientState>[1] = {}) =>
    mayCheckVerificationNow(
      transientState({ verificationCheckedAt: checkedAt }, { verification, ...fields }),
      NOON,
    );

  it("depends on a second's pause, the link, the switch and waits", () => {
    expect([may(null), may(NOON - 1000), may(NOON - 999)]).toEqual([true, true, false]);
    expect(may(null, { verification: null })).toBe(false);
    const nobody = { ...transientState({}, { verification }), profile: null };
    expect(mayCheckVerificationNow(nobody, NOON)).toBe(false);
    expect(may(null, { link: { status: "signed_out" } })).toBe(false);
    expect(may(null, { profile: makeProfile({ switchedOn: false }) })).toBe(false);
    expect(may(null, throttle(NOON + 1))).toBe(false);
    expect(may(null, throttle(NOON))).toBe(true);
  });
});

describe("an attempt", () => {
  const offer = makeOffer("a");
  const attempt = makeAttempt("1", offer);

  it("that is pending times out two minutes after it began, and one in doubt never does", () => {
    expect(isPendingTimedOut(attempt, NOON + 2 * MINUTE_MS - 1)).toBe(false);
    expect(isPendingTimedOut(attempt, NOON + 2 * MINUTE_MS)).toBe(true);
    expect(isPendingTimedOut({ ...attempt, ...unknown(1, NOON) }, NOON + HOUR_MS)).toBe(false);
  });

  it("may be sent as long as it is open and wanted", () => {
    const state = transientState({}, { openAttempts: byId(attempt) });
    expect(maySendAccept(state, attempt.attemptId, NOON)).toBe(true);
    expect(maySendAccept(transientState({}), attempt.attemptId, NOON)).toBe(false);
    expect(maySendAccept({ ...state, ...throttle(NOON + 1) }, attempt.attemptId, NOON)).toBe(false);
  });

  it("is still wanted after it has expired, whatever is held, but not where a filter rules it out", () => {
    const expired = makeAttempt("2", makeOffer("b", { expiresAt: NOON - 1 }));
    expect(isStillWanted(transientState({}), expired, NOON)).toBe(true);
    const poor = makeAttempt("3", makeOffer("c", { payCents: 0 }));
    expect(isStillWanted(transientState({}), poor, NOON)).toBe(false);
    const off = transientState({}, { profile: makeProfile({ switchedOn: false }) });
    expect(isStillWanted(off, attempt, NOON)).toBe(false);
  });

  it("in doubt is repeated later each time, and by a clock that was set back at once", () => {
    const at = (tries: number, triedAt = NOON) =>
      reconcileAt(transientState({}), { ...attempt, ...unknown(tries, triedAt) }, NOON);
    expect(at(2)).toBe(at(1));
    expect(at(3)).toBeGreaterThan(at(2));
    expect(at(1, NOON + 1)).toBeLessThan(NOON);
  });

  it("in doubt that nobody wants is looked up soon, and once its call has settled", () => {
    const profile = makeProfile({ switchedOn: false });
    const doubtful = { ...attempt, ...unknown(1, NOON) };
    const at = (heldFetchedAt: number | null) =>
      reconcileAt(transientState({ heldFetchedAt }, { profile }), doubtful, NOON);
    const soon = at(null);
    expect(soon).toBeLessThan(NOON + MINUTE_MS);
    expect([at(soon - 1), at(soon)]).toEqual([soon, NOON + MINUTE_MS]);
    expect([
      hasCallSettled(doubtful, NOON + MINUTE_MS - 1),
      hasCallSettled(doubtful, NOON + MINUTE_MS),
    ]).toEqual([false, true]);
  });

  it("that is doubted is looked up after a minute, every half minute, for an hour", () => {
    const doubted = { ...attempt, endedAt: NOON };
    const isDue = (now: number, heldFetchedAt: number | null = null, fields = {}) =>
      isDoubtDue(transientState({ heldFetchedAt }, { doubtedAttempts: byId(doubted), ...fields }), now);
    const from = NOON + MINUTE_MS;
    expect([isDue(from - 1), isDue(from), isDue(from + HOUR_MS), isDue(from + HOUR_MS + 1)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect([isDue(from + 29_999, from), isDue(from + 30_000, from)]).toEqual([false, true]);
    expect(isDue(from, null, { link: { status: "unlinked" } })).toBe(false);
  });
});

describe("the next time to wake", () => {
  const off = makeProfile({ switchedOn: false, serviceUntil: null });
  const wake = (
    transient: Parameters<typeof transientState>[0],
    fields: Parameters<typeof transientState>[1] = {},
  ) => nextWakeAt(transientState(transient, { profile: off, ...fields }), ctx(NOON));

  it("is never where nothing is to be done", () => {
    expect(wake({})).toBeNull();
    expect(nextWakeAt({ ...transientState({}), profile: null }, ctx(NOON))).toBeNull();
  });

  it("is when a call in flight can no longer be answered, unless that has passed", () => {
    expect(wake({ inFlight: new Map([["read_blocks", NOON - 1]]) })).toBe(NOON - 1 + 2 * MINUTE_MS);
    expect(wake({ inFlight: new Map([["read_blocks", NOON - 2 * MINUTE_MS]]) })).toBeNull();
  });

  it("is when a pending attempt times out", () => {
    expect(wake({}, { openAttempts: byId(makeAttempt("1", makeOffer("a"))) })).toBe(NOON + 2 * MINUTE_MS);
  });

  it("is when the block of an attempt in doubt starts, whatever keeps us from asking", () => {
    const offer = makeOffer("a");
    const openAttempts = byId(makeAttempt("1", offer, unknown(1, NOON)));
    const link = { status: "signed_out" } as const;
    expect(wake({}, { openAttempts, link })).toBe(offer.startsAt);
    expect(wake({}, { openAttempts: byId(makeAttempt("1", offer)), link })).toBeNull();
    const calling = new Map([...openAttempts.keys()].map((id) => [id, NOON] as const));
    expect(wake({ inFlight: calling }, { openAttempts, link })).toBeNull();
  });

  it("is the next poll's, which comes after the answer to the one under way, and never without a window", () => {
    const profile = makeProfile({ serviceUntil: NOON + HOUR_MS });
    expect(wake({}, { profile })).toBe(NOON);
    expect(wake({ inFlight }, { profile })).toBe(NOON - 1 + 2 * MINUTE_MS);
    const closed = makeProfile({ ...profile, filters: makeFilters({ schedule: week(0, 0, []) }) });
    expect(wake({}, { profile: closed })).toBe(NOON + HOUR_MS);
  });

  it("is when an attempt in doubt is due, unless it waits for its answer, the blocks or a place", () => {
    const doubtful = makeAttempt("1", makeOffer("a"), unknown(1, NOON));
    const openAttempts = byId(doubtful);
    expect(wake({}, { openAttempts })).toBe(NOON + 1_000);
    const answered = NOON - 1 + 2 * MINUTE_MS;
    expect(wake({ inFlight: new Map([["read_blocks", NOON - 1]]) }, { openAttempts })).toBe(answered);
    expect(wake({ inFlight: new Map([[doubtful.attemptId, NOON - 1]]) }, { openAttempts })).toBe(answered);
    const others = ["b", "c", "d", "e"].map((name) =>
      makeAttempt(name, makeOffer(name), { createdAt: NOON - 1 }),
    );
    expect(wake({}, { openAttempts: byId(doubtful, ...others) })).toBe(answered);
    expect(wake({}, { openAttempts: byId(doubtful, ...others.slice(1)) })).toBe(NOON + 1_000);
  });

  it("is when a doubted attempt can be looked up, unless the blocks are being read", () => {
    const doubtedAttempts = byId({ ...makeAttempt("1", makeOffer("a")), endedAt: NOON });
    expect(wake({ heldFetchedAt: null }, { doubtedAttempts })).toBe(NOON + MINUTE_MS);
    const inFlight = new Map([["read_blocks" as const, NOON - 1]]);
    expect(wake({ inFlight }, { doubtedAttempts })).toBe(NOON - 1 + 2 * MINUTE_MS);
  });
});
