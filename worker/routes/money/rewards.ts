import { Hono, type Context } from "hono";
import { redeemInput, type RedeemResponse } from "../../contract/money/rewards.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError, type ApiErrorDetails } from "../../http/errors/api-error.ts";
import { validate } from "../../http/validate.ts";
import { listRewards, redeemReward } from "../../rewards/redeem.ts";
import { loadCallerRecord, recordAhead, syncCallerObject, syncObject } from "../caller.ts";
import { invitationInput, type InvitedResponse } from "../../contract/money/invitations.ts";
import { ahead, readsAhead } from "../../http/gate/read-ahead.ts";
import {
  askAboutNumber,
  inviteNumber,
  listInvited,
  toFullNumber,
  type InviteContext,
} from "../../rewards/invite.ts";
import { listDriverRaffles } from "../../payments/raffles.ts";

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

/** The number that a call invites, beside the look at its session; null where it names none. */
const askAhead = ahead(async (c, inviterId, sessionId) => {
  const input = invitationInput.safeParse(await c.req.json().catch(() => null));
  if (!input.success) return null;
  const phoneNumber = toFullNumber(input.data.phoneNumber);
  return { phoneNumber, asked: await askAboutNumber(c.var.deps, { inviterId, sessionId, phoneNumber }) };
});

/** Inviting friends. */
export const invitationRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/", async (c) => c.json(await listInvited(await inviteContext(c)), 200))
  .post("/", readsAhead(askAhead.start), validate("json", invitationInput), async (c) => {
    const context = await inviteContext(c);
    const invitation = await askAhead.of(c);
    if (!invitation) throw new ApiError("invalid_request");
    const { idempotencyKey } = c.req.valid("json");
    const invited = await inviteNumber(context, invitation.phoneNumber, {
      ...invitation.asked,
      idempotencyKey,
    });
    if (invited.ok) return c.json({ isTexted: invited.isTexted } satisfies InvitedResponse, 200);
    if (invited.code === "invalid_request")
      throw new ApiError("invalid_request", { fields: { phoneNumber: "invalid" } });
    throw new ApiError(invited.code, retryAfterOf(c, invited.retryAt));
  });

/** The caller as an inviter. */
async function inviteContext(c: Context<AppEnv>): Promise<InviteContext> {
  const { db, deps } = c.var;
  const address = c.req.header("cf-connecting-ip") ?? null;
  return { db, deps, record: await loadCallerRecord(c), address };
}

function retryAfterOf(c: Context<AppEnv>, at: number | undefined): ApiErrorDetails {
  if (at === undefined) return {};
  return { retryAfter: Math.max(1, Math.ceil((at - c.var.deps.now()) / 1000)) };
}

/** The raffles that the caller is in. */
export const raffleRoutes = new Hono<AppEnv>().get("/", async (c) => {
  const { caller, db, deps } = c.var;
  return c.json(await listDriverRaffles(db, caller.driverId, deps.now()), 200);
});
