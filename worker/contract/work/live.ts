import { liveTicket } from "../../../db/shapes/work/live.ts";
import type { ApiRoute } from "../api-route.ts";

/** The live connection. */
export const LIVE_ROUTES = {
  "POST /flex/v1/live/ticket": {
    summary: "A ticket for one live connection: one use, 30 seconds.",
    auth: "bearer",
    responses: { 200: liveTicket },
    errors: [],
  },
  "GET /flex/v1/live": {
    summary:
      "The live connection: a WebSocket with the subprotocols `jornada.live.v1` and `ticket.<ticket>`. Its messages are ServerMessage and ClientMessage.",
    auth: "ticket",
    responses: { 101: null },
    errors: ["invalid_request", "forbidden"],
  },
} as const satisfies Record<string, ApiRoute>;
