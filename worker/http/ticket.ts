import { jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import { driverId, type DriverId, type EpochMs } from "../../durable/engine/units.ts";
import type { Keys } from "../../durable/keys.ts";
import { Failure } from "./failure.ts";

const TICKET_LIFE_MS = 30_000;
const AUDIENCE = "live";

const claims = z.object({ sub: driverId, jti: z.string(), exp: z.number() });

/** A ticket for one socket: 30 seconds, one use. */
export async function issueTicket(
  keys: Keys,
  { driverId: owner, now }: { driverId: DriverId; now: EpochMs },
): Promise<{ ticket: string; expiresAt: EpochMs }> {
  const expiresAt = now + TICKET_LIFE_MS;
  const [key] = await keys.derive("ticket", AUDIENCE);
  const ticket = await new SignJWT({})
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(owner)
    .setAudience(AUDIENCE)
    .setJti(crypto.randomUUID())
    .setExpirationTime(new Date(expiresAt))
    .sign(key);
  return { ticket, expiresAt };
}

/**
 * Whose ticket it is. That it was not used before, the driver's object knows.
 * @throws {Failure} `ticket_invalid`
 */
export async function readTicket(
  keys: Keys,
  { ticket, now }: { ticket: string; now: EpochMs },
): Promise<{ driverId: DriverId; id: string; expiresAt: EpochMs }> {
  for (const key of await keys.derive("ticket", AUDIENCE)) {
    try {
      const { payload } = await jwtVerify(ticket, key, {
        algorithms: ["HS256"],
        audience: AUDIENCE,
        currentDate: new Date(now),
      });
      const { sub, jti, exp } = claims.parse(payload);
      return { driverId: sub, id: jti, expiresAt: exp * 1000 };
    } catch {
      continue;
    }
  }
  throw new Failure("ticket_invalid");
}
