import { MINUTE_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";
import type { Keys } from "../../durable/runtime/keys.ts";
import { ApiError } from "./api-error.ts";
import { issueShortToken, verifyShortToken, type ShortTokenUse } from "./short-token.ts";

const TOKEN_LIFETIME_MS = 10 * MINUTE_MS;
const IM_HERE: ShortTokenUse = { purpose: "im_here", audience: "im-here" };

/** A token of ten minutes for the arrived frame, which opens its two calls and nothing else. */
export function issueArrivedToken(
  keys: Keys,
  { driverId, now }: { driverId: DriverId; now: EpochMs },
): Promise<string> {
  return issueShortToken(keys, IM_HERE, { driverId, expiresAt: now + TOKEN_LIFETIME_MS });
}

/**
 * Whose arrived token it is.
 * @throws {ApiError} `unauthenticated`
 */
export async function verifyArrivedToken(
  keys: Keys,
  given: { token: string; now: EpochMs },
): Promise<DriverId> {
  const verified = await verifyShortToken(keys, IM_HERE, given);
  if (!verified) throw new ApiError("unauthenticated");
  return verified.driverId;
}

/** The calls that an arrived token opens. */
export function allowsArrivedToken(method: string, path: string): boolean {
  if (method === "GET") return path === "/flex/v1/blocks/next";
  return method === "POST" && /^\/flex\/v1\/blocks\/[^/]+\/check-in$/.test(path);
}
