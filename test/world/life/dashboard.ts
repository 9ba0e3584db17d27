import type { LogEvent } from "../../../db/shapes/log/driver-log.ts";
import { serverMessage } from "../../../db/shapes/work/live.ts";
import type { Question, QuestionId } from "../../../db/shapes/work/question.ts";
import * as z from "zod/mini";
import type { ObjectHost } from "../host/host.ts";
import { SimulatedRequest } from "../host/http.ts";
import type { ServerSocket } from "../host/sockets.ts";
import type { Timeline } from "../timeline.ts";

const LIVE_CLOSE_REVOKED = 4003;
const TICKET_LIFE_MS = 30_000;
/** Of a WebSocket. */
const OPEN = 1;

/** The page: keeps a socket open, resumes where it was, and remembers every event that it was shown. */
export class Dashboard {
  readonly shown = new Map<number, LogEvent>();
  /** When the page heard of each event by a frame of its own. */
  readonly heardAt = new Map<LogEvent, number>();
  #last = 0;
  #tickets = 0;
  #isOpen = false;
  #server: ServerSocket | null = null;
  /** When the object was told that the driver looks at the page again. */
  readonly returns: number[] = [];
  /** Open questions that the page heard of, each of which it passes on once, and when it heard that one was over. */
  readonly asked = new Map<QuestionId, Question>();
  readonly closedAt = new Map<QuestionId, number>();
  onQuestion: (question: Question) => void = () => {};
  readonly #host: ObjectHost;
  readonly #timeline: Timeline;

  constructor(host: ObjectHost, timeline: Timeline) {
    this.#host = host;
    this.#timeline = timeline;
  }

  /** The events of captures that it shows. */
  captures(): LogEvent[] {
    return [...this.shown.values()].filter(
      (event) => event.kind === "attempt_settled" && event.attempt.outcome.status === "won",
    );
  }

  async open(): Promise<void> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#tickets += 1;
    const request = new SimulatedRequest("http://object/live", {
      headers: {
        "x-jornada-ticket-id": `ticket-${this.#tickets}`,
        "x-jornada-ticket-expires": String(this.#timeline.now + TICKET_LIFE_MS),
      },
    });
    try {
      // The stand-in for a request is as much of it as the object reads.
      const response = await this.#host.call((driver) => driver.fetch(request as unknown as Request));
      const client: unknown = response.webSocket;
      if (!isClientEnd(client)) return this.#reopen();
      client.onMessage = (text) => this.#receive(text);
      client.onClose = (code) => {
        this.#isOpen = false;
        if (code !== LIVE_CLOSE_REVOKED) this.#timeline.after(1_000, () => void this.open());
      };
      const server = client.server;
      // The object may be lost between its answer and this line.
      if (server?.readyState !== OPEN) return this.#reopen();
      this.#server = server;
      this.#host.receive(server, JSON.stringify({ kind: "resume", seq: this.#last }));
    } catch {
      this.#reopen();
    }
  }

  /** The driver looks at the page again. */
  comeBack(): void {
    if (!this.#isOpen || this.#server?.readyState !== OPEN) return;
    this.returns.push(this.#timeline.now);
    this.#host.receive(this.#server, JSON.stringify({ kind: "returned" }));
  }

  #hear(event: LogEvent): void {
    if (event.kind === "question_asked") this.#hearAsked(event.question);
    if (event.kind !== "question_closed" || event.question.state.status === "accepting") return;
    this.closedAt.set(event.question.questionId, this.#timeline.now);
  }

  #hearAsked(question: Question): void {
    if (this.asked.has(question.questionId)) return;
    this.asked.set(question.questionId, question);
    this.onQuestion(question);
  }

  #reopen(): void {
    this.#isOpen = false;
    this.#timeline.after(5_000, () => void this.open());
  }

  #receive(text: string): void {
    const message = z.parse(serverMessage, JSON.parse(text));
    switch (message.kind) {
      case "event":
        this.shown.set(message.seq, message.event);
        this.heardAt.set(message.event, this.#timeline.now);
        this.#hear(message.event);
        this.#last = Math.max(this.#last, message.seq);
        return;
      case "snapshot":
      case "changed":
        for (const { seq, event } of message.snapshot.feed) this.shown.set(seq, event);
        this.#last = Math.max(this.#last, message.snapshot.seq);
        for (const question of message.snapshot.questions) this.#hearAsked(question);
        return;
      case "pulse":
        return;
    }
  }
}

type ClientEnd = {
  onMessage: (text: string) => void;
  onClose: (code: number) => void;
  server: ServerSocket | null;
};

function isClientEnd(end: unknown): end is ClientEnd {
  return typeof end === "object" && end !== null && "onMessage" in end && "server" in end;
}
