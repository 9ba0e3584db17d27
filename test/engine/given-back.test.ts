import { describe, expect, it } from "vitest";
import { step } from "../../durable/engine/machine.ts";
import type { DriverState, MachineEvent } from "../../durable/engine/types.ts";
import type { Block, Offer } from "../../db/shapes/offer.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import { accepted, activeState, ctx, idOf, makeBlock, makeOffer, NOON } from "./fixtures.ts";

const polled = (...offers: Offer[]): MachineEvent => ({
  kind: "polled",
  sentAt: NOON,
  outcome: { kind: "offers", offers, quota: null, etag: null },
});
const listed = (...blocks: Block[]): MachineEvent => ({
  kind: "blocks_read",
  outcome: { kind: "blocks", blocks },
});
const apply = (state: DriverState, event: MachineEvent, now: EpochMs = NOON) => step(state, event, ctx(now));
const reasonsFor = (state: DriverState, name: string) =>
  state.verdicts.get(idOf.offer(name))?.reasons.map(({ code }) => code);

const block = makeBlock(makeOffer("a"));

describe("a block that the driver gave back", () => {
  it.each<[string, Block[]]>([
    ["is listed as forfeited", [{ ...block, status: "forfeited" }]],
    ["is no longer listed", []],
  ])(
    "and that %s is passed over when it is offered again, under its old id or a new one",
    (_case, blocks) => {
      const { state } = apply(activeState({ held: [block] }), listed(...blocks));
      const next = apply(state, polled(makeOffer("a"), makeOffer("b", { payCents: 20_000 })));
      expect(accepted(next.effects)).toEqual([]);
      expect([reasonsFor(next.state, "a"), reasonsFor(next.state, "b")]).toEqual([
        ["given_back"],
        ["given_back"],
      ]);
    },
  );

  it("is passed over even if it is offered again before it was seen to be gone from the list", () => {
    const start = apply(activeState(), polled(makeOffer("a")));
    const won = step(
      start.state,
      {
        kind: "accepted",
        attemptId: [...start.state.openAttempts.keys()][0]!,
        outcome: { kind: "won", block },
      },
      ctx(NOON + 100),
    );
    const { state } = apply(won.state, listed({ ...block, status: "forfeited" }), NOON + 2 * MINUTE_MS);
    const next = apply(state, polled(makeOffer("a")), NOON + 2 * MINUTE_MS + 1);
    expect([accepted(next.effects), reasonsFor(next.state, "a")]).toEqual([[], ["given_back"]]);
  });

  it("is taken once the driver says so", () => {
    const { state } = apply(activeState({ held: [block] }), listed());
    const passed = apply(state, polled(makeOffer("b")));
    const allowed = apply(passed.state, { kind: "take_again", blockId: block.blockId });
    expect(accepted(apply(allowed.state, polled(makeOffer("b")), NOON + 1000).effects)).toEqual(["b"]);
    const relisted = apply(allowed.state, listed({ ...block, status: "forfeited" }), NOON + 1000);
    expect(relisted.state.givenBack.map(({ takeAgain }) => takeAgain)).toEqual([true]);
  });

  it("was not given back if it is held again", () => {
    const gone = apply(activeState({ held: [block] }), listed());
    expect(gone.state.givenBack).toHaveLength(1);
    expect(apply(gone.state, listed(block), NOON + 1000).state.givenBack).toEqual([]);
  });

  it("is forgotten when it starts, and one that has started was not given back", () => {
    const gone = apply(activeState({ held: [block] }), listed());
    expect(apply(gone.state, listed(), block.startsAt).state.givenBack).toEqual([]);
    const begun = { ...block, startsAt: NOON - HOUR_MS };
    expect(apply(activeState({ held: [begun] }), listed()).state.givenBack).toEqual([]);
  });

  it("is not one that was won a moment ago and is not listed yet", () => {
    const won = { ...block, acceptedAt: NOON - 1000 };
    const { state } = apply(activeState({ held: [won] }), listed());
    expect([state.held, state.givenBack]).toEqual([[won], []]);
  });
});

describe("an offer in another currency", () => {
  it("is passed over and never tried", () => {
    const { state, effects } = apply(activeState(), polled(makeOffer("a", { currency: "EUR" })));
    expect([accepted(effects), reasonsFor(state, "a")]).toEqual([[], ["currency"]]);
  });
});
