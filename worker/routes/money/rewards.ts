import { Hono } from "hono";
import { redeemInput, type RedeemResponse } from "../../contract/money/rewards.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { validate } from "../../http/validate.ts";
import { listRewards, redeemReward } from "../../rewards/redeem.ts";
import { loadCallerRecord, recordAhead, syncCallerObject, syncObject } from "../caller.ts";
import { inviteContext, retryAfterOf } from "./invitations.ts";

/** Points, and what they buy. */
export const rewardRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/", async (c) => {
    const { row } = await loadCallerRecord(c);
    return c.json(await listRewards(c.var, row.id), 200);
  })
  .post("/redeem", validate("json", redeemInput), async (c) => {
    const redeemed = await redeemReward(await inviteContext(c), c.req.valid("json"));
    if (!redeemed.ok) throw new ApiError(redeemed.code, retryAfterOf(c, redeemed.retryAt));
    const { isTexted, record } = redeemed;
    const [{ profile }, points] = await Promise.all([
      record ? syncObject(c, record) : syncCallerObject(c),
      redeemed.points ?? listRewards(c.var, c.var.caller.driverId).then((rewards) => rewards.points),
    ]);
    return c.json(
      { points: Math.max(0, points), serviceUntil: profile.serviceUntil, isTexted } satisfies RedeemResponse,
      200,
    );
  });
