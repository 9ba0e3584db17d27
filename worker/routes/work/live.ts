import { Hono } from "hono";
import { LIVE_CLOSE_REVOKED, type LiveTicket } from "../../../db/shapes/work/live.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { opens } from "../../http/gate/gate.ts";
import { byLiveTicket, issueLiveTicket } from "../../http/tokens/live-ticket.ts";
import { isIssuerLive } from "../../http/tokens/short-token.ts";

/** A ticket, then the socket. The ticket travels as a subprotocol, so that no URL holds a token. */
export const liveRoutes = new Hono<AppEnv>()
  .post("/ticket", async (c) => {
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
    const response = await deps.driver(driverId).fetch("https://driver/live", {
      headers: {
        upgrade: "websocket",
        "x-jornada-ticket-id": id,
        "x-jornada-ticket-expires": String(expiresAt),
        ...(sessionId === null ? {} : { "x-jornada-session": sessionId }),
      },
    });
    if (response.status !== 101) throw new ApiError("ticket_invalid");
    // After the object has the socket: a session that ends later than this closes it there.
    if (await isIssuerLive(userPool, liveTicket)) return response;
    response.webSocket?.accept();
    response.webSocket?.close(LIVE_CLOSE_REVOKED);
    throw new ApiError("ticket_invalid");
  });
