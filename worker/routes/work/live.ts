import { Hono } from "hono";
import { LIVE_CLOSE_REVOKED, LIVE_PROTOCOL, type LiveTicket } from "../../../db/shapes/work/live.ts";
import { KNOWN, SESSION_HEADER } from "../../../durable/runtime/driver-rpc.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { Keys } from "../../../durable/runtime/keys.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { opens, asksObject, type Opening } from "../../http/gate/gate.ts";
import { afterResponse } from "../../http/request-scope.ts";
import {
  isIssuerLive,
  issueShortToken,
  verifyShortToken,
  type ShortToken,
  type ShortTokenUse,
} from "../../http/tokens/short-token.ts";

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

/**
 * A ticket, then the socket. The ticket travels as a subprotocol, so that no URL holds a token. The driver's object
 * knows for an hour that a session is live: dashboards that lose their sockets at once, as in a deployment, cost the
 * database nothing.
 */
export const liveRoutes = new Hono<AppEnv>()
  .post("/ticket", asksObject, async (c) => {
    const { deps, caller } = c.var;
    const { driverId, sessionId } = caller;
    const ticket = await issueLiveTicket(deps.keys, { driverId, sessionId, now: deps.now() });
    return c.json(ticket satisfies LiveTicket, 200);
  })
  .get("/", opens(byLiveTicket), async (c) => {
    const { deps, liveTicket, userPool } = c.var;
    // A browser always names the origin of the page that opens the socket; other clients have none.
    const origin = c.req.header("origin");
    const own = [c.req.url, deps.config.publicUrl].map((url) => new URL(url).origin);
    if (origin !== undefined && !own.includes(origin)) throw new ApiError("forbidden");
    if (c.req.header("upgrade")?.toLowerCase() !== "websocket") throw new ApiError("invalid_request");
    const { driverId, sessionId, id, expiresAt } = liveTicket;
    const object = deps.driver(driverId);
    const opened = await object.fetch("https://driver/live", {
      headers: {
        upgrade: "websocket",
        "x-jornada-ticket-id": id,
        "x-jornada-ticket-expires": String(expiresAt),
        ...(sessionId === null ? {} : { [SESSION_HEADER]: sessionId }),
      },
    });
    const { webSocket } = opened;
    if (opened.status !== 101 || !webSocket) throw new ApiError("ticket_invalid");
    const response = () =>
      new Response(null, {
        status: 101,
        webSocket,
        headers: { "sec-websocket-protocol": LIVE_PROTOCOL },
      });
    const asking = opened.headers.get(SESSION_HEADER);
    if (asking === KNOWN) return response();
    // After the object has the socket: a session that ends later than this closes it there.
    if (await isIssuerLive(userPool, liveTicket)) {
      if (userPool && sessionId !== null && asking !== null)
        await afterResponse(async () => object.confirmSession(sessionId, asking));
      return response();
    }
    webSocket.accept();
    webSocket.close(LIVE_CLOSE_REVOKED);
    throw new ApiError("ticket_invalid");
  });
