import { Hono, type Context } from "hono";
import { markPreferredPhoneVerified } from "../../../db/queries/accounts/drivers.ts";
import { preferredPhoneCode, type UserResponse } from "../../contract/account/user.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { validate } from "../../http/validate.ts";
import { loadCallerRecord, recordAhead, syncObject } from "../caller.ts";
import { toUser } from "./user-response.ts";

/** The proof that the preferred number is the driver's: a code that is texted to it. */
export const preferredPhoneRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .post("/code", async (c) => {
    const { row, to } = await loadPreferredPhone(c);
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
  .post("/verify", validate("json", preferredPhoneCode), async (c) => {
    const { row, to } = await loadPreferredPhone(c);
    const check = await c.var.phoneCodes.check({ driverId: row.id, to, code: c.req.valid("json").code });
    if (check === "exhausted") throw new ApiError("rate_limited");
    if (check === "wrong") throw new ApiError("code_wrong");
    const proved = check === "none" ? null : await markPreferredPhoneVerified(c.var.db, row.id, to);
    if (!proved) throw new ApiError("code_expired");
    return c.json(
      { Item: toUser(await syncObject(c, proved), c.var.deps.now()) } satisfies UserResponse,
      200,
    );
  });

/** @throws {ApiError} `not_found` if the driver has no preferred number */
async function loadPreferredPhone(c: Context<AppEnv>) {
  const { row } = await loadCallerRecord(c);
  if (row.preferredPhoneNumber === null) throw new ApiError("not_found");
  return { row, to: row.preferredPhoneNumber };
}
