import { LIVE_PROTOCOL } from "../../../db/shapes/work/live.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { Keys } from "../../../durable/runtime/keys.ts";
import { ApiError } from "../errors/api-error.ts";
import type { Opening } from "../gate/gate.ts";
import { issueShortToken, verifyShortToken, type ShortToken, type ShortTokenUse } from "./short-token.ts";

const TICKET_PREFIX = "ticket.";
const TICKET_LIFETIME_MS = 30_000;
const LIVE: ShortTokenUse = { purpose: "ticket", audience: "live" };

/** Issues a single-use ticket for a socket, valid for 30 seconds. */
export async function issueLiveTicket(
  keys: Keys,
  { driverId, sessionId, now }: Pick<ShortToken, "driverId" | "sessionId"> & { now: EpochMs },
): Promise<{ ticket: string; expiresAt: EpochMs }> {
  const expiresAt = now + TICKET_LIFETIME_MS;
  return { ticket: await issueShortToken(keys, LIVE, { driverId, sessionId, expiresAt }), expiresAt };
}

/**
 * The driver whose ticket it is. The driver's object checks that it wasn't used before.
 * @throws {ApiError} `ticket_invalid`
 */
async function verifyLiveTicket(
  keys: Keys,
  { ticket, now }: { ticket: string; now: EpochMs },
): Promise<ShortToken> {
  const verified = await verifyShortToken(keys, LIVE, { token: ticket, now });
  if (!verified) throw new ApiError("ticket_invalid");
  return verified;
}

/** `Sec-WebSocket-Protocol: jornada.live.v1, ticket.<token>`: the caller, by a ticket and nothing else. */
export const byLiveTicket: Opening = async (c) => {
  const [protocol, ticketProtocol] = (c.req.header("sec-websocket-protocol") ?? "")
    .split(",")
    .map((part) => part.trim());
  if (protocol !== LIVE_PROTOCOL || !ticketProtocol?.startsWith(TICKET_PREFIX))
    throw new ApiError("ticket_invalid");
  const { keys, now } = c.var.deps;
  const ticket = await verifyLiveTicket(keys, {
    ticket: ticketProtocol.slice(TICKET_PREFIX.length),
    now: now(),
  });
  c.set("liveTicket", ticket);
  return { driverId: ticket.driverId, phoneNumber: null, sessionId: ticket.sessionId, signedInAt: null };
};
