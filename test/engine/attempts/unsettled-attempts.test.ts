import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS, type AttemptId } from "../../../db/shapes/units.ts";
import {
  hasCallSettled,
  isDoubtDue,
  isPendingTimedOut,
  isStillWanted,
  maySendAccept,
  reconcileAt,
} from "../../../durable/engine/attempts/unsettled-attempts.ts";
import { makeFilters, makeOffer, makeProfile, makeWarehouseFilter, NOON } from "../fixtures.ts";
import { byId, makeAttempt, throttled, transientState, inDoubt } from "../parts.ts";

describe("an attempt", () => {
  const offer = makeOffer("a");
  const attempt = makeAttempt("1", offer);

  it("that is pending times out two minutes after it began, and one in doubt never does", () => {
    expect(isPendingTimedOut(attempt, NOON + 2 * MINUTE_MS - 1)).toBe(false);
    expect(isPendingTimedOut(attempt, NOON + 2 * MINUTE_MS)).toBe(true);
    expect(isPendingTimedOut({ ...attempt, ...inDoubt(1, NOON) }, NOON + HOUR_MS)).toBe(false);
  });

  it("may be sent as long as it is open and wanted", () => {
    const state = transientState({}, { openAttempts: byId(attempt) });
    expect(maySendAccept(state, attempt.attemptId, NOON)).toBe(true);
    expect(maySendAccept(transientState({}), attempt.attemptId, NOON)).toBe(false);
    expect(maySendAccept({ ...state, ...throttled(NOON + 1) }, attempt.attemptId, NOON)).toBe(false);
  });

  it("is still wanted after it has expired, whatever is held, but not where a filter rules it out", () => {
    const expired = makeAttempt("2", makeOffer("b", { expiresAt: NOON - 1 }));
    expect(isStillWanted(transientState({}), expired, NOON)).toBe(true);
    const poor = makeAttempt("3", makeOffer("c", { payCents: 0 }));
    expect(isStillWanted(transientState({}), poor, NOON)).toBe(false);
    const off = transientState({}, { profile: makeProfile({ switchedOn: false }) });
    expect(isStillWanted(off, attempt, NOON)).toBe(false);
  });

  it("is sent for no less than the filters ask now: the platform may have lowered the pay meanwhile", () => {
    const byMinimum = (minPriceCents: number) =>
      makeProfile({ filters: makeFilters({ warehouses: [makeWarehouseFilter({ minPriceCents })] }) });
    const promised = makeAttempt("4", offer, { payAtLeastCents: 8_000 });
    const isWanted = (minPriceCents: number) =>
      isStillWanted(transientState({}, { profile: byMinimum(minPriceCents) }), promised, NOON);
    expect([isWanted(7_000), isWanted(8_000), isWanted(8_500)]).toEqual([true, true, false]);
  });

  it("of a rule that asks is wanted where the driver said yes to it, and to no other", () => {
    const profile = makeProfile({
      filters: makeFilters({ warehouses: [makeWarehouseFilter({ action: "ask" })] }),
    });
    const isWanted = (attemptId: AttemptId) => {
      const state = { status: "accepting", at: NOON, attemptId } as const;
      const asked = { questionId: "0123456789abc-q0", offer, place: null, filtersVersion: 1 };
      const questions = [{ ...asked, askedAt: NOON, closesAt: NOON + MINUTE_MS, state }];
      return isStillWanted({ ...transientState({}, { profile }), questions } as never, attempt, NOON);
    };
    expect([isWanted(attempt.attemptId), isWanted(makeAttempt("9", offer).attemptId)]).toEqual([true, false]);
  });

  it("in doubt is repeated later each time, and by a clock that was set back at once", () => {
    const at = (tries: number, triedAt = NOON) =>
      reconcileAt(transientState({}), { ...attempt, ...inDoubt(tries, triedAt) }, NOON);
    expect(at(2)).toBe(at(1));
    expect(at(3)).toBeGreaterThan(at(2));
    expect(at(1, NOON + 1)).toBeLessThan(NOON);
  });

  it("in doubt that nobody wants is looked up soon, and once its call has settled", () => {
    const profile = makeProfile({ switchedOn: false });
    const doubtful = { ...attempt, ...inDoubt(1, NOON) };
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
