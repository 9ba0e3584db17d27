import { Hono } from "hono";
import { listActPage, loadReachedLimits } from "../../console/act-log.ts";
import {
  type LimitsResponse,
  actsQueryInput,
  type MeResponse,
  actHeaders,
  decisionInput,
  requestParams,
} from "../../contract/console/operators.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { forSupport } from "../../http/gate/operator-gate.ts";
import { validate } from "../../http/validate.ts";
import { loadRecord } from "../../console/act-plans.ts";
import { decideRequest } from "../../console/driver-acts.ts";
import { listRequests, requireExportOf } from "../../console/requests.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { streamDriverExport } from "../account/driver-export.ts";
import { consoleContext } from "./context.ts";

/** The caller, and the log of operators' acts. */
export const consoleActRoutes = new Hono<AppEnv>()
  .get("/me", forSupport(), (c) => {
    const { config } = c.var.deps;
    const me: MeResponse = {
      operator: c.var.operator,
      productName: config.productName,
      ...(config.operators?.host ? { publicUrl: config.publicUrl } : {}),
      currency: config.currency,
      supportLimitCents: config.operators?.supportLimitCents ?? 0,
      hasOwnPool: config.identity.kind === "embedded",
    };
    return c.json(me, 200);
  })
  // For owners: it is about what support does, and about one another.
  .get("/limits", async (c) => {
    const { config, now } = c.var.deps;
    const limits =
      config.operators && (await loadReachedLimits(c.var.db, { limits: config.operators, now: now() }));
    return c.json({ limits: limits ?? [] } satisfies LimitsResponse, 200);
  })
  .get("/acts", forSupport(), validate("query", actsQueryInput), async (c) => {
    return c.json(await listActPage(c.var.db, c.req.valid("query")), 200);
  });

/** How long after the yes a driver's data can be fetched. */
const EXPORT_HOLDS_MS = DAY_MS;

/** Acts that wait for the yes of an owner: seen by all operators, decided by owners. */
export const consoleRequestRoutes = new Hono<AppEnv>()
  .get("/", forSupport(), async (c) => c.json(await listRequests(consoleContext(c)), 200))
  .post(
    "/:id",
    validate("param", requestParams),
    validate("header", actHeaders),
    validate("json", decisionInput),
    async (c) => {
      return c.json(
        await decideRequest(consoleContext(c), c.req.valid("param").id, c.req.valid("json")),
        200,
      );
    },
  )
  .get("/:id/export", forSupport(), validate("param", requestParams), async (c) => {
    const context = consoleContext(c);
    const driverId = await requireExportOf(context, c.req.valid("param").id, EXPORT_HOLDS_MS);
    context.deps.log("info", "operator.export.fetched", { driverId, role: context.operator.role });
    return streamDriverExport(c, await loadRecord(context, driverId));
  });
