import { MINUTE_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";
import type { Keys } from "../../durable/runtime/keys.ts";
import { ApiError } from "./api-error.ts";
import type { Opening } from "./gate.ts";
import { issueShortToken, verifyShortToken, type ShortTokenUse } from "./short-token.ts";

const TOKEN_LIFETIME_MS = 10 * MINUTE_MS;
const IM_HERE: ShortTokenUse = { purpose: "im_here", audience: "im-here" };

/** Issues a ten-minute token for the arrived frame, valid for its two calls and nothing else. */
export function issueArrivedToken(
  keys: Keys,
  { driverId, now }: { driverId: DriverId; now: EpochMs },
): Promise<string> {
  return issueShortToken(keys, IM_HERE, { driverId, expiresAt: now + TOKEN_LIFETIME_MS });
}

/**
 * The driver whose arrived token it is.
 * @throws {ApiError} `unauthenticated`
 */
async function verifyArrivedToken(keys: Keys, given: { token: string; now: EpochMs }): Promise<DriverId> {
  const verified = await verifyShortToken(keys, IM_HERE, given);
  if (!verified) throw new ApiError("unauthenticated");
  return verified.driverId;
}

/** `Authorization: ImHere`: the caller, by an arrived token. */
export const byArrivedToken: Opening = async (c) => {
  const [scheme, token] = (c.req.header("authorization") ?? "").split(" ");
  if (scheme?.toLowerCase() !== "imhere" || !token) return null;
  const { keys, now } = c.var.deps;
  return { driverId: await verifyArrivedToken(keys, { token, now: now() }), phoneNumber: null };
};
