import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import type { Keys } from "../../durable/runtime/keys.ts";
import { ApiError } from "./api-error.ts";
import { issueShortToken, verifyShortToken, type ShortToken, type ShortTokenUse } from "./short-token.ts";

const TICKET_LIFETIME_MS = 30_000;
const LIVE: ShortTokenUse = { purpose: "ticket", audience: "live" };

/** A ticket for one socket: 30 seconds, one use. */
export async function issueLiveTicket(
  keys: Keys,
  { driverId, now }: { driverId: DriverId; now: EpochMs },
): Promise<{ ticket: string; expiresAt: EpochMs }> {
  const expiresAt = now + TICKET_LIFETIME_MS;
  return { ticket: await issueShortToken(keys, LIVE, { driverId, expiresAt }), expiresAt };
}

/**
 * Whose ticket it is. That it was not used before, the driver's object knows.
 * @throws {ApiError} `ticket_invalid`
 */
export async function verifyLiveTicket(
  keys: Keys,
  { ticket, now }: { ticket: string; now: EpochMs },
): Promise<ShortToken> {
  const verified = await verifyShortToken(keys, LIVE, { token: ticket, now });
  if (!verified) throw new ApiError("ticket_invalid");
  return verified;
}
