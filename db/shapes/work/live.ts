import * as z from "zod/mini";
import { shownMode, specialMode } from "./filters.ts";
import { block, warehouse } from "./offer.ts";
import { logEntry, logEvent, seq } from "../log/driver-log.ts";
import { phase } from "./phase.ts";
import { question } from "./question.ts";
import { usedLimit } from "./used-limit.ts";
import { epochMs } from "../units.ts";

/** The first of the two values in `Sec-WebSocket-Protocol`; the other is `ticket.<jwt>`. */
export const LIVE_PROTOCOL = "jornada.live.v1";

/** Sent as text frames. The runtime replies without waking the driver's object. */
export const LIVE_PING = "ping";
export const LIVE_PONG = "pong";

/** A socket lives for an hour at most. The server then closes it with this code, and the client gets a new ticket. */
export const LIVE_CLOSE_RENEW = 4001;
/** The driver opened more sockets than `MAX_SOCKETS`: the oldest is closed, and its page waits until it is visible again. */
export const LIVE_CLOSE_CROWDED = 4002;
/** The account was deleted or the session revoked: the client must not reconnect. */
export const LIVE_CLOSE_REVOKED = 4003;

/** POST /flex/v1/live/ticket: a single-use ticket, valid for 30 seconds. */
export const liveTicket = z.object({ ticket: z.string(), expiresAt: epochMs });
export type LiveTicket = z.infer<typeof liveTicket>;

/** Totals of today in the driver's own time zone. */
export const dayTotals = z.object({
  captured: z.int(),
  passedOver: z.int(),
  gone: z.int(),
  capturedCents: z.int(),
});
export type DayTotals = z.infer<typeof dayTotals>;

/** Everything that a dashboard shows, as of `seq`. */
export const snapshot = z.object({
  seq,
  at: epochMs,
  phase,
  /** The revision of the driver's record that the settings below come from; absent if it is not known. */
  revision: z.optional(z.int()),
  switchedOn: z.boolean(),
  /** Whether the platform account is linked, which `phase` doesn't say while off. */
  isLinked: z._default(z.boolean(), true),
  mode: shownMode,
  specialMode: z.nullable(specialMode),
  filtersVersion: z.int(),
  serviceUntil: z.nullable(epochMs),
  /** The end of the latest pause of the service; null or absent if none is known. */
  pausedUntil: z.optional(z.nullable(epochMs)),
  /** When a poll was last answered. */
  lastPollAt: z.nullable(epochMs),
  timeZone: z.string(),
  warehouses: z.array(warehouse),
  /** Held blocks that have not ended, earliest first. */
  held: z.array(block),
  /** Open questions, the oldest first. */
  questions: z._default(z.array(question), []),
  /** The use of the driver's limits, today and tomorrow; absent if there are none, or it is not known. */
  usedLimits: z.optional(z.array(usedLimit)),
  today: dayTotals,
  /** Today's captures, newest first. */
  won: z._default(z.array(logEntry), []),
  /** The latest judged offers and settled attempts, newest first, at most 50. */
  feed: z.array(logEntry),
});
export type Snapshot = z.infer<typeof snapshot>;

/** Server to client. `pulse` is sent once per poll that was answered; it is not stored and has no `seq`. */
export const serverMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("snapshot"), snapshot }),
  z.object({ kind: z.literal("event"), seq, event: logEvent }),
  z.object({ kind: z.literal("pulse"), at: epochMs, offers: z.int() }),
  /** Operators announce something: ask for it. Not stored, has no `seq`. */
  z.object({ kind: z.literal("announced"), at: epochMs }),
  /** A spot in the driver's city was kept for them, or is gone: ask for it. Not stored, has no `seq`. */
  z.object({ kind: z.literal("spot_moved"), at: epochMs }),
  /** Settings, service or held blocks changed outside the log. */
  z.object({ kind: z.literal("changed"), snapshot }),
]);
export type ServerMessage = z.infer<typeof serverMessage>;

/** Client to server. */
export const clientMessage = z.discriminatedUnion("kind", [
  /** The last `seq` received, or 0. The server replies with a snapshot if that is too old. */
  z.object({ kind: z.literal("resume"), seq }),
  /** The driver looks at the page again, and may come from the platform's. There is no reply. */
  z.object({ kind: z.literal("returned") }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;
