import type { DriverId, EpochMs } from "../../durable/engine/units.ts";
import type { Keys } from "../../durable/keys.ts";
import { Failure } from "./failure.ts";
import { issueShortToken, readShortToken, type ShortToken, type TokenUse } from "./short-token.ts";

const TICKET_LIFE_MS = 30_000;
const LIVE: TokenUse = { purpose: "ticket", audience: "live" };

/** A ticket for one socket: 30 seconds, one use. */
export async function issueTicket(
  keys: Keys,
  { driverId, now }: { driverId: DriverId; now: EpochMs },
): Promise<{ ticket: string; expiresAt: EpochMs }> {
  const expiresAt = now + TICKET_LIFE_MS;
  return { ticket: await issueShortToken(keys, LIVE, { driverId, expiresAt }), expiresAt };
}

/**
 * Whose ticket it is. That it was not used before, the driver's object knows.
 * @throws {Failure} `ticket_invalid`
 */
export async function readTicket(
  keys: Keys,
  { ticket, now }: { ticket: string; now: EpochMs },
): Promise<ShortToken> {
  const read = await readShortToken(keys, LIVE, { token: ticket, now });
  if (!read) throw new Failure("ticket_invalid");
  return read;
}
