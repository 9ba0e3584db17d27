import { createChance } from "../chance.ts";
import { Refusal } from "../problem.ts";
import type { Block, EpochMs, State } from "../state.ts";
import { findWarehouse } from "./cities.ts";
import { blockView, statusOf } from "./views.ts";

const MINUTE = 60_000;
const LONGEST_SPAN_MS = 62 * 24 * 60 * MINUTE;
const FORFEIT_BEFORE_MS = 45 * MINUTE;
const CHECK_IN_OPENS_MS = 30 * MINUTE;
/** How long after the start check-in stays open. The contract doesn't say. */
const CHECK_IN_CLOSES_MS = 15 * MINUTE;

export type Span = { from: EpochMs; to: EpochMs };

/** The driver's blocks that start in [from, to), earliest first. */
export function blocksWithin(state: State, driverId: string, { from, to }: Span): Block[] {
  if (to < from || to - from > LONGEST_SPAN_MS) {
    throw new Refusal(400, "invalid_request", { detail: "The span is at most 62 days." });
  }
  return state.blocks
    .values()
    .filter((block) => block.driverId === driverId && from <= block.startsAt && block.startsAt < to)
    .sort((one, other) => one.startsAt - other.startsAt);
}

export function forfeitBlock(state: State, driverId: string, blockId: string, now: EpochMs): void {
  const block = findBlock(state, driverId, blockId);
  if (now > block.startsAt - FORFEIT_BEFORE_MS) throw new Refusal(409, "too_late");
  state.blocks.set(blockId, { ...block, forfeitedAt: now });
}

export type Position = { latitude: number; longitude: number };

export function checkIn(
  state: State,
  at: { driverId: string; blockId: string; position: Position },
  now: EpochMs,
): Record<string, unknown> {
  const block = findBlock(state, at.driverId, at.blockId);
  if (block.checkedInAt !== null) throw new Refusal(409, "already_checked_in");
  const opensAt = block.startsAt - CHECK_IN_OPENS_MS;
  if (now < opensAt) throw new Refusal(409, "too_early", { opensAt: new Date(opensAt).toISOString() });
  if (now > block.startsAt + CHECK_IN_CLOSES_MS) throw new Refusal(409, "too_late");
  const warehouse = findWarehouse(block.warehouseId);
  if (warehouse) {
    const distanceMeters = Math.round(distanceBetween(at.position, warehouse) * 10) / 10;
    if (distanceMeters > warehouse.geofenceMeters)
      throw new Refusal(409, "outside_geofence", { distanceMeters });
  }
  const arrived = { ...block, checkedInAt: now };
  state.blocks.set(block.blockId, arrived);
  return blockView(arrived, now);
}

/** The earnings of the driver's completed blocks that started in the range. */
export function earningsWithin(state: State, driverId: string, span: Span, now: EpochMs) {
  const items = blocksWithin(state, driverId, span)
    .filter((block) => statusOf(block, now) === "completed")
    .map((block) => ({ blockId: block.blockId, amount: block.payCents, tips: tipsOf(block) }));
  return { currency: "USD", total: items.reduce((sum, { amount, tips }) => sum + amount + tips, 0), items };
}

function tipsOf({ blockId, serviceType }: Block): number {
  return serviceType === "parcel" ? 0 : Math.floor(createChance(`tips:${blockId}`)() * 30) * 100;
}

function findBlock(state: State, driverId: string, blockId: string): Block {
  const block = state.blocks.get(blockId);
  if (!block || block.driverId !== driverId || block.forfeitedAt !== null)
    throw new Refusal(404, "block_not_found");
  return block;
}

/** Great-circle distance in meters (haversine). */
function distanceBetween(one: Position, other: Position): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const rise = Math.sin(radians(other.latitude - one.latitude) / 2) ** 2;
  const run = Math.sin(radians(other.longitude - one.longitude) / 2) ** 2;
  const chord = rise + Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * run;
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(chord)));
}
