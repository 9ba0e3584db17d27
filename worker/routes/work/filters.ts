import { Hono, type Context } from "hono";
import * as z from "zod/mini";
import type { Filters } from "../../../db/shapes/work/filters.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { withoutPastDates } from "../../../db/shapes/work/past-dates.ts";
import {
  filtersHeaders,
  filtersInput,
  type FiltersResponse,
  type WarehousesResponse,
} from "../../contract/work/filters.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { createRateLimiter, requireUnderLimit } from "../../http/rate-limiter.ts";
import { validate } from "../../http/validate.ts";
import { replayInput } from "../../contract/work/replay.ts";
import { replayFilters } from "./replay.ts";
import {
  callerObject,
  findCallerFilterGaps,
  loadCallerRecord,
  loadKnownWarehouses,
  syncObject,
  recordAhead,
} from "../caller.ts";
import { changeFilters, type DriverRecord } from "../../../db/queries/accounts/drivers.ts";

/** A driver who types asks at every pause. */
const replayLimiter = createRateLimiter({ most: 40, windowMs: MINUTE_MS });

/** The driver's filters, with a version so that a second tab can't overwrite the first one's. */
export const filterRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/", async (c) => {
    const response = await toResponse(c, await loadCallerRecord(c));
    c.header("etag", `"${response.version}"`);
    return c.json(response, 200);
  })
  .put("/", validate("json", filtersInput), validate("header", filtersHeaders), async (c) => {
    const given = c.req.valid("json");
    const isAmbiguous =
      hasTwice(given.warehouses.map((filter) => filter.warehouseId)) ||
      given.warehouses.some((filter) => hasTwice(filter.extraRules.map(({ ruleId }) => ruleId)));
    if (isAmbiguous) throw new ApiError("invalid_request", { fields: { warehouses: "invalid" } });
    if (!given.warehouses.some((rule) => rule.selected)) {
      throw new ApiError("invalid_request", { fields: { warehouses: "none_selected" } });
    }
    const { profile } = await loadCallerRecord(c);
    const saved = await changeFilters(c.var.db, c.var.caller.driverId, {
      filters: withoutPastDates(
        keepUnsent(given, { sent: await c.req.json(), stored: profile.filters }),
        c.var.deps.now(),
      ),
      version: Number(c.req.valid("header")["if-match"].slice(1, -1)),
      saveId: crypto.randomUUID(),
      listed: await loadKnownWarehouses(c),
    });
    if (saved === null) throw new ApiError("stale_version");
    const response = await toResponse(c, await syncObject(c, saved));
    c.header("etag", `"${response.version}"`);
    return c.json(response, 200);
  })
  .post("/replay", validate("json", replayInput), async (c) => {
    const { config, now } = c.var.deps;
    requireUnderLimit(replayLimiter, c.var.caller.driverId, now());
    const record = await loadCallerRecord(c);
    const context = { input: c.req.valid("json"), record, currency: config.currency, now: now() };
    return c.json(await replayFilters(callerObject(c), context), 200);
  });

function hasTwice(ids: readonly string[]): boolean {
  return new Set(ids).size !== ids.length;
}

const sentFields = z.record(z.string(), z.unknown());
const sentFilters = z.looseObject({
  warehouses: z.array(z.looseObject({ extraRules: z.optional(z.array(sentFields)) })),
  limits: z.optional(sentFields),
});

/** Keeps the fields that a page of an earlier release doesn't know, and so didn't send; those of parts that it knows, too. */
function keepUnsent(given: Filters, { sent, stored }: { sent: unknown; stored: Filters }): Filters {
  const all = z.parse(sentFilters, sent);
  const known = new Map(stored.warehouses.map((rule) => [rule.warehouseId, rule]));
  const warehouses = given.warehouses.map((rule, index) => {
    const before = known.get(rule.warehouseId);
    const fields = all.warehouses[index] ?? {};
    const extras = new Map(before?.extraRules.map((extra) => [extra.ruleId, extra]));
    const extraRules = rule.extraRules.map((extra, place) =>
      fillIn(extra, fields.extraRules?.[place] ?? {}, extras.get(extra.ruleId) ?? {}),
    );
    return fillIn({ ...rule, extraRules }, fields, before ?? {});
  });
  const limits = fillIn(given.limits, all.limits ?? {}, stored.limits);
  return fillIn({ ...given, warehouses, limits }, all, stored);
}

/** The fields that were not sent, as they are stored. */
function fillIn<Of extends object>(given: Of, sent: object, stored: object): Of {
  const unsent = Object.entries(stored).filter(([field]) => !(field in sent));
  return unsent.length === 0 ? given : { ...given, ...Object.fromEntries(unsent) };
}

async function toResponse(c: Context<AppEnv>, { profile }: DriverRecord): Promise<FiltersResponse> {
  const { filtersVersion: version } = profile;
  const filters = withoutPastDates(profile.filters, c.var.deps.now());
  const fields = await findCallerFilterGaps(c, filters);
  const complete = Object.keys(fields).length === 0;
  return { filters, version, complete, ...(complete ? {} : { fields }) };
}

/** The warehouses at which the driver can work. */
export const warehouseRoutes = new Hono<AppEnv>().use(recordAhead).get("/", async (c) => {
  const { row } = await loadCallerRecord(c);
  if (!row.proxyInstalled) throw new ApiError("not_linked");
  const known = await callerObject(c).warehouses();
  return c.json({ region: row.humanRegion, warehouses: [...known] } satisfies WarehousesResponse, 200);
});
