import { Hono } from "hono";
import { actOnDeployment, listCities } from "../../console/deployment-acts.ts";
import { listPricesAndSales, previewListPrice } from "../../console/price-acts.ts";
import { listRafflesFor } from "../../console/raffle-acts.ts";
import { actHeaders } from "../../contract/console/operators.ts";
import { deploymentAct } from "../../contract/console/operator-acts.ts";
import { listPricePreviewParams } from "../../contract/console/operator-deployment.ts";
import { raffleParams } from "../../contract/money/raffles.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { forSupport } from "../../http/gate/operator-gate.ts";
import { validate } from "../../http/validate.ts";
import { describeRaffle } from "../../payments/raffles.ts";
import { consoleContext } from "./context.ts";
import { listErrors, listOperatorAnnouncements, loadFeedback } from "../../console/voice.ts";
import { feedbackQueryInput } from "../../contract/console/voice.ts";

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
