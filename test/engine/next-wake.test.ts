import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { isPollDue, nextWakeAt } from "../../durable/engine/next-wake.ts";
import { ctx, makeFilters, makeOffer, makeProfile, NOON, week } from "./fixtures.ts";
import { byId, makeAttempt, throttled, transientState, inDoubt } from "./parts.ts";

const opensOnFriday = makeProfile({ filters: makeFilters({ schedule: week(9 * 60, 11 * 60, [5]) }) });
const inFlight = new Map([["poll" as const, NOON - 1]]);

describe("a poll", () => {
  const isDue = (...given: Parameters<typeof transientState>) =>
    isPollDue(transientState(...given), ctx(NOON));

  it("is due where it is allowed, one at a time, and not before the quota's wait ends", () => {
    expect(isDue({})).toBe(true);
    expect(isDue({ inFlight })).toBe(false);
    expect(isDue({}, { quotaWaitUntil: NOON + 1 })).toBe(false);
    expect(isDue({}, { quotaWaitUntil: NOON })).toBe(true);
    expect(isDue({}, throttled(NOON + 1))).toBe(false);
    expect(isDue({}, { profile: opensOnFriday })).toBe(false);
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
    const openAttempts = byId(makeAttempt("1", offer, inDoubt(1, NOON)));
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
    const doubtful = makeAttempt("1", makeOffer("a"), inDoubt(1, NOON));
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
