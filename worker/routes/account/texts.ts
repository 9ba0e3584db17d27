import { Hono, type Context } from "hono";
import { toDriverOwner, markPreferredPhoneVerified } from "../../../db/queries/accounts/drivers.ts";
import { loadTextDelivery } from "../../../db/queries/texts/delivery.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import type { TextsResponse } from "../../contract/account/notifications.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { loadCallerRecord, recordAhead, syncObject } from "../caller.ts";
import { preferredPhoneCode } from "../../contract/account/user.ts";
import { ahead, readsAhead } from "../../http/gate/read-ahead.ts";
import { validate } from "../../http/validate.ts";
import { toUserResponse } from "./user-response.ts";

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

const REFUSALS = { exhausted: "rate_limited", wrong: "code_wrong", none: "code_expired" } as const;

/** The caller's try at a code, beside the look at their session: it is counted, right or wrong. */
const tryAhead = ahead((c, driverId, sessionId) => c.var.phoneCodes.takeTry(driverId, sessionId));

/** The proof that the preferred number is the driver's: a code that is texted to it. */
export const preferredPhoneRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .post("/code", async (c) => {
    const {
      record: { row },
      to,
    } = await loadPreferredPhone(c);
    const address = c.req.header("cf-connecting-ip") ?? null;
    const sent = await c.var.phoneCodes.send({ driverId: row.id, to, language: row.language, address });
    switch (sent) {
      case "sent":
        return c.body(null, 204);
      case "limit":
        throw new ApiError("rate_limited");
      case "number":
        throw new ApiError("invalid_request", { fields: { preferredPhoneNumber: "invalid" } });
      case "stopped":
        throw new ApiError("texts_stopped");
      case "failed":
        throw new ApiError("text_not_sent");
    }
  })
  .post("/verify", readsAhead(tryAhead.start), validate("json", preferredPhoneCode), async (c) => {
    const { record, to } = await loadPreferredPhone(c);
    const { phoneCodes } = c.var;
    const driverId = record.row.id;
    // Sent once more, after an answer that was lost.
    if (record.row.preferredPhoneVerified) return c.json(toUserResponse(c, record), 200);
    const { code } = c.req.valid("json");
    const tried = await phoneCodes.check({ driverId, to, code, attempt: await tryAhead.of(c) });
    if (tried.check !== "right") throw new ApiError(REFUSALS[tried.check]);
    const [proved] = await Promise.all([
      markPreferredPhoneVerified(c.var.db, driverId, { number: to, proof: tried.proof }),
      phoneCodes.forgetGuesses({ driverId, to }),
    ]);
    if (!proved) throw new ApiError("code_expired");
    return c.json(toUserResponse(c, await syncObject(c, proved)), 200);
  });

/** @throws {ApiError} `not_found` if the driver has no preferred number */
async function loadPreferredPhone(c: Context<AppEnv>) {
  const record = await loadCallerRecord(c);
  const { preferredPhoneNumber: to } = record.row;
  if (to === null) throw new ApiError("not_found");
  return { record, to };
}
