import { Hono } from "hono";
import { driverStub } from "../../durable/driver/stub.ts";
import { LIVE_PROTOCOL, type LiveTicket } from "../../db/shapes/live.ts";
import type { AppEnv } from "../http/app-env.ts";
import { ApiError } from "../http/api-error.ts";
import { authenticate } from "../http/authenticate.ts";
import { issueLiveTicket, verifyLiveTicket } from "../http/live-ticket.ts";

/** A ticket, then the socket. The ticket travels as a subprotocol, so that no URL holds a token. */
export const liveRoutes = new Hono<AppEnv>()
  .post("/ticket", authenticate, async (c) => {
    const { deps, caller } = c.var;
    const ticket = await issueLiveTicket(deps.keys, { driverId: caller.driverId, now: deps.now() });
    return c.json(ticket satisfies LiveTicket, 200);
  })
  .get("/", async (c) => {
    const { deps } = c.var;
    if (c.req.header("upgrade")?.toLowerCase() !== "websocket") throw new ApiError("invalid_request");
    const [protocol, ticketProtocol] = (c.req.header("sec-websocket-protocol") ?? "")
      .split(",")
      .map((part) => part.trim());
    if (protocol !== LIVE_PROTOCOL || !ticketProtocol?.startsWith("ticket."))
      throw new ApiError("ticket_invalid");
    const { driverId, id, expiresAt } = await verifyLiveTicket(deps.keys, {
      ticket: ticketProtocol.slice("ticket.".length),
      now: deps.now(),
    });
    const response = await driverStub(c.env, deps.config.platform.region, driverId).fetch(
      "https://driver/live",
      {
        headers: {
          upgrade: "websocket",
          "x-jornada-ticket-id": id,
          "x-jornada-ticket-expires": String(expiresAt),
        },
      },
    );
    if (response.status !== 101) throw new ApiError("ticket_invalid");
    return response;
  });
