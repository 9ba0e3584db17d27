import { Hono, type Context } from "hono";
import type { LinkResult, SetupResponse } from "../../db/shapes/linking.ts";
import { setupLogin, setupOtp } from "../contract/setup.ts";
import type { AppEnv } from "../http/app-env.ts";
import { ApiError } from "../http/api-error.ts";
import { sealedJson } from "../http/sealed-body.ts";
import { callerObject, loadCallerRecord } from "./caller.ts";
import { toDriverOwner } from "../../db/queries/drivers.ts";

/** Linking the driver's platform account, step by step. */
export const setupRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const owner = toDriverOwner(await loadCallerRecord(c));
    return c.json(toResponse(c, await callerObject(c).linkStatus(owner)), 200);
  })
  .post("/login", sealedJson("POST /flex/v1/setup/login", setupLogin), async (c) => {
    const credentials = c.req.valid("json");
    const owner = toDriverOwner(await loadCallerRecord(c));
    return c.json(toResponse(c, await callerObject(c).startLink(owner, credentials)), 200);
  })
  .post("/otp", sealedJson("POST /flex/v1/setup/otp", setupOtp), async (c) => {
    const { code } = c.req.valid("json");
    const owner = toDriverOwner(await loadCallerRecord(c));
    return c.json(toResponse(c, await callerObject(c).submitLinkCode(owner, code)), 200);
  })
  .post("/otp/resend", async (c) => {
    const owner = toDriverOwner(await loadCallerRecord(c));
    return c.json(toResponse(c, await callerObject(c).resendLinkCode(owner)), 200);
  })
  .delete("/", async (c) => {
    await loadCallerRecord(c);
    await callerObject(c).unlink();
    return c.body(null, 204);
  });

function toResponse(c: Context<AppEnv>, result: LinkResult): SetupResponse {
  if (result.ok) return result.response;
  const { error } = result;
  switch (error.code) {
    case "link_code_wrong":
      throw new ApiError(error.code, error.attemptsLeft === null ? {} : { attemptsLeft: error.attemptsLeft });
    case "rate_limited": {
      const waitMs = error.retryAt === null ? null : error.retryAt - c.var.deps.now();
      throw new ApiError(
        error.code,
        waitMs === null ? {} : { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) },
      );
    }
    default:
      throw new ApiError(error.code);
  }
}
