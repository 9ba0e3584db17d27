import { Hono } from "hono";
import { toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import { loadTextDelivery } from "../../../db/queries/texts/delivery.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import type { TextsResponse } from "../../contract/account/texts.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { loadCallerRecord, recordAhead } from "../caller.ts";

/** Whether texts reach the driver, and a test of it. */
export const textRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/", async (c) => {
    const { phoneNumber } = toDriverOwner(await loadCallerRecord(c));
    const { config, now } = c.var.deps;
    const { sms, texts } = config;
    const response: TextsResponse = {
      phoneNumber,
      delivery: await loadTextDelivery(c.var.db, phoneNumber, now()),
      sender: sms && sms.sender !== "service" ? sms.from : null,
      dailyLimit: texts.perDriver,
    };
    return c.json(response, 200);
  })
  .post("/test", async (c) => {
    const { driverId, phoneNumber, language } = toDriverOwner(await loadCallerRecord(c));
    const { texts, config } = c.var.deps;
    const body = formatMessage(language, "text_test", { product: config.productName });
    const result = await texts.sendTest({ to: phoneNumber, body, account: driverId });
    switch (result) {
      case "sent":
        return c.body(null, 204);
      case "stopped":
        throw new ApiError("texts_stopped");
      case "limit":
        throw new ApiError("rate_limited");
      case "failed":
        throw new ApiError("text_not_sent");
    }
  });
