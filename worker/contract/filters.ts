import * as z from "zod/mini";
import { filters } from "../../db/shapes/filters.ts";

/** GET and PUT /flex/v1/filters. `version` is also the ETag. */
export const filtersResponse = z.object({
  filters,
  version: z.int(),
  /** At least one warehouse is selected: the system can be switched on. */
  complete: z.boolean(),
});
export type FiltersResponse = z.infer<typeof filtersResponse>;

/** PUT /flex/v1/filters. */
export const filtersInput = filters;

/** Its `If-Match`: the ETag that the change is based on. A stale one is refused with `stale_version`. */
export const filtersHeaders = z.object({ "if-match": z.string().check(z.regex(/^"[0-9]{1,9}"$/)) });
