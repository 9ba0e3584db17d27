import { describe, expect, it } from "vitest";
import {
  allowTakingAgain,
  findGivenBack,
  recordGivenBack,
} from "../../../durable/engine/verdicts/given-back.ts";
import { step } from "../../../durable/engine/machine.ts";
import type { DriverState, MachineEvent } from "../../../durable/engine/state/types.ts";
import type { Block, Offer } from "../../../db/shapes/work/offer.ts";
import { reason } from "../../../db/shapes/work/verdict.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { accepted, activeState, ctx, idOf, makeBlock, makeOffer, NOON } from "../fixtures.ts";
import { change, transientState } from "../parts.ts";
import { after, listed, polled } from "../steps.ts";

const reasonsFor = (state: DriverState, name: string) =>
  state.verdicts.get(idOf.offer(name))?.reasons.map(({ code }) => code);

const block = makeBlock(makeOffer("a"));
const WAREHOUSES = activeState().warehouses;

describe("a block that the driver gave back", () => {
  it("is read from a verdict with its hours", () => {
    const { blockId, startsAt, endsAt } = block;
    const against = { code: "given_back", rule: NOON, offer: { blockId, startsAt, endsAt } };
    expect(reason.parse(against)).toEqual(against);
  });

  it.each<[string, Block[]]>([
    ["is listed as forfeited", [{ ...block, status: "forfeited" }]],
    ["is no longer listed", []],
  ])(
    "and that %s is passed over when it is offered again, under its old id or a new one",
    (_case, blocks) => {
      const { state } = after(activeState({ held: [block] }), listed(...blocks));
      const next = after(state, polled(makeOffer("a"), makeOffer("b", { payCents: 20_000 })));
      expect(accepted(next.effects)).toEqual([]);
      expect([reasonsFor(next.state, "a"), reasonsFor(next.state, "b")]).toEqual([
        ["given_back"],
        ["given_back"],
      ]);
    },
  );

  it("is passed over even if it is offered again before a list without it", () => {
    const start = after(activeState(), polled(makeOffer("a")));
    const won = step(
      start.state,
      {
        kind: "accepted",
        attemptId: [...start.state.openAttempts.keys()][0]!,
        outcome: { kind: "won", block },
      },
      ctx(NOON + 100),
    );
    const { state } = after(won.state, listed({ ...block, status: "forfeited" }), NOON + 2 * MINUTE_MS);
    const next = after(state, polled(makeOffer("a")), NOON + 2 * MINUTE_MS + 1);
    expect([accepted(next.effects), reasonsFor(next.state, "a")]).toEqual([[], ["given_back"]]);
  });

  it("is taken once the driver says so", () => {
    const { state } = after(activeState({ held: [block] }), listed());
    const passed = after(state, polled(makeOffer("b")));
    const allowed = after(passed.state, { kind: "take_again", blockId: block.blockId });
    expect(accepted(after(allowed.state, polled(makeOffer("b")), NOON + 1000).effects)).toEqual(["b"]);
    const relisted = after(allowed.state, listed({ ...block, status: "forfeited" }), NOON + 1000);
    expect(relisted.state.givenBack.map(({ takeAgain }) => takeAgain)).toEqual([true]);
  });

  it("was not given back if it is held again", () => {
    const gone = after(activeState({ held: [block] }), listed());
    expect(gone.state.givenBack).toHaveLength(1);
    expect(after(gone.state, listed(block), NOON + 1000).state.givenBack).toEqual([]);
  });

  it.each<[string, MachineEvent[]]>([
    ["the driver unlinked", [{ kind: "unlinked" }, { kind: "linked", warehouses: WAREHOUSES }]],
    ["another account was linked", [{ kind: "linked", warehouses: WAREHOUSES }]],
  ])("is passed over although it was given back after %s, before anybody looked", (_case, events) => {
    const left = events.reduce((state, event) => after(state, event).state, activeState({ held: [block] }));
    const { state } = after(left, listed());
    const next = after(state, polled(makeOffer("a")));
    expect([accepted(next.effects), reasonsFor(next.state, "a")]).toEqual([[], ["given_back"]]);
    const still = after(left, listed(block)).state;
    expect([still.givenBack, still.held]).toEqual([[], [block]]);
  });

  it("was not given back if it is held again under the id that no answer had named before", () => {
    const named = { ...block, blockId: idOf.block(block.offerId) };
    const left = after(activeState({ held: [named] }), { kind: "unlinked" }).state;
    const relinked = after(left, { kind: "linked", warehouses: WAREHOUSES }).state;
    expect(relinked.givenBack.map(({ blockId }) => blockId)).toEqual([named.blockId]);
    const { state } = after(relinked, listed(block));
    expect([state.held, state.givenBack]).toEqual([[block], []]);
  });

  it("is forgotten when it starts, and one that has started was not given back", () => {
    const gone = after(activeState({ held: [block] }), listed());
    expect(after(gone.state, listed(), block.startsAt).state.givenBack).toEqual([]);
    const begun = { ...block, startsAt: NOON - HOUR_MS };
    expect(after(activeState({ held: [begun] }), listed()).state.givenBack).toEqual([]);
  });

  it.each<[string, Partial<Offer>]>([
    ["at another warehouse", { warehouseId: idOf.warehouse("LA") }],
    ["that starts at another time", { startsAt: block.startsAt - MINUTE_MS, endsAt: block.endsAt }],
    ["that ends at another time", { endsAt: block.endsAt + MINUTE_MS }],
  ])("is not the offer of work %s", (_what, fields) => {
    const gone = { ...block, givenBackAt: NOON, takeAgain: false };
    expect(findGivenBack([gone], makeOffer("b", fields))).toBeUndefined();
    expect(findGivenBack([gone], makeOffer("b"))).toBe(gone);
  });

  it("is not noted where it starts this very moment", () => {
    const starting = makeBlock(makeOffer("s", { startsAt: NOON }), { status: "forfeited" });
    expect(after(activeState(), listed(starting)).state.givenBack).toEqual([]);
  });

  it("leaves everything as it is where it is known already", () => {
    const { state } = after(activeState({ held: [block] }), listed());
    const again = change(state, (one) =>
      recordGivenBack(one, { listed: [{ ...block, status: "forfeited" }], vanished: [] }),
    );
    expect(again.state).toBe(state);
  });

  it("may make room in a full week, and one that is forgotten does not", () => {
    const weeklyLimit = [
      { startsAt: NOON - DAY_MS, endsAt: NOON + 7 * DAY_MS, minutes: 180, refusedAt: NOON },
    ];
    const gone = after(activeState({ held: [block], weeklyLimit }), listed()).state;
    expect(gone.weeklyLimit).toEqual(weeklyLimit.map((limit) => ({ ...limit, refusedAt: null })));
    const forgotten = after({ ...gone, weeklyLimit }, listed(), block.startsAt).state;
    expect([forgotten.givenBack, forgotten.weeklyLimit]).toEqual([[], weeklyLimit]);
  });

  it("is the only one that the driver takes again, with the same work under other ids", () => {
    const other = makeBlock(makeOffer("o", { startsAt: NOON + 9 * HOUR_MS }));
    const twin = makeBlock(makeOffer("twin"));
    const tried = transientState(
      { triedOffers: new Set([block.offerId, other.offerId]) },
      { held: [other, block, twin] },
    );
    const gone = change(tried, (one) =>
      recordGivenBack(one, { listed: [], vanished: [other, block, twin] }),
    ).state;
    expect([...gone.transient.triedOffers]).toEqual([]);
    const againFor = (id: string, state = gone) =>
      change({ ...state, transient: tried.transient }, (one) => allowTakingAgain(one, idOf.block(id))).state;
    const allowed = againFor("block-a");
    expect(allowed.givenBack.map(({ takeAgain }) => takeAgain)).toEqual([false, true, true]);
    expect([...allowed.transient.triedOffers]).toEqual([other.offerId]);
    expect(againFor("block-twin", allowed).givenBack[0]).toBe(allowed.givenBack[0]);
    const unknown = { ...gone, transient: tried.transient };
    expect(change(unknown, (one) => allowTakingAgain(one, idOf.block("none"))).state).toBe(unknown);
  });

  it("that was never tried leaves what was tried", () => {
    const tried = transientState({ triedOffers: new Set([idOf.offer("x")]) }, { held: [block] });
    const { state } = change(tried, (one) => recordGivenBack(one, { listed: [], vanished: [block] }));
    expect(state.transient).toBe(tried.transient);
    expect(state.givenBack).toHaveLength(1);
  });

  it("is not one that was won a moment ago and is not listed yet", () => {
    const won = { ...block, acceptedAt: NOON - 1000 };
    const { state } = after(activeState({ held: [won] }), listed());
    expect([state.held, state.givenBack]).toEqual([[won], []]);
  });
});

describe("an offer in another currency", () => {
  it("is passed over and never tried", () => {
    const { state, effects } = after(activeState(), polled(makeOffer("a", { currency: "EUR" })));
    expect([accepted(effects), reasonsFor(state, "a")]).toEqual([[], ["currency"]]);
  });
});
