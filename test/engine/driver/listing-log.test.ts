import { DatabaseSync } from "node:sqlite";
import { expect, it, vi } from "vitest";
import { parseListingRow } from "../../../db/shapes/log/listing.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { ListingLog } from "../../../durable/driver/logs/listing-log.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import { openStore } from "../../support/runtime/node-store.ts";
import { activeState, makeBlock, makeOffer, NOON } from "../fixtures.ts";

const BLOCK = makeBlock(makeOffer("a"));

/** The log of a driver's object, and what it has written of the driver's blocks. */
function open() {
  const store = openStore(new DatabaseSync(":memory:"));
  const log = new ListingLog(store);
  const read = vi.spyOn(store.listings, "page");
  const holding = (held: Block[], blocksReadAt: number | null = NOON): DriverState => {
    const state = activeState({ held });
    return { ...state, contact: { ...state.contact, blocksReadAt } };
  };
  const step = (before: DriverState, state: DriverState, now: number) =>
    log.note({ before, state, event: { kind: "woke" }, effects: [] }, now);
  const written = () =>
    store.listings
      .page({ after: 0, limit: 100 })
      .flatMap(parseListingRow)
      .map(({ held, freed }) => [held.map(({ blockId }) => blockId), freed]);
  return { holding, step, written, read };
}

it("logs a block from when it is held until it is no more, also once it is over, and reads no row for that", () => {
  const { holding, step, written, read } = open();
  step(holding([]), holding([BLOCK]), NOON);
  step(holding([BLOCK]), holding([]), BLOCK.endsAt + HOUR_MS);
  expect(read).toHaveBeenCalledTimes(0);
  expect(written()).toEqual([
    [[BLOCK.blockId], []],
    [[], [BLOCK.blockId]],
  ]);
});

it("knows from its rows what was held before a new link forgot it", () => {
  const { holding, step, written, read } = open();
  step(holding([]), holding([BLOCK]), NOON);
  step(holding([], null), holding([BLOCK]), NOON + 1);
  expect(read).toHaveBeenCalledTimes(1);
  step(holding([], null), holding([]), NOON + 2);
  expect(written()).toEqual([
    [[BLOCK.blockId], []],
    [[], [BLOCK.blockId]],
  ]);
});
