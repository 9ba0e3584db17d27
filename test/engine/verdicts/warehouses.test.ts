import { expect, it } from "vitest";
import { step } from "../../../durable/engine/machine.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { activeState, ctx, idOf, makeWarehouse, NOON } from "../fixtures.ts";

const [one, other] = [makeWarehouse(), makeWarehouse({ warehouseId: idOf.warehouse("DBK1") })];
const read = (state: DriverState, warehouses: readonly Warehouse[], isComplete = true) =>
  step(state, { kind: "warehouses_read", warehouses, isComplete }, ctx(NOON)).state;

it("takes over warehouses that were opened or closed since", () => {
  expect(read(activeState(), [one, other]).warehouses).toEqual([one, other]);
  expect(read(activeState({ warehouses: [one, other] }), [other]).warehouses).toEqual([other]);
});

it("keeps the same reference if nothing changed, so that filters are not compiled anew", () => {
  const state = activeState();
  expect(read(state, [makeWarehouse()])).toBe(state);
});

it("does not believe an empty list, and drops no warehouse for one that can't be read", () => {
  const state = activeState({ warehouses: [one, other] });
  expect(read(state, [])).toBe(state);
  expect(read(state, [other], false).warehouses).toEqual([other, one]);
});

it("ignores the list of an account that is no longer linked", () => {
  const state = activeState({ link: { status: "unlinked" }, warehouses: [], phase: { kind: "needs_link" } });
  expect(read(state, [one])).toBe(state);
});
