import { Hono, type Context } from "hono";
import { invitationInput, type InvitedResponse } from "../../contract/money/invitations.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError, type ApiErrorDetails } from "../../http/errors/api-error.ts";
import { validate } from "../../http/validate.ts";
import { inviteNumber, listInvited, toFullNumber, type InviteContext } from "../../rewards/invite.ts";
import { loadCallerRecord, recordAhead } from "../caller.ts";

/** Inviting friends. */
export const invitationRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/", async (c) => c.json(await listInvited(await inviteContext(c)), 200))
  .post("/", validate("json", invitationInput), async (c) => {
    const invited = await inviteNumber(await inviteContext(c), toFullNumber(c.req.valid("json").phoneNumber));
    if (invited.ok) return c.json({ isTexted: invited.isTexted } satisfies InvitedResponse, 200);
    if (invited.code === "invalid_request")
      throw new ApiError("invalid_request", { fields: { phoneNumber: "invalid" } });
    throw new ApiError(invited.code, retryAfterOf(c, invited.retryAt));
  });

/** The caller as an inviter. */
export async function inviteContext(c: Context<AppEnv>): Promise<InviteContext> {
  const { db, deps } = c.var;
  const address = c.req.header("cf-connecting-ip") ?? null;
  return { db, deps, record: await loadCallerRecord(c), address };
}

export function retryAfterOf(c: Context<AppEnv>, at: number | undefined): ApiErrorDetails {
  if (at === undefined) return {};
  return { retryAfter: Math.max(1, Math.ceil((at - c.var.deps.now()) / 1000)) };
}
