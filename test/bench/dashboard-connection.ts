import { LIVE_PING, LIVE_PONG, LIVE_PROTOCOL, type ServerMessage } from "../../db/shapes/work/live.ts";
import type { DriverClient } from "../support/driver-client.ts";

const PINGS = 50;

/** A dashboard's WebSocket that records when each capture reached it. */
export type DashboardConnection = {
  /** Epoch ms by offer id. */
  notifiedAt: Map<string, number>;
  /** When the object's polls were answered, by its own clock. */
  polledAt: number[];
  /** Median round trip of a ping in ms. */
  roundTripMs: () => Promise<number>;
  close: () => void;
};

export async function connectDashboard(origin: string, client: DriverClient): Promise<DashboardConnection> {
  const { ticket } = await client.ticket();
  const socket = new WebSocket(`${origin.replace("http", "ws")}/flex/v1/live`, [
    LIVE_PROTOCOL,
    `ticket.${ticket}`,
  ]);
  const notifiedAt = new Map<string, number>();
  const polledAt: number[] = [];
  let ponged: (() => void) | null = null;
  socket.addEventListener("message", ({ data }: MessageEvent<string>) => {
    if (data === LIVE_PONG) return ponged?.();
    const message = JSON.parse(data) as ServerMessage;
    if (message.kind === "pulse") polledAt.push(message.at);
    if (message.kind !== "event" || message.event.kind !== "attempt_settled") return;
    notifiedAt.set(message.event.attempt.offer.offerId, Date.now());
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error("the WebSocket did not open")), { once: true });
  });
  return {
    notifiedAt,
    polledAt,
    roundTripMs: async () => {
      const times: number[] = [];
      for (let ping = 0; ping < PINGS; ping += 1) {
        const startedAt = performance.now();
        await new Promise<void>((resolve) => {
          ponged = resolve;
          socket.send(LIVE_PING);
        });
        times.push(performance.now() - startedAt);
      }
      return times.toSorted((one, other) => one - other)[PINGS / 2] ?? 0;
    },
    close: () => socket.close(),
  };
}
