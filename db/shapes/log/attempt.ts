import * as z from "zod/mini";
import { block, offer, type Offer, type Warehouse } from "../work/offer.ts";
import { attemptId, cents, epochMs } from "../units.ts";

/**
 * Why an attempt was lost: the platform's own code; `withdrawn` if the driver's switch, filters or service
 * changed before the call went out; `refused` for a code that we don't know; `no_answer` if the platform had not
 * told the outcome when the block started; `already_yours` if the driver had taken it elsewhere before our first try;
 * `probably_yours` if the platform lists a block of its span and does not say whose offer that was; `other` for a reason of a
 * later release.
 */
export const lostReason = z.enum([
  "offer_gone",
  "overlap",
  "weekly_limit",
  "pay_changed",
  "withdrawn",
  "rate_limited",
  "signed_out",
  "verification_required",
  "refused",
  "no_answer",
  "already_yours",
  "probably_yours",
  "other",
]);

export type LostReason = z.infer<typeof lostReason>;

/** Where a block is worked: what is said of it must not depend on what is known of the warehouse later. */
export const place = z.object({ name: z.nullable(z.string()), timeZone: z.string() });
export type Place = z.infer<typeof place>;

/** The name and zone of an offer's place; null if its warehouse is not known. */
export function placeOf(
  { warehouseId }: Pick<Offer, "warehouseId">,
  warehouses: readonly Warehouse[],
): Place | null {
  const warehouse = warehouses.find((known) => known.warehouseId === warehouseId);
  return warehouse ? { name: warehouse.name, timeZone: warehouse.timeZone } : null;
}

export const attempt = z.object({
  attemptId,
  offer,
  /** Null if the warehouse was not known. */
  place: z._default(z.nullable(place), null),
  /** The least pay that the driver's filters accept. The platform answers `pay_changed` if the pay is lower. */
  payAtLeastCents: cents,
  createdAt: epochMs,
  endedAt: z.nullable(epochMs),
  outcome: z.discriminatedUnion("status", [
    z.object({ status: z.literal("pending") }),
    /** `triedAt` is when the latest of `tries` calls ended without an answer. */
    z.object({ status: z.literal("unknown"), tries: z.int(), triedAt: epochMs }),
    z.object({ status: z.literal("won"), block }),
    z.object({ status: z.literal("lost"), reason: lostReason }),
  ]),
});

export type Attempt = z.infer<typeof attempt>;
