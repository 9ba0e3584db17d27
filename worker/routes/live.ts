import { Hono } from "hono";
import { driverStub } from "../../durable/driver/stub.ts";
import { LIVE_PROTOCOL, type LiveTicket } from "../contract/live.ts";
import type { App } from "../http/context.ts";
import { Failure } from "../http/failure.ts";
import { gate } from "../http/gate.ts";
import { issueTicket, readTicket } from "../http/ticket.ts";

/** A ticket, then the socket. The ticket travels as a protocol, so that no token stands in an address. */
export const live = new Hono<App>()
  .post("/ticket", gate, async (c) => {
    const { deps, caller } = c.var;
    const ticket = await issueTicket(deps.keys, { driverId: caller.driverId, now: deps.now() });
    return c.json(ticket satisfies LiveTicket, 200);
  })
  .get("/", async (c) => {
    const { deps } = c.var;
    if (c.req.header("upgrade")?.toLowerCase() !== "websocket") throw new Failure("invalid_request");
    const [protocol, word] = (c.req.header("sec-websocket-protocol") ?? "")
      .split(",")
      .map((part) => part.trim());
    if (protocol !== LIVE_PROTOCOL || !word?.startsWith("ticket.")) throw new Failure("ticket_invalid");
    const { driverId, id, expiresAt } = await readTicket(deps.keys, {
      ticket: word.slice("ticket.".length),
      now: deps.now(),
    });
    const answer = await driverStub(c.env, deps.config.platform.region, driverId).fetch(
      "https://driver/live",
      {
        headers: {
          upgrade: "websocket",
          "x-jornada-ticket-id": id,
          "x-jornada-ticket-expires": String(expiresAt),
        },
      },
    );
    if (answer.status !== 101) throw new Failure("ticket_invalid");
    return answer;
  });
