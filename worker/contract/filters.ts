import * as z from "zod/mini";
import { filters } from "../../db/shapes/filters.ts";

/** GET /flex/v1/filters. `version` is also the ETag; PUT carries it in `If-Match`, and a stale one is 412. */
export const filtersResponse = z.object({
  filters,
  version: z.int(),
  /** At least one selected warehouse with a valid rule: the switch may be turned on. */
  complete: z.boolean(),
});
export type FiltersResponse = z.infer<typeof filtersResponse>;

/** PUT /flex/v1/filters. */
export const filtersInput = filters;
