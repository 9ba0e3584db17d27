import * as z from "zod/mini";
import { filterChange } from "../work/filter-change.ts";
import { reasonCode } from "../work/verdict.ts";

/** A change of the filters, and the offers that would have matched with it alone, beside the held blocks. */
export const proposedGain = z.object({ change: filterChange, offers: z.int(), payCents: z.int() });
export type ProposedGain = z.infer<typeof proposedGain>;

/** Offers that the present filters pass over for the same main reason, and the change that would gain the most. */
export const passedOverGroup = z.object({
  code: reasonCode,
  offers: z.int(),
  /** How many of them one driver could have worked: none overlaps another or a block that was held. */
  workable: z._default(z.int(), 0),
  /** The pay of the workable ones. */
  payCents: z.int(),
  /** Null if no single change helps. */
  proposal: z.nullable(proposedGain),
});
export type PassedOverGroup = z.infer<typeof passedOverGroup>;
