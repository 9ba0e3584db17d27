import { describe, expect, it } from "vitest";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import {
  busySpans,
  countUnseen,
  isTriedOrHeld,
  judgeListing,
  rejudge,
  untriedMatches,
} from "../../../durable/engine/verdicts/judge.ts";
import type { DriverState, TransientState } from "../../../durable/engine/state/types.ts";
import {
  idOf,
  makeBlock,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouseFilter,
  NOON,
} from "../fixtures.ts";
import { byId, change, makeAttempt, transientState } from "../parts.ts";
import { after, polled, wake } from "../steps.ts";

const judged = (state: DriverState, offers: readonly Offer[], now = NOON) =>
  change(state, (transition) => judgeListing(transition, offers), now);
/** A state in which these offers were judged an hour ago. */
const known = (...offers: Offer[]) => judged(transientState({}), offers, NOON - HOUR_MS).state;
const withTransient = (state: DriverState, fields: Partial<TransientState>): DriverState => ({
  ...state,
  transient: { ...state.transient, ...fields },
});
const [a, b] = [makeOffer("a"), makeOffer("b", { startsAt: NOON + 9 * HOUR_MS })];

describe("a listing of offers", () => {
  it("gives each new offer a verdict, and a line in the log", () => {
    const poor = makeOffer("poor", { currency: "EUR" });
    const { state, log } = judged(transientState({}), [a, poor]);
    const verdict = (offer: Offer, reasons: unknown[]) => ({ offer, reasons, filtersVersion: 1 });
    const currency = [expect.objectContaining({ code: "currency" })];
    expect([...state.verdicts.values()]).toEqual([
      { ...verdict(a, []), judgedAt: NOON, firstSeenAt: NOON },
      { ...verdict(poor, currency), judgedAt: NOON, firstSeenAt: NOON },
    ]);
    expect(log).toEqual([
      { kind: "offer_judged", at: NOON, ...verdict(a, []) },
      { kind: "offer_judged", at: NOON, ...verdict(poor, currency) },
    ]);
    expect(state.transient.openOfferIds).toEqual(["a", "poor"]);
  });

  it("that is the same again changes nothing", () => {
    const state = known(a, b);
    const again = judged(state, [{ ...a }, { ...b }]);
    expect([again.state, again.log]).toEqual([state, []]);
    expect(again.state).toBe(state);
  });

  it.each<[string, Partial<Offer>]>([
    ["pay", { payCents: 9001 }],
    ["start", { startsAt: a.startsAt + 1 }],
    ["end", { endsAt: a.endsAt + 1 }],
    ["warehouse", { warehouseId: idOf.warehouse("LA") }],
    ["kind of service", { serviceType: "grocery" }],
    ["currency", { currency: "EUR" }],
  ])("judges an offer anew whose %s has changed, and knows when it was first seen", (_what, fields) => {
    const changed = { ...a, ...fields };
    const { state, log } = judged(known(a), [changed]);
    expect(state.verdicts.get(a.offerId)).toMatchObject({
      offer: changed,
      judgedAt: NOON,
      firstSeenAt: NOON - HOUR_MS,
    });
    expect(log).toHaveLength(1);
  });

  it("judges an offer anew that went from one warehouse that is not selected to another", () => {
    const at = (name: string) => makeOffer("a", { warehouseId: idOf.warehouse(name) });
    expect(judged(known(at("LA")), [at("LB")]).log).toHaveLength(1);
  });

  it.each<[string, Partial<Offer>]>([
    ["expiry", { expiresAt: a.expiresAt + 1 }],
    ["surge", { surge: true }],
  ])("keeps the verdict on an offer whose %s has changed", (_what, fields) => {
    const changed = { ...a, ...fields };
    const { state, log } = judged(known(a), [changed]);
    expect(state.verdicts.get(a.offerId)).toMatchObject({ offer: changed, judgedAt: NOON - HOUR_MS });
    expect(log).toEqual([]);
  });

  it("judges offers anew under other filters, and once a block is held that they overlap", () => {
    const filtered = { ...known(a), profile: makeProfile({ filtersVersion: 2 }) };
    expect(judged(filtered, [a]).log).toMatchObject([{ filtersVersion: 2, reasons: [] }]);
    const held = { ...known(a), held: [makeBlock(makeOffer("h"))] };
    expect(judged(held, [a]).log).toMatchObject([{ reasons: [{ code: "overlaps_block" }] }]);
  });

  it("judges a skipped offer anew at most once a minute if only its pay changes, by its last pay", () => {
    const profile = makeProfile({
      filters: makeFilters({ warehouses: [makeWarehouseFilter({ minPriceCents: 8_000 })] }),
    });
    const paying = (payCents: number) => makeOffer("a", { payCents });
    let state = judged(transientState({ etag: "e" }, { profile }), [paying(5_000)]).state;
    expect(state.transient.etag).toBe("e");
    for (let second = 1; second < 60; second += 1) {
      const step = judged(state, [paying(5_000 + second)], NOON + second * 1_000);
      expect([step.log, step.state.verdicts, step.state.transient.etag]).toEqual([[], state.verdicts, null]);
      state = step.state;
    }
    const match = judged(state, [paying(8_000)], NOON + 59_000);
    expect(match.log).toMatchObject([{ offer: { payCents: 8_000 }, reasons: [] }]);
    expect(judged(match.state, [paying(7_999)], NOON + 59_001).log).toMatchObject([
      { offer: { payCents: 7_999 } },
    ]);
    const later = judged(state, [paying(5_059)], NOON + 60_000);
    expect(later.log).toMatchObject([{ offer: { payCents: 5_059 } }]);
    expect(judged(later.state, [paying(5_059)], NOON + 61_000).log).toEqual([]);
  });

  it("asks for a listing that stays the same as long as it holds a pay that was not judged", () => {
    const profile = makeProfile({
      filters: makeFilters({ warehouses: [makeWarehouseFilter({ minPriceCents: 8_000 })] }),
    });
    let state = transientState({}, { profile });
    const etags = [5_000, 5_001, 5_001, 5_001].map((payCents, index) => {
      const now = NOON + index * 25_000;
      ({ state } = after(wake(state, now).state, polled(makeOffer("a", { payCents })), now + 100));
      return state.transient.etag;
    });
    expect(etags).toEqual(["e1", null, null, "e1"]);
  });

  it("judges a skipped offer anew at once if more than its pay has changed", () => {
    const profile = makeProfile({
      filters: makeFilters({ warehouses: [makeWarehouseFilter({ minPriceCents: 8_000 })] }),
    });
    const poor = makeOffer("a", { payCents: 5_000 });
    const { state } = judged(transientState({}, { profile }), [poor]);
    const changes: [DriverState, Offer][] = [
      [state, { ...poor, payCents: 5_001, endsAt: poor.endsAt + 1 }],
      [
        { ...state, profile: { ...profile, filtersVersion: 2 } },
        { ...poor, payCents: 5_001 },
      ],
      [
        { ...state, held: [makeBlock(makeOffer("h"))] },
        { ...poor, payCents: 5_001 },
      ],
    ];
    expect(changes.map(([before, offer]) => judged(before, [offer], NOON + 1_000).log.length)).toEqual([
      1, 1, 1,
    ]);
  });

  it("leaves the verdict on an offer that was tried, whatever has changed around it", () => {
    const tried = withTransient(known(a), { triedOffers: new Set([a.offerId]) });
    const held = { ...tried, held: [makeBlock(makeOffer("h"))] };
    expect(judged(held, [a]).log).toEqual([]);
  });

  it("lets a tried offer be tried again once it was gone, or pays otherwise", () => {
    const state = withTransient(known(a, b), { triedOffers: new Set([a.offerId, b.offerId]) });
    const triedAfter = (...offers: Offer[]) => judged(state, offers).state.transient.triedOffers;
    expect([...triedAfter(a, { ...b, payCents: 1 })]).toEqual(["a"]);
    expect([...triedAfter(b)]).toEqual(["b"]);
    expect(triedAfter(a, b)).toBe(state.transient.triedOffers);
    const unjudged = withTransient(transientState({}), { triedOffers: new Set([a.offerId]) });
    expect([...judged(unjudged, [a]).state.transient.triedOffers]).toEqual([]);
  });

  it("notes which offers are open, in their order", () => {
    const state = known(a, b);
    const openAfter = (...offers: Offer[]) => judged(state, offers).state.transient.openOfferIds;
    expect(openAfter(a, b)).toBe(state.transient.openOfferIds);
    expect(openAfter(b, a)).toEqual(["b", "a"]);
    expect(openAfter(a)).toEqual(["a"]);
    expect(openAfter(a, makeOffer("c"))).toEqual(["a", "c"]);
    expect(openAfter(a, b, makeOffer("c"))).toEqual(["a", "b", "c"]);
    expect(openAfter()).toEqual([]);
  });

  it("drops the verdicts on offers that are gone and expired, and no others", () => {
    const gone = (expiresAt: number) => makeOffer("gone", { expiresAt });
    const left = (expiresAt: number, ...listed: Offer[]) => [
      ...judged(known(a, gone(expiresAt)), listed).state.verdicts.keys(),
    ];
    expect(left(NOON, a)).toEqual(["a"]);
    expect(left(NOON + 1, a)).toEqual(["a", "gone"]);
    expect(left(NOON - 1, a, gone(NOON - 1))).toEqual(["a", "gone"]);
  });

  it("is judged by nobody's filters where there are none", () => {
    const nobody = { ...transientState({}), profile: null };
    expect([...judged(nobody, [a]).state.verdicts]).toEqual([]);
    const rejudged = change({ ...known(a), profile: null }, rejudge);
    expect(rejudged.log).toEqual([]);
  });

  it("is judged again by itself when filters change, without what has no verdict", () => {
    const state = withTransient(
      { ...known(a, b), profile: makeProfile({ filtersVersion: 2 }) },
      { openOfferIds: [a.offerId, idOf.offer("unknown")] },
    );
    expect(change(state, rejudge).log).toMatchObject([{ offer: { offerId: "a" }, filtersVersion: 2 }]);
  });
});

describe("the time that is not free", () => {
  const unknown = { status: "unknown", tries: 1, triedAt: NOON } as const;
  const pending = makeAttempt("pending", makeOffer("p"));
  const doubtful = makeAttempt("unknown", makeOffer("u"), { outcome: unknown });
  const block = makeBlock(makeOffer("h"));
  const state = transientState(
    {
      unreadableHeld: [{ startsAt: 1, endsAt: 2 }],
      overlapRefusals: [{ offer: makeOffer("r"), at: NOON }],
    },
    {
      held: [block, { ...block, status: "forfeited", offerId: idOf.offer("f") }],
      openAttempts: byId(pending, doubtful),
    },
  );
  const unreadable = { startsAt: 1, endsAt: 2, offerId: null };

  it("is for a verdict that of blocks and of attempts in doubt", () => {
    expect(busySpans(state, "unknown")).toEqual([block, unreadable, doubtful.offer]);
  });

  it("is for a selection that of attempts under way and of refusals, too", () => {
    expect(busySpans(state, "pending")).toEqual([
      block,
      unreadable,
      makeOffer("r"),
      pending.offer,
      doubtful.offer,
    ]);
  });

  it("is that of offers in doubt for a verdict", () => {
    const busy = transientState({}, { openAttempts: byId(doubtful) });
    expect(judged(busy, [a]).log).toMatchObject([{ reasons: [{ code: "overlaps_block" }] }]);
    const trying = transientState({}, { openAttempts: byId(pending) });
    expect(judged(trying, [a]).log).toMatchObject([{ reasons: [] }]);
  });
});

describe("an offer", () => {
  it("is tried or held where an attempt was made, is being made, or it is a block", () => {
    const block = makeBlock(makeOffer("h"));
    const state = transientState(
      { triedOffers: new Set([idOf.offer("t")]) },
      {
        held: [block, makeBlock(makeOffer("f"), { status: "forfeited" })],
        openAttempts: byId(makeAttempt("1", makeOffer("o"))),
      },
    );
    const names = ["t", "h", "o", "f", "x"];
    expect(names.map((name) => isTriedOrHeld(state, idOf.offer(name)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("is unseen without a verdict", () => {
    expect(countUnseen(known(a), [a, b, makeOffer("c")])).toBe(2);
    expect(countUnseen(known(a), [])).toBe(0);
  });

  it("may be taken as long as it is listed, matches, has not expired and was not tried", () => {
    const poor = makeOffer("poor", { currency: "EUR" });
    const state = known(a, poor, b);
    expect(untriedMatches(state, NOON)).toEqual([a, b]);
    expect(untriedMatches(state, a.expiresAt - 1)).toEqual([a, b]);
    expect(untriedMatches(state, a.expiresAt)).toEqual([b]);
    expect(untriedMatches(withTransient(state, { triedOffers: new Set([b.offerId]) }), NOON)).toEqual([a]);
    expect(
      untriedMatches(withTransient(state, { openOfferIds: [b.offerId, idOf.offer("none")] }), NOON),
    ).toEqual([b]);
  });
});
