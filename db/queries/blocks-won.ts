import type { Block } from "../shapes/offer.ts";
import type { DriverId } from "../shapes/units.ts";
import type { Db } from "../client.ts";
import { blocksWon } from "../schema.ts";

/** Copies a won block to D1. Idempotent. */
export function insertBlockWon(
  db: Db,
  driverId: DriverId,
  { attemptId, block }: { attemptId: string; block: Block },
) {
  return db
    .insert(blocksWon)
    .values({
      driverId,
      attemptId,
      blockId: block.blockId,
      offerId: block.offerId,
      warehouseId: block.warehouseId,
      serviceType: block.serviceType,
      startsAt: block.startsAt,
      endsAt: block.endsAt,
      payCents: block.payCents,
      currency: block.currency,
      capturedAt: block.acceptedAt,
    })
    .onConflictDoNothing();
}
