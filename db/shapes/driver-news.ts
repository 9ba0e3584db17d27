import * as z from "zod/mini";
import { epochMs } from "./units.ts";

/**
 * News for a driver beside offers and payments. `spot_opened`: a spot in their city is kept for them. `spot_passed`: they
 * let it pass. `spot_released`: theirs went to the next one, a week after service ended. `raffle_won`: one of their
 * entries was drawn.
 */
export const driverNewsKind = z.enum(["spot_opened", "spot_passed", "spot_released", "raffle_won"]);
export type DriverNewsKind = z.infer<typeof driverNewsKind>;

/** News after which the driver stands elsewhere in their city. */
export const isSpotNews = (kind: DriverNewsKind): boolean => kind !== "raffle_won";

/** One of them. `source` is its unique, stable id. */
export const driverNews = z.object({
  source: z.string(),
  kind: driverNewsKind,
  /** The city of the spot, or the id of the raffle. */
  subject: z.string(),
  /** Until when the spot is kept; null where nothing ends. */
  until: z.nullable(epochMs),
});
export type DriverNews = z.infer<typeof driverNews>;
