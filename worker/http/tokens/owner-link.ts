import { loadConsent } from "../../../db/queries/payments/renewal-consents.ts";
import { loadDriver } from "../../../db/queries/accounts/drivers.ts";
import { driverId } from "../../../db/shapes/units.ts";
import { readQuestionLink } from "../../../durable/texts/question-link.ts";
import type { Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { ApiError } from "../errors/api-error.ts";
import type { Opening } from "../gate/gate.ts";
import { readOwnerLink, type OwnerLinkUse } from "../../payments/owner-link.ts";

/** `Authorization: Link`: whoever holds the link that turns one renewal off. */
export const byRenewalLink: Opening = async (c) => {
  const consent = await loadConsent(c.var.deps.db, await linkedIdOf(c, "renewal"));
  if (!consent) throw new ApiError("undo_expired");
  c.set("consent", consent);
  return { driverId: consent.driverId, phoneNumber: null, sessionId: null, signedInAt: null };
};

/**
 * `Authorization: Link`: whoever has the last text of an account that was deleted. While there is an account it opens
 * nothing.
 */
export const byReceiptLink: Opening = async (c) => {
  const owner = driverId.safeParse(await linkedIdOf(c, "receipts"));
  if (!owner.success || (await loadDriver(c.var.deps.db, owner.data))) throw new ApiError("undo_expired");
  return { driverId: owner.data, phoneNumber: null, sessionId: null, signedInAt: null };
};

/** `Authorization: Link`: whoever got a question by push or text. Their driver's object says whether the link still holds. */
export const byQuestionLink: Opening = async (c) => {
  const link = await readQuestionLink(c.var.deps.keys, tokenOf(c));
  // A deleted account's object must not be made anew by its old links.
  if (!link || !(await loadDriver(c.var.deps.db, link.driverId))) throw new ApiError("undo_expired");
  c.set("questionLink", link);
  return { driverId: link.driverId, phoneNumber: null, sessionId: null, signedInAt: null };
};

/** @throws {ApiError} where there is no token, or it is none of ours for this use */
async function linkedIdOf(c: Context<AppEnv>, use: OwnerLinkUse): Promise<string> {
  const id = await readOwnerLink(c.var.deps.keys, use, tokenOf(c));
  if (id === null) throw new ApiError("undo_expired");
  return id;
}

/** @throws {ApiError} `unauthenticated` where there is none */
function tokenOf(c: Context<AppEnv>): string {
  const [scheme, token] = (c.req.header("authorization") ?? "").split(" ");
  if (scheme?.toLowerCase() !== "link" || !token) throw new ApiError("unauthenticated");
  return token;
}
