import * as z from "zod/mini";
import { serviceType, weekday } from "./filters.ts";
import { localDate } from "./local-date.ts";
import { readsAs } from "../tolerant.ts";
import { offer } from "./offer.ts";
import { blockId, cents, epochMs, minuteOfDay, warehouseId } from "../units.ts";

const span = z.object({ startsAt: epochMs, endsAt: epochMs });

const minutes = z.int();

/**
 * Why an offer was rejected: `rule` is what was required, `offer` what the offer has. Weekdays are ISO (1 is
 * Monday), times of day are minutes since midnight, both in the warehouse's time zone. `other`: a reason of a later
 * release; it still says that the offer was rejected.
 */
export const reason = z.discriminatedUnion("code", [
  /** ISO 4217: the currency of the filters, and the offer's. Their amounts can't be compared. */
  z.object({ code: z.literal("currency"), rule: z.string(), offer: z.string() }),
  /** When the driver gave this block back, and which block that was. */
  z.object({
    code: z.literal("given_back"),
    rule: epochMs,
    offer: z.object({ blockId, ...span.shape }),
  }),
  /** When the offer was judged, and when it expired. */
  z.object({ code: z.literal("expired"), rule: epochMs, offer: epochMs }),
  z.object({ code: z.literal("warehouse_not_selected"), rule: z.array(warehouseId), offer: warehouseId }),
  z.object({ code: z.literal("service_type"), rule: serviceType, offer: serviceType }),
  /** Days that the driver takes off, and the day on which the block starts. */
  z.object({
    code: z.literal("date_off"),
    rule: z.object({ from: localDate, to: localDate }),
    offer: localDate,
  }),
  z.object({ code: z.literal("day_off"), rule: z.array(weekday), offer: weekday }),
  z.object({
    code: z.literal("outside_schedule"),
    rule: z.object({ start: minuteOfDay, end: minuteOfDay }),
    offer: minuteOfDay,
  }),
  /** Minutes until the start: required, and left (rounded down; negative if the block has started). */
  z.object({ code: z.literal("too_soon"), rule: minutes, offer: minutes }),
  /** Block lengths in minutes: those that the driver wants, and the offer's. */
  z.object({ code: z.literal("duration_not_preferred"), rule: z.array(minutes), offer: minutes }),
  z.object({ code: z.literal("price_below_minimum"), rule: cents, offer: cents }),
  /** Cents per hour: the greater of the two minimums, and the offer's rate, rounded down for display only. */
  z.object({ code: z.literal("rate_below_minimum"), rule: cents, offer: cents }),
  /**
   * The platform gives the driver no more blocks of this length in that week: the shortest length in minutes that it refused,
   * until when, and the offer's.
   */
  z.object({
    code: z.literal("weekly_limit"),
    rule: z.object({ minutes, until: epochMs }),
    offer: minutes,
  }),
  /** The most blocks or minutes of one day, and what they would come to with the offer. */
  z.object({
    code: z.literal("day_limit"),
    unit: z.enum(["blocks", "minutes"]),
    rule: z.int(),
    offer: z.int(),
  }),
  /** The same of the minutes of one week. */
  z.object({ code: z.literal("week_limit"), rule: minutes, offer: minutes }),
  /** The pay at which the driver stops for a week, and what the blocks of that week pay. */
  z.object({ code: z.literal("goal_reached"), rule: cents, offer: cents }),
  /** The block's place, where it is known. */
  z.object({
    code: z.literal("overlaps_block"),
    rule: z.object({ ...span.shape, warehouseId: z.optional(warehouseId) }),
    offer: span,
  }),
  /** Minutes between two blocks: required, and left (rounded down). */
  z.object({ code: z.literal("rest"), rule: minutes, offer: minutes }),
  /** The same between blocks of two warehouses; the other one, where it is known. */
  z.object({
    code: z.literal("travel"),
    rule: minutes,
    offer: minutes,
    warehouseId: z.optional(warehouseId),
  }),
  /** When the driver was asked, and when they passed. */
  z.object({ code: z.literal("passed"), rule: epochMs, offer: epochMs }),
  /** When the driver was asked, and when the question ended without an answer. */
  z.object({ code: z.literal("unanswered"), rule: epochMs, offer: epochMs }),
  /** The rule that the offer fits only tells of it; or it asks, and had asked often enough for an hour. */
  z.object({ code: z.literal("only_told"), rule: readsAs(z.enum(["tell", "ask"]), "tell") }),
  z.object({ code: z.literal("other") }),
]);

export type Reason = z.infer<typeof reason>;

export type ReasonCode = Reason["code"];

/** The codes of all reasons. */
export const reasonCode = z.enum(reason.def.options.flatMap(({ shape }) => shape.code.def.values));

/**
 * A warehouse's rule that a verdict is by, where there is more than one: the nearest of those against the offer, or the
 * first that lets it through. The first rule of a warehouse has no id. `number` is its place, from 1.
 */
export const judgedRule = z.object({ ruleId: z.nullable(z.string()), name: z.string(), number: z.int() });
export type JudgedRule = z.infer<typeof judgedRule>;

/** The reasons that each rule of a warehouse decides for itself: the others hold for all of them. */
export const RULE_REASONS: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  "day_off",
  "outside_schedule",
  "too_soon",
  "duration_not_preferred",
  "price_below_minimum",
  "rate_below_minimum",
]);

/** The filters' verdict on an offer: a match if `reasons` is empty, else every reason against it, the main one first. */
export const verdict = z.object({
  offer,
  reasons: z.readonly(z.array(reason)),
  rule: z.optional(judgedRule),
  /** The version of the filters that the offer was judged by. */
  filtersVersion: z.int(),
  judgedAt: epochMs,
  firstSeenAt: epochMs,
});
export type Verdict = z.infer<typeof verdict>;
