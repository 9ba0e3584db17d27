import { jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import { driverId, type DriverId, type EpochMs } from "../../../db/shapes/units.ts";
import type { Keys } from "../../../durable/runtime/keys.ts";
import type { UserPool } from "../../identity/user-pool.ts";

/** The purpose of a short-lived token, which determines its key and its audience. */
export type ShortTokenUse = { purpose: "ticket" | "im_here"; audience: string };

/**
 * The claims of a token. `id` is unique; `expiresAt` is rounded to whole seconds; `sessionId` is the session of our own
 * pool that it was issued in, null where another pool signs drivers in.
 */
export type ShortToken = { driverId: DriverId; sessionId: string | null; id: string; expiresAt: EpochMs };

const claims = z.object({ sub: driverId, sid: z.string().nullish(), jti: z.string(), exp: z.number() });

/** Issues a signed token (HS256, RFC 7519) that is valid until `expiresAt`. It isn't stored. */
export async function issueShortToken(
  keys: Keys,
  { purpose, audience }: ShortTokenUse,
  { driverId: owner, sessionId, expiresAt }: Omit<ShortToken, "id">,
): Promise<string> {
  const [key] = await keys.derive(purpose, audience);
  return new SignJWT(sessionId === null ? {} : { sid: sessionId })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(owner)
    .setAudience(audience)
    .setJti(crypto.randomUUID())
    .setExpirationTime(new Date(expiresAt))
    .sign(key);
}

/** Verifies a token, also one signed by an older key; null if it is forged, expired or for another purpose. */
export async function verifyShortToken(
  keys: Keys,
  { purpose, audience }: ShortTokenUse,
  { token, now }: { token: string; now: EpochMs },
): Promise<ShortToken | null> {
  for (const key of await keys.derive(purpose, audience)) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ["HS256"],
        audience,
        currentDate: new Date(now),
      });
      const { sub, sid, jti, exp } = claims.parse(payload);
      return { driverId: sub, sessionId: sid ?? null, id: jti, expiresAt: exp * 1000 };
    } catch {
      continue;
    }
  }
  return null;
}

/** Whether a token's session has not ended since it was issued, as far as we know. */
export async function isIssuerLive(
  userPool: UserPool | null,
  { driverId: userId, sessionId }: ShortToken,
): Promise<boolean> {
  if (!userPool) return true;
  return sessionId !== null && userPool.isSessionLive({ originJti: sessionId, userId });
}
