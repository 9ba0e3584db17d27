import { Hono, type Context } from "hono";
import type { LinkStep } from "../../durable/driver/linking.ts";
import { setupLogin, setupOtp, type SetupAnswer } from "../contract/setup.ts";
import type { App } from "../http/context.ts";
import { Failure } from "../http/failure.ts";
import { parseSealed, sealed } from "../http/sealed.ts";
import { callersObject, callersRecord, identityOf } from "./driver.ts";

/** Linking the driver's platform account, step by step. */
export const setup = new Hono<App>()
  .get("/", async (c) => {
    const owner = identityOf(await callersRecord(c));
    return c.json(answerOf(c, await callersObject(c).linkRead(owner)), 200);
  })
  .post("/login", sealed, async (c) => {
    const credentials = parseSealed(setupLogin, c.var.sealedBody);
    const owner = identityOf(await callersRecord(c));
    return c.json(answerOf(c, await callersObject(c).linkLogin(owner, credentials)), 200);
  })
  .post("/otp", sealed, async (c) => {
    const { code } = parseSealed(setupOtp, c.var.sealedBody);
    const owner = identityOf(await callersRecord(c));
    return c.json(answerOf(c, await callersObject(c).linkCode(owner, code)), 200);
  })
  .post("/otp/resend", async (c) => {
    const owner = identityOf(await callersRecord(c));
    return c.json(answerOf(c, await callersObject(c).linkResend(owner)), 200);
  })
  .delete("/", async (c) => {
    await callersRecord(c);
    await callersObject(c).unlink();
    return c.body(null, 204);
  });

function answerOf(c: Context<App>, result: LinkStep): SetupAnswer {
  if (result.ok) return result.answer;
  const { fault } = result;
  switch (fault.code) {
    case "link_code_wrong":
      throw new Failure(fault.code, fault.attemptsLeft === null ? {} : { attemptsLeft: fault.attemptsLeft });
    case "rate_limited": {
      const waitMs = fault.retryAt === null ? null : fault.retryAt - c.var.deps.now();
      throw new Failure(
        fault.code,
        waitMs === null ? {} : { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) },
      );
    }
    default:
      throw new Failure(fault.code);
  }
}
