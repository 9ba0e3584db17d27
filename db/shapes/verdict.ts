import * as z from "zod/mini";
import { serviceType } from "./filters.ts";
import { offer } from "./offer.ts";
import { cents, epochMs, minuteOfDay, warehouseId } from "./units.ts";

const span = z.object({ startsAt: epochMs, endsAt: epochMs });

const minutes = z.int();

const weekday = z.int().check(z.minimum(1), z.maximum(7));

/**
 * Why an offer was passed over: the rule's figure beside the offer's. Weekdays are ISO (1 is
 * Monday) and times of day minutes since midnight, both in the warehouse's zone.
 */
export const reason = z.discriminatedUnion("code", [
  /** The instant of judging, and the offer's own end. */
  z.object({ code: z.literal("expired"), rule: epochMs, offer: epochMs }),
  z.object({ code: z.literal("warehouse_not_selected"), rule: z.array(warehouseId), offer: warehouseId }),
  z.object({ code: z.literal("service_type"), rule: serviceType, offer: serviceType }),
  z.object({ code: z.literal("day_off"), rule: z.array(weekday), offer: weekday }),
  z.object({
    code: z.literal("outside_schedule"),
    rule: z.object({ start: minuteOfDay, end: minuteOfDay }),
    offer: minuteOfDay,
  }),
  /** Minutes ahead: asked for, and left (rounded down; negative where it has begun). */
  z.object({ code: z.literal("too_soon"), rule: minutes, offer: minutes }),
  /** Minutes: the lengths wanted, and the offer's own. */
  z.object({ code: z.literal("duration_not_preferred"), rule: z.array(minutes), offer: minutes }),
  z.object({ code: z.literal("price_below_minimum"), rule: cents, offer: cents }),
  /** Cents an hour: the greater minimum, and the offer's, rounded down for display only. */
  z.object({ code: z.literal("rate_below_minimum"), rule: cents, offer: cents }),
  z.object({ code: z.literal("overlaps_block"), rule: span, offer: span }),
]);

export type Reason = z.infer<typeof reason>;

export type ReasonCode = Reason["code"];

/** A match where `reasons` is empty; else all that speaks against it, the deciding one first. */
export const verdict = z.object({
  offer,
  reasons: z.readonly(z.array(reason)),
  /** The version of the filters under which it was judged. */
  filtersVersion: z.int(),
  judgedAt: epochMs,
  firstSeenAt: epochMs,
});
export type Verdict = z.infer<typeof verdict>;
