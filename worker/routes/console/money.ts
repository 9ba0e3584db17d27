import { Hono } from "hono";
import { listOpenAlerts, loadJournal, reconcileDays } from "../../console/books.ts";
import { exportTable } from "../../console/exports.ts";
import { listDisputesOf, listPayments, listRefunds, loadMoneyReport } from "../../console/money.ts";
import { actHeaders } from "../../contract/console/operators.ts";
import { exportOrder } from "../../contract/console/operator-exports.ts";
import {
  reconcileQueryInput,
  moneyListQueryInput,
  moneyQueryInput,
} from "../../contract/console/operator-money.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { forSupport } from "../../http/gate/operator-gate.ts";
import { validate } from "../../http/validate.ts";
import { consoleContext } from "./context.ts";

/** Income, refunds and disputes, their alerts, and any table of the console for a file. */
export const consoleMoneyRoutes = new Hono<AppEnv>()
  .get("/money", forSupport(), validate("query", moneyQueryInput), async (c) => {
    return c.json(await loadMoneyReport(consoleContext(c), c.req.valid("query")), 200);
  })
  .get("/money/payments", forSupport(), validate("query", moneyListQueryInput), async (c) => {
    return c.json(await listPayments(consoleContext(c), c.req.valid("query")), 200);
  })
  .get("/money/refunds", forSupport(), validate("query", moneyListQueryInput), async (c) => {
    return c.json(await listRefunds(consoleContext(c), c.req.valid("query")), 200);
  })
  .get("/money/disputes", forSupport(), validate("query", moneyQueryInput), async (c) => {
    return c.json(await listDisputesOf(consoleContext(c), c.req.valid("query")), 200);
  })
  .get("/alerts", forSupport(), async (c) => c.json(await listOpenAlerts(consoleContext(c)), 200))
  .get("/reconcile", validate("query", reconcileQueryInput), async (c) => {
    return c.json(await reconcileDays(consoleContext(c), c.req.valid("query")), 200);
  })
  .get("/journal", validate("query", reconcileQueryInput), async (c) => {
    return c.json(await loadJournal(consoleContext(c), c.req.valid("query")), 200);
  })
  .post(
    "/exports",
    forSupport(),
    validate("header", actHeaders),
    validate("json", exportOrder),
    async (c) => {
      const id = c.req.valid("header")["idempotency-key"];
      return c.json(await exportTable(consoleContext(c), id, c.req.valid("json")), 200);
    },
  );
