import { createStore } from "@tanstack/react-store";
import * as z from "zod/mini";
import {
  LIVE_CLOSE_GONE,
  LIVE_CLOSE_RENEW,
  LIVE_PING,
  LIVE_PONG,
  LIVE_PROTOCOL,
  liveTicket,
  serverMessage,
  type ClientMessage,
} from "../../worker/contract/live.ts";
import { answer, api } from "./client.ts";
import { initialLive, lastSeq, stepLive, type LiveInput } from "./live-state.ts";
import { onDriverGone } from "./session.ts";

const PING_EVERY_MS = 25_000;
const SILENT_AFTER_MS = 35_000;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

/** What every part of the dashboard reads. Outlives the screen, so that coming back shows the last known state. */
export const liveStore = createStore(initialLive);

export function tellLive(input: LiveInput): void {
  liveStore.setState((state) => stepLive(state, input));
}

/** Forgets everything: another driver may sign in. */
export function resetLive(): void {
  liveStore.setState(() => initialLive);
}

onDriverGone(resetLive);

/** Keeps a line to the driver's object open. @returns what closes it */
export function openLive(): () => void {
  const line = new LiveLine();
  line.start();
  return () => line.stop();
}

class LiveLine {
  #socket: WebSocket | null = null;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  #connecting = false;

  start(): void {
    window.addEventListener("online", this.#wake);
    document.addEventListener("visibilitychange", this.#wake);
    void this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    window.removeEventListener("online", this.#wake);
    document.removeEventListener("visibilitychange", this.#wake);
    this.#drop();
    clearTimeout(this.#silence);
  }

  /** The device is back, or looked at again: no waiting. A line that died meanwhile is found out at once. */
  readonly #wake = (): void => {
    if (document.visibilityState === "hidden" || this.#stopped) return;
    if (this.#socket?.readyState === WebSocket.OPEN) return this.#socket.send(LIVE_PING);
    this.#failures = 0;
    void this.#connect();
  };

  async #connect(): Promise<void> {
    if (this.#connecting || this.#socket || this.#stopped) return;
    this.#connecting = true;
    clearTimeout(this.#retry);
    this.#watchSilence();
    try {
      const { ticket } = await answer(liveTicket, await api.flex.v1.live.ticket.$post());
      if (!this.#stopped) this.#open(ticket);
    } catch {
      this.#retryLater();
    } finally {
      this.#connecting = false;
    }
  }

  #open(ticket: string): void {
    const url = new URL("/flex/v1/live", location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url, [LIVE_PROTOCOL, `ticket.${ticket}`]);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      const resume: ClientMessage = { kind: "resume", seq: lastSeq(liveStore.get()) };
      socket.send(JSON.stringify(resume));
      this.#ping = setInterval(() => socket.send(LIVE_PING), PING_EVERY_MS);
      tellLive({ kind: "line", line: "open" });
    });
    socket.addEventListener("message", ({ data }) => this.#receive(data));
    socket.addEventListener("close", ({ code }) => {
      if (this.#socket !== socket) return;
      this.#drop();
      if (code === LIVE_CLOSE_GONE) return tellLive({ kind: "line", line: "gone" });
      if (code === LIVE_CLOSE_RENEW) return void this.#connect();
      this.#retryLater();
    });
  }

  #receive(data: unknown): void {
    this.#failures = 0;
    this.#watchSilence();
    const at = Date.now();
    if (data === LIVE_PONG) return tellLive({ kind: "heard", at });
    const message = parseMessage(data);
    if (message) tellLive({ kind: "message", message, at });
  }

  #watchSilence(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      tellLive({ kind: "silent" });
      // A line without a word for so long is dead, whatever the browser thinks of it.
      if (this.#socket) {
        this.#drop();
        this.#retryLater();
      }
    }, SILENT_AFTER_MS);
  }

  #drop(): void {
    clearInterval(this.#ping);
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #retryLater(): void {
    if (this.#stopped) return;
    tellLive({ kind: "line", line: "waiting" });
    const delay = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, LONGEST_RETRY_MS);
    this.#failures += 1;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#connect(), delay);
  }
}

/** A message that this build does not know is left alone: the next snapshot brings what it meant. */
function parseMessage(data: unknown) {
  if (typeof data !== "string") return null;
  try {
    const parsed = z.safeParse(serverMessage, JSON.parse(data));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
