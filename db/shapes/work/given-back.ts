import * as z from "zod/mini";
import { blockId, epochMs, offerId, warehouseId } from "../units.ts";

/** A block that the driver gave back before it started. Offered again, it is passed over. */
export const givenBackBlock = z.object({
  blockId,
  offerId,
  warehouseId,
  startsAt: epochMs,
  endsAt: epochMs,
  /** When the platform first listed it as given back, or no longer listed it. */
  givenBackAt: epochMs,
  /** Whether the driver said that it may be taken again. */
  takeAgain: z.boolean(),
});
export type GivenBackBlock = z.infer<typeof givenBackBlock>;
