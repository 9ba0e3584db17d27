import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { Keys } from "../../../durable/runtime/keys.ts";
import { ApiError } from "../errors/api-error.ts";
import type { Opening } from "../gate/gate.ts";
import {
  isIssuerLive,
  issueShortToken,
  verifyShortToken,
  type ShortToken,
  type ShortTokenUse,
} from "./short-token.ts";

const TOKEN_LIFETIME_MS = 10 * MINUTE_MS;
const IM_HERE: ShortTokenUse = { purpose: "im_here", audience: "im-here" };

/** Issues a ten-minute token for the arrived frame, valid for its two calls and nothing else. */
export function issueArrivedToken(
  keys: Keys,
  { driverId, sessionId, now }: Pick<ShortToken, "driverId" | "sessionId"> & { now: EpochMs },
): Promise<string> {
  return issueShortToken(keys, IM_HERE, { driverId, sessionId, expiresAt: now + TOKEN_LIFETIME_MS });
}

/** `Authorization: ImHere`: the caller, by an arrived token of a session that hasn't ended. */
export const byArrivedToken: Opening = async (c) => {
  const [scheme, token] = (c.req.header("authorization") ?? "").split(" ");
  if (scheme?.toLowerCase() !== "imhere" || !token) return null;
  const { deps, userPool } = c.var;
  const verified = await verifyShortToken(deps.keys, IM_HERE, { token, now: deps.now() });
  if (!verified || !(await isIssuerLive(userPool, verified))) throw new ApiError("unauthenticated");
  return { driverId: verified.driverId, phoneNumber: null, sessionId: verified.sessionId, signedInAt: null };
};
