import * as z from "zod/mini";
import { filters } from "../../durable/engine/rules.ts";

/** GET /flex/v1/filters. `version` is also the ETag; PUT carries it in `If-Match`, and a stale one is 412. */
export const filtersAnswer = z.object({
  filters,
  version: z.int(),
  /** At least one selected warehouse with a valid rule: the switch may be turned on. */
  complete: z.boolean(),
});
export type FiltersAnswer = z.infer<typeof filtersAnswer>;

/** PUT /flex/v1/filters. */
export const filtersInput = filters;
