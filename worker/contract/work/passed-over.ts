import * as z from "zod/mini";
import { passedOverGroup } from "../../../db/shapes/log/passed-over.ts";
import { epochMs } from "../../../db/shapes/units.ts";

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
