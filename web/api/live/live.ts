import { createStore } from "@tanstack/react-store";
import type { DurationMs } from "../../../db/shapes/units.ts";
import { isUnknownCase, readShape } from "../../../db/shapes/tolerant.ts";
import {
  LIVE_CLOSE_CROWDED,
  LIVE_CLOSE_REVOKED,
  LIVE_CLOSE_RENEW,
  LIVE_PING,
  LIVE_PONG,
  LIVE_PROTOCOL,
  liveTicket,
  type ClientMessage,
  serverMessage,
  type ServerMessage,
} from "../../../db/shapes/work/live.ts";
import { api, fetchConfig } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";
import { serverNow } from "../../early/server-clock.ts";
import { initialLiveState, lastSeq, liveReducer, type LiveInput } from "./live-state.ts";
import { NO_TRIES, nextTry, noteOpened, waitOnline } from "./reconnect.ts";
import { currentToken, onSignedOut, sessionStore } from "../session/session.ts";

/** After this long without a message the page asks for one. */
const ASK_AFTER_MS = 25_000;
const ANSWER_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = ASK_AFTER_MS + ANSWER_TIMEOUT_MS;
/** How long the state from an earlier visit to the screen counts as current, if it is older than that silence. */
const REVISIT_TIMEOUT_MS = 3_000;

/** The state that every part of the dashboard reads. It outlives the screen, so that coming back shows the last known state. */
export const liveStore = createStore(initialLiveState);

export function dispatchLive(input: LiveInput): void {
  liveStore.setState((state) => liveReducer(state, input));
}

/** Forgets everything: another driver may sign in. */
export function resetLive(): void {
  liveStore.setState(() => initialLiveState);
}

onSignedOut(resetLive);

let shared: { connection: LiveConnection; users: number } | null = null;

/**
 * Keeps a socket to the driver's object open, one for all parts of a screen.
 * @returns a function that closes it after the last of them
 */
export function connectLive(): () => void {
  if (!shared) {
    shared = { connection: new LiveConnection(), users: 0 };
    shared.connection.start();
  }
  const used = shared;
  used.users += 1;
  return () => {
    used.users -= 1;
    if (used.users > 0) return;
    used.connection.stop();
    if (shared === used) shared = null;
  };
}

/** How long ago the last message came; 0 before the first. */
function silenceMs(): DurationMs {
  const { lastMessageAt } = liveStore.get();
  return lastMessageAt === null ? 0 : serverNow() - lastMessageAt;
}

/** Tells the driver's object that somebody may come back from the platform's selfie page. */
function reportReturn(socket: WebSocket): void {
  if (liveStore.get().snapshot?.phase.kind !== "verification_required") return;
  const returned: ClientMessage = { kind: "returned" };
  socket.send(JSON.stringify(returned));
}

class LiveConnection {
  #socket: WebSocket | null = null;
  #tries = NO_TRIES;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  #revisitTimer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  #connecting = false;

  start(): void {
    const { lastMessageAt } = liveStore.get();
    if (silenceMs() > SILENCE_TIMEOUT_MS)
      this.#revisitTimer = setTimeout(() => {
        if (liveStore.get().lastMessageAt === lastMessageAt) dispatchLive({ kind: "timed_out" });
      }, REVISIT_TIMEOUT_MS);
    window.addEventListener("online", this.#wakeOnline);
    document.addEventListener("visibilitychange", this.#wake);
    // The platform's frame takes the focus, so getting it back means that the driver is done there.
    window.addEventListener("focus", this.#wake);
    void this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    window.removeEventListener("online", this.#wakeOnline);
    document.removeEventListener("visibilitychange", this.#wake);
    window.removeEventListener("focus", this.#wake);
    this.#disconnect();
    clearTimeout(this.#silenceTimer);
    clearTimeout(this.#revisitTimer);
  }

  /** The page is visible again: reconnect now. A socket that died in the meantime is detected at once. */
  readonly #wake = (): void => {
    if (document.visibilityState === "hidden" || this.#stopped || this.#askIfOpen()) return;
    this.#tries = NO_TRIES;
    void this.#connect();
  };

  /** The device is online again, perhaps with all others of its region: reconnect soon. */
  readonly #wakeOnline = (): void => {
    if (document.visibilityState === "hidden" || this.#stopped || this.#askIfOpen()) return;
    this.#tries = NO_TRIES;
    this.#retryIn(waitOnline(Math.random()));
  };

  /** Asks an open socket whether it still works. @returns false if there is none */
  #askIfOpen(): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    // The device slept, perhaps for hours, and the timers of this page with it.
    if (silenceMs() > SILENCE_TIMEOUT_MS) this.#awaitAnswer(REVISIT_TIMEOUT_MS);
    this.#socket.send(LIVE_PING);
    reportReturn(this.#socket);
    return true;
  }

  async #connect(): Promise<void> {
    if (this.#connecting || this.#socket || this.#stopped) return;
    this.#connecting = true;
    clearTimeout(this.#retryTimer);
    this.#awaitMessage();
    try {
      const { ticket } = await parseResponse(liveTicket, await api.flex.v1.live.ticket.$post());
      if (!this.#stopped) this.#open(ticket);
    } catch {
      this.#scheduleRetry(null);
    } finally {
      this.#connecting = false;
    }
  }

  #open(ticket: string): void {
    const url = new URL("/flex/v1/live", location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url, [LIVE_PROTOCOL, `ticket.${ticket}`]);
    const idToken = sessionStore.get()?.idToken;
    this.#socket = socket;
    socket.addEventListener("open", () => {
      const resume: ClientMessage = { kind: "resume", seq: lastSeq(liveStore.get()) };
      socket.send(JSON.stringify(resume));
      this.#tries = noteOpened(this.#tries, Date.now());
      dispatchLive({ kind: "connection", connection: "open" });
    });
    socket.addEventListener("message", ({ data }) => this.#receive(data));
    socket.addEventListener("close", ({ code }) => {
      if (this.#socket !== socket) return;
      this.#disconnect();
      if (code === LIVE_CLOSE_REVOKED) return this.#goOnAs(idToken);
      if (code === LIVE_CLOSE_RENEW) return void this.#connect();
      if (code === LIVE_CLOSE_CROWDED) return dispatchLive({ kind: "connection", connection: "crowded" });
      this.#scheduleRetry(code);
    });
  }

  /** The socket's session has ended. On this device the driver may have another one by now, as after `signInAgain`. */
  #goOnAs(formerToken: string | undefined): void {
    dispatchLive({ kind: "connection", connection: "revoked" });
    const session = sessionStore.get();
    if (session && session.idToken !== formerToken) void this.#connect();
    else if (session) void this.#checkSession();
  }

  /** A session that was ended can't be renewed, which leads to the sign-in screen; any other goes on. */
  async #checkSession(): Promise<void> {
    try {
      const { identity } = await fetchConfig();
      if (await currentToken(identity, { now: serverNow(), force: true })) void this.#connect();
    } catch {
      // Signed out by now, or unreachable: the next call finds out.
    }
  }

  #receive(data: unknown): void {
    this.#awaitMessage();
    const at = serverNow();
    if (data === LIVE_PONG) return dispatchLive({ kind: "pong", at });
    const message = readMessage(data);
    if (message === "unreadable") dispatchLive({ kind: "unreadable" });
    else if (message !== "unknown") dispatchLive({ kind: "message", message, at });
  }

  /**
   * Asks for a message if none comes for a while. Not at an interval: browsers run a hidden page's intervals once a minute, so
   * the page would ask too late to tell a silent server from a dead socket.
   */
  #awaitMessage(): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => {
      this.#awaitAnswer(ANSWER_TIMEOUT_MS);
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(LIVE_PING);
    }, ASK_AFTER_MS);
  }

  #awaitAnswer(timeoutMs: DurationMs): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => {
      dispatchLive({ kind: "timed_out" });
      // A socket that is silent for this long is dead, even if the browser reports it as open.
      if (this.#socket) {
        this.#disconnect();
        this.#scheduleRetry(null);
      }
    }, timeoutMs);
  }

  #disconnect(): void {
    clearTimeout(this.#retryTimer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** @param code the code that the socket was closed with; null if none was opened, or it was silent */
  #scheduleRetry(code: number | null): void {
    if (this.#stopped) return;
    dispatchLive({ kind: "connection", connection: "waiting" });
    const { tries, waitMs } = nextTry(this.#tries, { code, now: Date.now(), roll: Math.random() });
    this.#tries = tries;
    this.#retryIn(waitMs);
  }

  #retryIn(waitMs: number): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => void this.#connect(), waitMs);
  }
}

/**
 * Reads a message of the driver's object, perhaps of a later release. `unknown`: of a kind that this page doesn't know; the
 * next snapshot makes up for it. `unreadable`: the page misses what it says.
 */
export function readMessage(data: unknown): ServerMessage | "unknown" | "unreadable" {
  if (typeof data !== "string") return "unreadable";
  try {
    const message: unknown = JSON.parse(data);
    return isUnknownCase(serverMessage, message) ? "unknown" : readShape(serverMessage, message);
  } catch {
    return "unreadable";
  }
}
