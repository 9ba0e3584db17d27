import * as z from "zod/mini";
import { limits, weekday } from "./filters.ts";
import { judgedRule } from "./verdict.ts";
import { cents, warehouseId } from "../units.ts";

const minutes = z.int().check(z.nonnegative());
/** In the unit of what is changed. */
const figure = z.int().check(z.nonnegative());
/** The first rule of the warehouse, which alone is changed; not given where there is no other. */
const firstOfSeveral = z.optional(judgedRule);

/**
 * One change that lets more offers through. Where `warehouseId` is null it goes for every selected warehouse, where
 * `day` is null for every active day. Weekdays are ISO.
 */
export const filterChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("min_price"), warehouseId, cents, rule: firstOfSeveral }),
  /**
   * Also lowers the general minimum, which would hold otherwise. Where one warehouse is named, the others get it as their
   * own, so that the same offers there match as before.
   */
  z.object({
    kind: z.literal("min_hourly"),
    warehouseId: z.nullable(warehouseId),
    cents,
    rule: firstOfSeveral,
  }),
  z.object({
    kind: z.literal("notice"),
    warehouseId: z.nullable(warehouseId),
    minutes,
    rule: firstOfSeveral,
  }),
  /** One of the ten lengths. */
  z.object({
    kind: z.literal("length"),
    warehouseId: z.nullable(warehouseId),
    minutes,
    rule: firstOfSeveral,
  }),
  z.object({ kind: z.literal("day_on"), day: weekday }),
  /** The window opens this much earlier. */
  z.object({ kind: z.literal("earlier"), day: z.nullable(weekday), minutes }),
  /** The window closes this much later, perhaps on the next day. */
  z.object({ kind: z.literal("later"), day: z.nullable(weekday), minutes }),
  z.object({ kind: z.literal("select"), warehouseId }),
  /** More of a day, a week or a goal, or less time between two blocks; null for no limit. */
  z.object({ kind: z.literal("limit"), limit: z.keyof(limits), figure: z.nullable(figure) }),
  /**
   * The same of a further rule alone: what is lowered, one more length or weekday, or by how many minutes its own hours
   * open earlier or close later.
   */
  z.object({
    kind: z.literal("rule"),
    warehouseId,
    rule: judgedRule,
    part: z.enum(["min_price", "min_hourly", "notice", "length", "day_on", "earlier", "later"]),
    figure,
  }),
]);
export type FilterChange = z.infer<typeof filterChange>;
