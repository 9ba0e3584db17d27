import * as z from "zod/mini";
import {
  clientMessage,
  LIVE_CLOSE_CROWDED,
  LIVE_CLOSE_REVOKED,
  LIVE_CLOSE_RENEW,
  LIVE_PING,
  LIVE_PONG,
  LIVE_PROTOCOL,
  type ClientMessage,
  type ServerMessage,
  type Snapshot,
} from "../../db/shapes/work/live.ts";
import { DAY_MS, HOUR_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { LogEntry } from "../../db/shapes/log/driver-log.ts";
import { isUnknownCase, readShape } from "../../db/shapes/tolerant.ts";
import { KNOWN, SESSION_HEADER, type KnownSession } from "../runtime/driver-rpc.ts";
import type { EventTable } from "./storage/tables/events.ts";

/** A socket lives for an hour at most; then the client must present a new ticket. */
const SOCKET_LIFETIME_MS = HOUR_MS;

/** Open dashboards of one driver. One more closes the oldest. */
const MAX_SOCKETS = 10;

/** A client that missed more events than this gets a snapshot. */
const REPLAY_LIMIT = 500;

/** Longer than any valid message. */
const MESSAGE_LIMIT = 1024;

/** `sessionId` is null where another pool signs drivers in. */
const attachment = z.object({ expiresAt: z.number(), sessionId: z.nullish(z.string()) });

/** The WebSockets of open dashboards. The runtime keeps them open while the object hibernates. */
export class Sockets {
  readonly #ctx: DurableObjectState;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(LIVE_PING, LIVE_PONG));
  }

  /**
   * Opens a socket for a dashboard whose ticket was redeemed. It lasts as long as its session is known, or an hour if the
   * Worker asks.
   */
  accept(sessionId: string | null, session: KnownSession | null, now: EpochMs): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.#closeOldest();
    this.#ctx.acceptWebSocket(server);
    server.serializeAttachment({
      expiresAt: session?.known ? session.until : now + SOCKET_LIFETIME_MS,
      sessionId,
    });
    return new Response(null, {
      status: 101,
      webSocket: client,
      headers: {
        "sec-websocket-protocol": LIVE_PROTOCOL,
        ...(session ? { [SESSION_HEADER]: session.known ? KNOWN : session.asking } : {}),
      },
    });
  }

  /**
   * Replies to `resume`: with the missed events if they are few and recent enough, else with a snapshot.
   * @returns whether the driver has come back to the page, which both messages say
   */
  receive(
    socket: WebSocket,
    data: string | ArrayBuffer,
    { events, snapshot, now }: { events: EventTable; snapshot: () => Snapshot; now: EpochMs },
  ): boolean {
    const message = readMessage(data);
    // A page of a later release continues with what this object knows.
    if (message === "unknown") return false;
    if (!message) {
      socket.close(1003, "unreadable");
      return false;
    }
    if (message.kind === "returned") return true;
    const last = events.lastSeq();
    const missed =
      message.seq > 0 && message.seq <= last
        ? events.after(message.seq, { limit: REPLAY_LIMIT, since: now - DAY_MS })
        : null;
    for (const row of missed ?? []) sendMessage(socket, { kind: "event", ...row });
    sendMessage(socket, { kind: missed ? "changed" : "snapshot", snapshot: snapshot() });
    return true;
  }

  /** Sends new log entries to every open dashboard. */
  sendEvents(rows: readonly LogEntry[], now: EpochMs): void {
    for (const row of rows) this.#broadcast({ kind: "event", ...row }, now);
  }

  /** Settings, service or held blocks changed. */
  sendChanged(snapshot: () => Snapshot, now: EpochMs): void {
    if (this.hasOpen) this.#broadcast({ kind: "changed", snapshot: snapshot() }, now);
  }

  /** A poll was answered. */
  sendPulse(offers: number, now: EpochMs): void {
    this.#broadcast({ kind: "pulse", at: now, offers }, now);
  }

  /** Tells every open dashboard that there is something new to read. */
  sendAnnounced(now: EpochMs): void {
    this.#broadcast({ kind: "announced", at: now }, now);
  }

  /** Tells every open page that the driver's spot, or their place in line, has changed. */
  sendSpotMoved(now: EpochMs): void {
    this.#broadcast({ kind: "spot_moved", at: now }, now);
  }

  /** Closes all sockets with a code that stops clients from reconnecting: the account is deleted. */
  closeAll(): void {
    for (const socket of this.#ctx.getWebSockets()) socket.close(LIVE_CLOSE_REVOKED, "gone");
  }

  /** Closes the sockets of all sessions but these, like `closeAll`. */
  closeOthers(liveSessions: readonly string[]): void {
    for (const socket of this.#ctx.getWebSockets()) {
      const { sessionId } = parseAttachment(socket);
      if (!sessionId || !liveSessions.includes(sessionId)) socket.close(LIVE_CLOSE_REVOKED, "signed out");
    }
  }

  /** Makes room for one more. The oldest socket expires first. */
  #closeOldest(): void {
    const open = this.#ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN);
    const oldestFirst = open.toSorted((one, other) => expiryOf(one) - expiryOf(other));
    for (const socket of oldestFirst.slice(0, Math.max(0, open.length + 1 - MAX_SOCKETS)))
      socket.close(LIVE_CLOSE_CROWDED, "crowded");
  }

  /** Whether a dashboard is open. */
  get hasOpen(): boolean {
    return this.#ctx.getWebSockets().length > 0;
  }

  #broadcast(message: ServerMessage, now: EpochMs): void {
    const sockets = this.#ctx.getWebSockets();
    if (sockets.length === 0) return;
    const text = JSON.stringify(message);
    for (const socket of sockets) {
      if (expiryOf(socket) <= now) socket.close(LIVE_CLOSE_RENEW, "renew");
      else if (socket.readyState === WebSocket.OPEN) socket.send(text);
    }
  }
}

/** When a socket must be renewed. */
function expiryOf(socket: WebSocket): EpochMs {
  return parseAttachment(socket).expiresAt;
}

/** An attachment that can't be parsed belongs to no session and has expired. */
function parseAttachment(socket: WebSocket): z.infer<typeof attachment> {
  const parsed = z.safeParse(attachment, socket.deserializeAttachment());
  return parsed.success ? parsed.data : { expiresAt: 0, sessionId: null };
}

function sendMessage(socket: WebSocket, message: ServerMessage): void {
  socket.send(JSON.stringify(message));
}

/** `unknown`: of a kind that only a later release of the page sends. */
function readMessage(data: string | ArrayBuffer): ClientMessage | "unknown" | null {
  if (typeof data !== "string" || data.length > MESSAGE_LIMIT) return null;
  try {
    const message: unknown = JSON.parse(data);
    return isUnknownCase(clientMessage, message) ? "unknown" : readShape(clientMessage, message);
  } catch {
    return null;
  }
}
