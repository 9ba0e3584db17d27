import * as z from "zod/mini";
import { filters } from "../../../db/shapes/work/filters.ts";
import { warehouse } from "../../../db/shapes/work/offer.ts";
import { FIELD_ISSUES } from "../error-response.ts";
import type { ApiRoute } from "../api-route.ts";

/** GET and PUT /flex/v1/filters. `version` is also the ETag. */
export const filtersResponse = z.object({
  filters,
  version: z.int(),
  /** Some offer can fit: the system can be switched on. */
  complete: z.boolean(),
  /** If not, why, by field: a day, a warehouse that the account has, or a block length is missing. */
  fields: z.optional(z.record(z.string(), z.enum(FIELD_ISSUES))),
});
export type FiltersResponse = z.infer<typeof filtersResponse>;

/** PUT /flex/v1/filters. */
export const filtersInput = filters;

/** Its `If-Match`: the ETag that the change is based on. A stale one is refused with `stale_version`. */
export const filtersHeaders = z.object({ "if-match": z.string().check(z.regex(/^"[0-9]{1,9}"$/)) });

/** The driver's filters. */
export const FILTER_ROUTES = {
  "GET /flex/v1/filters": {
    summary: "The driver's filters. The version is also the ETag.",
    auth: "bearer",
    responses: { 200: filtersResponse },
    errors: ["not_found"],
  },
  "PUT /flex/v1/filters": {
    summary: "Replaces the driver's filters, if they are still those of the ETag given.",
    auth: "bearer",
    headers: filtersHeaders,
    body: filtersInput,
    responses: { 200: filtersResponse },
    errors: ["not_found", "stale_version"],
  },
} as const satisfies Record<string, ApiRoute>;

/** GET /flex/v1/warehouses: the driver's own. Unnamed ones stay unnamed (`name` null). */
export const warehousesResponse = z.object({
  /** The driver's city, by the platform's name for it. */
  region: z.nullable(z.string()),
  warehouses: z.array(warehouse),
});
export type WarehousesResponse = z.infer<typeof warehousesResponse>;

/** The driver's warehouses. */
export const WAREHOUSE_ROUTES = {
  "GET /flex/v1/warehouses": {
    summary: "The warehouses at which the driver can work.",
    auth: "bearer",
    responses: { 200: warehousesResponse },
    errors: ["not_found", "not_linked"],
  },
} as const satisfies Record<string, ApiRoute>;
