import * as z from "zod/mini";
import { filterChange } from "../../db/shapes/filter-change.ts";
import { reasonCode } from "../../db/shapes/verdict.ts";
import { epochMs } from "../../db/shapes/units.ts";

/** Offers that the present filters pass over for the same main reason, and the change that would gain the most. */
export const passedOverGroup = z.object({
  code: reasonCode,
  offers: z.int(),
  /** The pay of those that one driver could have worked: none overlaps another or a block that was held. */
  payCents: z.int(),
  /** What would have matched with this change alone, beside what was held. Null if no single change helps. */
  proposal: z.nullable(z.object({ change: filterChange, offers: z.int(), payCents: z.int() })),
});
export type PassedOverGroup = z.infer<typeof passedOverGroup>;

/** GET /flex/v1/blocks/passed-over: those with the most to gain first. */
export const passedOverResponse = z.object({
  /** The version of the filters that it is computed with. */
  filtersVersion: z.int(),
  currency: z.string(),
  /** When the oldest of the offers was passed over; null where there are none. */
  since: z.nullable(epochMs),
  groups: z.array(passedOverGroup),
});
export type PassedOverResponse = z.infer<typeof passedOverResponse>;
