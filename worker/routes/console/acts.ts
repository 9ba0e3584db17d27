import { Hono } from "hono";
import { listActPage } from "../../console/act-log.ts";
import { loadReachedLimits } from "../../console/limits.ts";
import type { LimitsResponse } from "../../contract/console/limits.ts";
import { actsQueryInput, type MeResponse } from "../../contract/console/operators.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { forSupport } from "../../http/gate/operator-gate.ts";
import { validate } from "../../http/validate.ts";

/** The caller, and the log of operators' acts. */
export const consoleActRoutes = new Hono<AppEnv>()
  .get("/me", forSupport(), (c) => {
    const { config } = c.var.deps;
    const me: MeResponse = {
      operator: c.var.operator,
      productName: config.productName,
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
