import { Hono, type Context } from "hono";
import { listActPage, loadReachedLimits } from "../console/act-log.ts";
import {
  type LimitsResponse,
  actsQueryInput,
  type MeResponse,
  actHeaders,
  decisionInput,
  requestParams,
} from "../contract/console/operators.ts";
import type { AppEnv } from "../http/app-env.ts";
import { forSupport } from "../http/gate/operator-gate.ts";
import { validate } from "../http/validate.ts";
import { loadRecord } from "../console/act-plans.ts";
import { decideRequest, actOnDriver } from "../console/driver-acts.ts";
import { listRequests, requireExportOf } from "../console/requests.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import { streamDriverExport } from "./account/driver-export.ts";
import type { ConsoleContext } from "../console/acts.ts";
import { createCheckoutContext } from "../payments/checkout.ts";
import { loadDriverLive, loadDriverPage, searchDrivers } from "../console/driver-page.ts";
import { driverAct, deploymentAct } from "../contract/console/operator-acts.ts";
import { driverParams, driverSearchQueryInput } from "../contract/console/operator-drivers.ts";
import { listFleetDrivers, loadFleet } from "../console/fleet.ts";
import { fleetDriversQueryInput, fleetQueryInput, citiesQueryInput } from "../contract/console/fleet.ts";
import { showCities } from "../console/cities.ts";
import { listOpenAlerts, loadJournal, reconcileDays } from "../console/books.ts";
import { exportTable } from "../console/exports.ts";
import { listDisputesOf, listPayments, listRefunds, loadMoneyReport } from "../console/money.ts";
import { exportOrder } from "../contract/console/operator-exports.ts";
import {
  reconcileQueryInput,
  moneyListQueryInput,
  moneyQueryInput,
} from "../contract/console/operator-money.ts";
import { actOnDeployment, listCities } from "../console/deployment-acts.ts";
import { listPricesAndSales, previewListPrice } from "../console/price-acts.ts";
import { listRafflesFor } from "../console/raffle-acts.ts";
import { listPricePreviewParams } from "../contract/console/operator-deployment.ts";
import { raffleParams } from "../contract/money/raffles.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { describeRaffle } from "../payments/raffles.ts";
import { listErrors, listOperatorAnnouncements, loadFeedback } from "../console/voice.ts";
import { feedbackQueryInput } from "../contract/console/voice.ts";

/** The context of the operator's call. */
function consoleContext(c: Context<AppEnv>): ConsoleContext {
  const { deps, db, operator } = c.var;
  return { ...createCheckoutContext({ deps, db }), operator };
}

/** The caller, and the log of operators' acts. */
export const consoleActRoutes = new Hono<AppEnv>()
  .get("/me", forSupport(), (c) => {
    const { config, now } = c.var.deps;
    const me: MeResponse = {
      operator: c.var.operator,
      productName: config.productName,
      ...(config.operators?.host ? { publicUrl: config.publicUrl } : {}),
      currency: config.currency,
      supportLimitCents: config.operators?.supportLimitCents ?? 0,
      hasOwnPool: config.identity.kind === "embedded",
      now: now(),
    };
    return c.json(me, 200);
  })
  // For owners alone: the limits are those that operators have used up, support and owners alike.
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
    const record = await loadRecord(context, driverId);
    return streamDriverExport(c, record, await context.deps.objectsOf(driverId));
  });

/** Finding a driver, what an operator sees of one, and what an operator does. */
export const consoleDriverRoutes = new Hono<AppEnv>()
  .get("/", forSupport(), validate("query", driverSearchQueryInput), async (c) => {
    return c.json(await searchDrivers(consoleContext(c), c.req.valid("query").q), 200);
  })
  .get("/:id", forSupport(), validate("param", driverParams), async (c) => {
    return c.json(await loadDriverPage(consoleContext(c), c.req.valid("param").id), 200);
  })
  .get("/:id/live", forSupport(), validate("param", driverParams), async (c) => {
    const { id } = c.req.valid("param");
    await loadRecord(consoleContext(c), id);
    return c.json(await loadDriverLive(consoleContext(c), id), 200);
  })
  .post(
    "/:id/acts",
    forSupport(),
    validate("param", driverParams),
    validate("header", actHeaders),
    validate("json", driverAct),
    async (c) => {
      const target = { driverId: c.req.valid("param").id, id: c.req.valid("header")["idempotency-key"] };
      return c.json(await actOnDriver(consoleContext(c), target, c.req.valid("json")), 200);
    },
  );

/** The states of all drivers' objects; and offers, captures and their absence by city. */
export const consoleFleetRoutes = new Hono<AppEnv>()
  .get("/", forSupport(), validate("query", fleetQueryInput), async (c) => {
    return c.json(await loadFleet(consoleContext(c), c.req.valid("query").span), 200);
  })
  .get("/drivers", forSupport(), validate("query", fleetDriversQueryInput), async (c) => {
    return c.json(await listFleetDrivers(consoleContext(c), c.req.valid("query").in), 200);
  })
  .get("/cities", forSupport(), validate("query", citiesQueryInput), async (c) => {
    return c.json(await showCities(consoleContext(c), c.req.valid("query").span), 200);
  });

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

/** Prices, sales, raffles and cities: seen by all operators, changed by owners. */
export const consoleDeploymentRoutes = new Hono<AppEnv>()
  .get("/prices", forSupport(), async (c) => c.json(await listPricesAndSales(consoleContext(c)), 200))
  .get("/prices/preview", validate("query", listPricePreviewParams), async (c) => {
    return c.json(await previewListPrice(consoleContext(c), c.req.valid("query")), 200);
  })
  .get("/raffles", forSupport(), async (c) => c.json(await listRafflesFor(consoleContext(c)), 200))
  // As the raffle's page has it, which is not at the console's own host.
  .get("/raffles/:id", forSupport(), validate("param", raffleParams), async (c) => {
    const raffle = await describeRaffle(c.var.db, c.req.valid("param").id);
    if (!raffle) throw new ApiError("not_found");
    return c.json(raffle, 200);
  })
  .get("/cities", forSupport(), async (c) => c.json(await listCities(consoleContext(c)), 200))
  .post("/acts", validate("header", actHeaders), validate("json", deploymentAct), async (c) => {
    const id = c.req.valid("header")["idempotency-key"];
    return c.json(await actOnDeployment(consoleContext(c), id, c.req.valid("json")), 200);
  });

/** Drivers' feedback, their errors, and announcements to them. */
export const consoleVoiceRoutes = new Hono<AppEnv>()
  .get("/feedback", forSupport(), validate("query", feedbackQueryInput), async (c) => {
    return c.json(await loadFeedback(consoleContext(c), c.req.valid("query").cursor), 200);
  })
  .get("/errors", forSupport(), async (c) => c.json(await listErrors(consoleContext(c)), 200))
  .get("/announcements", forSupport(), async (c) => {
    return c.json(await listOperatorAnnouncements(consoleContext(c)), 200);
  });
