import { jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import { driverId, MINUTE_MS, type DriverId, type EpochMs } from "../../durable/engine/units.ts";
import type { Keys } from "../../durable/keys.ts";
import { Failure } from "./failure.ts";

const TOKEN_LIFE_MS = 10 * MINUTE_MS;
const AUDIENCE = "im-here";

const claims = z.object({ sub: driverId, exp: z.number() });

/** A token of ten minutes for the arrived frame, which opens its two calls and nothing else. */
export async function issueArrived(
  keys: Keys,
  { driverId: owner, now }: { driverId: DriverId; now: EpochMs },
): Promise<string> {
  const [key] = await keys.derive("im_here", AUDIENCE);
  return new SignJWT({})
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(owner)
    .setAudience(AUDIENCE)
    .setExpirationTime(new Date(now + TOKEN_LIFE_MS))
    .sign(key);
}

/**
 * Whose arrived token it is.
 * @throws {Failure} `unauthenticated`
 */
export async function readArrived(
  keys: Keys,
  { token, now }: { token: string; now: EpochMs },
): Promise<DriverId> {
  for (const key of await keys.derive("im_here", AUDIENCE)) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ["HS256"],
        audience: AUDIENCE,
        currentDate: new Date(now),
      });
      return claims.parse(payload).sub;
    } catch {
      continue;
    }
  }
  throw new Failure("unauthenticated");
}

/** The calls that an arrived token opens. */
export function isForArrived(method: string, path: string): boolean {
  if (method === "GET") return path === "/flex/v1/blocks/next";
  return method === "POST" && /^\/flex\/v1\/blocks\/[^/]+\/check-in$/.test(path);
}
