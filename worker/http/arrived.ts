import { MINUTE_MS, type DriverId, type EpochMs } from "../../durable/engine/units.ts";
import type { Keys } from "../../durable/keys.ts";
import { Failure } from "./failure.ts";
import { issueShortToken, readShortToken, type TokenUse } from "./short-token.ts";

const TOKEN_LIFE_MS = 10 * MINUTE_MS;
const IM_HERE: TokenUse = { purpose: "im_here", audience: "im-here" };

/** A token of ten minutes for the arrived frame, which opens its two calls and nothing else. */
export function issueArrived(
  keys: Keys,
  { driverId, now }: { driverId: DriverId; now: EpochMs },
): Promise<string> {
  return issueShortToken(keys, IM_HERE, { driverId, expiresAt: now + TOKEN_LIFE_MS });
}

/**
 * Whose arrived token it is.
 * @throws {Failure} `unauthenticated`
 */
export async function readArrived(keys: Keys, given: { token: string; now: EpochMs }): Promise<DriverId> {
  const read = await readShortToken(keys, IM_HERE, given);
  if (!read) throw new Failure("unauthenticated");
  return read.driverId;
}

/** The calls that an arrived token opens. */
export function isForArrived(method: string, path: string): boolean {
  if (method === "GET") return path === "/flex/v1/blocks/next";
  return method === "POST" && /^\/flex\/v1\/blocks\/[^/]+\/check-in$/.test(path);
}
