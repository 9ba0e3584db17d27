import { Hono } from "hono";
import { loadRecord } from "../../console/act-plans.ts";
import { decideRequest } from "../../console/driver-acts.ts";
import { listRequests, requireExportOf } from "../../console/requests.ts";
import { decisionInput, requestParams } from "../../contract/console/requests.ts";
import { actHeaders } from "../../contract/console/operators.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { forSupport } from "../../http/gate/operator-gate.ts";
import { validate } from "../../http/validate.ts";
import { streamDriverExport } from "../account/driver-export.ts";
import { consoleContext } from "./context.ts";

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
