import { Hono } from "hono";
import { LIVE_CLOSE_REVOKED, LIVE_PROTOCOL, type LiveTicket } from "../../../db/shapes/work/live.ts";
import { KNOWN, SESSION_HEADER } from "../../../durable/runtime/session-header.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { opens } from "../../http/gate/gate.ts";
import { asksObject } from "../../http/gate/known-sessions.ts";
import { afterResponse } from "../../http/request-scope.ts";
import { byLiveTicket, issueLiveTicket } from "../../http/tokens/live-ticket.ts";
import { isIssuerLive } from "../../http/tokens/short-token.ts";

/**
 * A ticket, then the socket. The ticket travels as a subprotocol, so that no URL holds a token. The driver's object knows for an hour
 * that a session is live: dashboards that lose their sockets at once, as in a deployment, cost the database nothing.
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
