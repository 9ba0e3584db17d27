import type { Chance } from "../chance.ts";
import type { Faults } from "../faults.ts";
import { halfKnown } from "../life/half-known.ts";
import type { ObjectHost } from "./host.ts";
import type { ObjectLife, Step } from "../life/object-life.ts";
import { SimulatedResponse, type SimulatedRequest } from "./http.ts";
import { operationOf, problem } from "../platform/answers.ts";
import type { SimulatedPlatform } from "../platform/platform.ts";
import type { Answer, PlatformRequest } from "../platform/model.ts";
import type { Drift } from "../../support/drift-cells.ts";
import type { Fault } from "../script.ts";
import type { Timeline } from "../timeline.ts";

/** A request that left the object, as the wire saw it. */
export type WireEntry = {
  sentAt: number;
  step: Step;
  operation: string;
  offerId: string | null;
  key: string | null;
  token: string | null;
  lifeId: number;
  isFromOldInstance: boolean;
  fault: Fault | null;
  /** When the object got the answer; null if it never did. */
  answeredAt: number | null;
  status: number | null;
  code: string | null;
  body: unknown;
  /** The response's wait. */
  waitSeconds: number | null;
  /** When its connection was free again. */
  endedAt: number | null;
  /** The response's quota. */
  quota: { limit: number; resetMs: number } | null;
  /** The warehouses that a poll asks for; null for all. */
  selection: string | null;
};

/** A text that the gateway took. */
export type DeliveredText = { at: number; body: string };

/** How many calls back one may still be under way. */
const RECENT_CALLS = 12;

type NetworkDeps = {
  timeline: Timeline;
  chance: Chance;
  faults: Faults;
  platform: SimulatedPlatform;
  host: () => ObjectHost;
  met: (what: string) => void;
  drift: Drift | null;
};

/** Everything between the object and the outside: latency, faults, and a log of what left and what came back. */
export class Network {
  readonly wire: WireEntry[] = [];
  readonly texts: DeliveredText[] = [];
  /** When each trip to D1 began and ended. */
  readonly d1Trips: { sentAt: number; endedAt: number }[] = [];
  /** When the push service took each message. */
  readonly pushes: number[] = [];
  readonly #deps: NetworkDeps;

  constructor(deps: NetworkDeps) {
    this.#deps = deps;
  }

  fetch(life: ObjectLife, request: SimulatedRequest): Promise<SimulatedResponse> {
    const step = stepOf(request);
    life.inFlight += 1;
    return new Promise((resolve, reject) => {
      const state = { isOver: false, onOver: () => {} };
      request.signal?.addEventListener("abort", () => {
        if (state.isOver) return;
        state.isOver = true;
        state.onOver();
        life.inFlight -= 1;
        reject(new Error("aborted"));
      });
      this.#deps
        .host()
        .leave(life, step, () => this.#transmit({ life, request, step, state, resolve, reject }));
    });
  }

  /** A trip to D1: it may be lost on the way there or on the way back. */
  trip<Result>(life: ObjectLife, work: () => Result): Promise<Result> {
    const { timeline, chance, faults, host } = this.#deps;
    life.inFlight += 1;
    return new Promise((resolve, reject) => {
      host().leave(life, "d1", () => {
        const fault = faults.isD1Down ? "request lost" : faults.next("d1");
        const sentAt = timeline.now;
        const back = (give: () => void) =>
          timeline.after(chance.between(2, 9) + faults.delayMs("d1"), () => {
            this.d1Trips.push({ sentAt, endedAt: timeline.now });
            host().hand(life, "d1", give);
          });
        if (fault === "request lost") return back(() => reject(new Error("D1 is away")));
        timeline.after(chance.between(2, 9), () => {
          try {
            const result = work();
            if (fault === null) back(() => resolve(result));
            else back(() => reject(new Error("the answer was lost")));
          } catch (error) {
            back(() => reject(error));
          }
        });
      });
    });
  }

  #transmit(trip: {
    life: ObjectLife;
    request: SimulatedRequest;
    step: Step;
    state: { isOver: boolean; onOver: () => void };
    resolve: (response: SimulatedResponse) => void;
    reject: (error: Error) => void;
  }): void {
    const { timeline, chance, faults, host, met } = this.#deps;
    const { life, request, step, state, resolve, reject } = trip;
    const fault = faults.next(step);
    const entry = this.#log(life, request, step, fault);
    state.onOver = () => {
      entry.endedAt = timeline.now;
    };
    const finish = (afterMs: number, give: () => void) =>
      timeline.after(afterMs, () => {
        if (state.isOver) return;
        state.isOver = true;
        state.onOver();
        host().hand(life, step, give);
      });
    const upMs = chance.between(4, 40);
    const downMs = chance.between(4, 40) + faults.delayMs(step);
    const answer = (undrifted: Answer, delayMs = downMs) => {
      const given = this.#drifted(undrifted, entry);
      if (host().isLiving() && faults.wantsCrash("arrived", step)) host().crash();
      finish(delayMs, () => {
        if (this.#isAheadOf(entry)) this.#deps.met("answers out of order");
        entry.answeredAt = timeline.now;
        entry.status = given.status;
        entry.body = given.body;
        entry.code = codeOf(given.body);
        entry.waitSeconds = waitSecondsOf(given);
        entry.quota = quotaOf(given);
        resolve(toResponse(given));
      });
    };
    const broken = (delayMs = downMs) => finish(delayMs, () => reject(new Error("the connection broke")));
    const arrive = (then: (given: Answer) => void, delayMs = upMs) =>
      timeline.after(delayMs, () => then(this.#handle(request, step)));
    // A gateway that refuses a text and sends it all the same is a lie that nobody can see through.
    const refuse = (refusal: Answer) =>
      step === "sms" ? answer(refusal, upMs + downMs) : arrive(() => answer(refusal));

    switch (fault) {
      case null:
        return arrive(answer);
      case "request lost":
        return broken();
      case "connection hangs":
        return undefined;
      case "request late":
        return arrive(answer, chance.between(5_000, 45_000));
      case "request doubled":
        arrive(answer);
        // The gateway knows no idempotency keys: nobody can mend that.
        return step === "sms" ? undefined : arrive(() => {}, upMs + chance.between(1, 3_000));
      case "answer lost":
        return arrive(() => broken());
      case "answer late":
        return arrive((given) => answer(given, chance.between(3_000, 30_000)));
      case "answer garbled":
        return arrive((given) => answer({ ...given, body: "garbled" }));
      case "answer half known":
        return arrive((given) => answer({ ...given, body: halfKnown(given.body, { chance, met }) }));
      case "500 without effect":
        return answer(problem(500, "internal"), upMs + downMs);
      case "500 after effect":
        return arrive(() => answer(problem(500, "internal")));
      case "503 without effect":
        return answer(problem(503, "internal"), upMs + downMs);
      case "503 with Retry-After":
        return answer({ ...problem(503, "internal"), headers: { "retry-after": "15" } }, upMs + downMs);
      case "503 until a date": {
        // The platform's clock is another than ours.
        const now = timeline.now + chance.pick([-600_000, 600_000]);
        const [date, until] = [now, now + 15_000].map((at) => new Date(at).toUTCString());
        const headers = { date: date ?? "", "retry-after": until ?? "" };
        return answer({ ...problem(503, "internal"), headers }, upMs + downMs);
      }
      case "404 after effect":
        return refuse(problem(404, "invalid_request"));
      case "400 without effect":
        return answer(problem(400, "invalid_request"), upMs + downMs);
      case "429 without effect":
        return answer(problem(429, "rate_limited"), upMs + downMs);
      case "429 with Retry-After":
        return answer({ ...problem(429, "rate_limited"), headers: { "retry-after": "20" } }, upMs + downMs);
      case "429 after effect":
        return refuse({ ...problem(429, "rate_limited"), headers: { "retry-after": "5" } });
      case "429 asks a second":
        return answer({ ...problem(429, "rate_limited"), headers: { "retry-after": "1" } }, upMs + downMs);
      case "429 until the reset":
        return answer(
          { ...problem(429, "rate_limited"), headers: { "ratelimit-reset": "3" } },
          upMs + downMs,
        );
      case "429 asks ten years":
        return answer(
          { ...problem(429, "rate_limited"), headers: { "retry-after": "315360000" } },
          upMs + downMs,
        );
      case "401 from a gateway":
        return answer({ status: 401, body: "<html>401</html>" }, upMs + downMs);
    }
  }

  #drifted(given: Answer, { operation }: WireEntry): Answer {
    const { drift } = this.#deps;
    const isRefusal = given.status >= 400 && given.status < 500;
    const isGrant = given.status >= 200 && given.status < 300;
    const isMeant = drift?.operation === operation && (drift.isRefusal ? isRefusal : isGrant);
    return isMeant ? { ...given, body: drift.apply(given.body) } : given;
  }

  #log(life: ObjectLife, request: SimulatedRequest, step: Step, fault: Fault | null): WireEntry {
    const { pathname, searchParams } = new URL(request.url);
    const isAccept = step === "accept";
    const entry: WireEntry = {
      sentAt: this.#deps.timeline.now,
      step,
      operation: step === "sms" || step === "push" ? step : operationOf(pathname),
      offerId: isAccept ? decodeURIComponent(pathname.split("/")[3] ?? "") : null,
      key: isAccept ? request.headers.get("idempotency-key") : null,
      token: tokenOf(request),
      lifeId: life.id,
      isFromOldInstance: !life.isCurrent,
      fault,
      answeredAt: null,
      status: null,
      code: null,
      body: null,
      waitSeconds: null,
      endedAt: null,
      quota: null,
      selection: searchParams.get("warehouseIds"),
    };
    this.wire.push(entry);
    return entry;
  }

  /** Whether a call that left earlier still waits for its answer. */
  #isAheadOf({ sentAt, lifeId }: WireEntry): boolean {
    return this.wire
      .slice(-RECENT_CALLS)
      .some((other) => other.lifeId === lifeId && other.sentAt < sentAt && other.endedAt === null);
  }

  #handle(request: SimulatedRequest, step: Step): Answer {
    const { timeline, platform } = this.#deps;
    if (step === "push") {
      this.pushes.push(timeline.now);
      return { status: 201, body: null };
    }
    if (step === "sms") {
      const body = new URLSearchParams(String(request.content)).get("Body") ?? "";
      this.texts.push({ at: timeline.now, body });
      return { status: 201, body: { sid: `SM${this.texts.length}` } };
    }
    return platform.handle(toPlatformRequest(request));
  }
}

function stepOf({ url }: SimulatedRequest): Step {
  const { hostname, pathname } = new URL(url);
  if (hostname === "sms.localhost") return "sms";
  if (hostname === "push.localhost") return "push";
  if (pathname === "/v1/offers") return "poll";
  if (pathname.startsWith("/v1/offers/")) return "accept";
  if (pathname === "/v1/blocks") return "blocks";
  if (pathname === "/v1/token") return "token";
  return pathname.startsWith("/v1/sessions") ? "link" : "other";
}

function tokenOf(request: SimulatedRequest): string | null {
  return request.headers.get("authorization")?.slice("Bearer ".length) ?? null;
}

function toPlatformRequest(request: SimulatedRequest): PlatformRequest {
  const { pathname, searchParams } = new URL(request.url);
  const body: unknown = request.content === "" ? {} : JSON.parse(String(request.content));
  return {
    method: request.method,
    path: pathname,
    query: searchParams,
    token: tokenOf(request),
    key: request.headers.get("idempotency-key"),
    etag: request.headers.get("if-none-match"),
    body: typeof body === "object" && body !== null ? { ...body } : {},
  };
}

function toResponse({ status, body, headers = {} }: Answer): SimulatedResponse {
  const text =
    body === "garbled" ? `{"offers":[{"off` : typeof body === "string" ? body : JSON.stringify(body);
  return new SimulatedResponse(body === null ? null : text, { status, headers });
}

function quotaOf({ headers, body }: Answer): WireEntry["quota"] {
  const limit = headers?.["ratelimit-limit"];
  if (limit === undefined || body === "garbled") return null;
  return { limit: Number(limit), resetMs: 1000 * Number(headers?.["ratelimit-reset"]) };
}

/** By `Retry-After`, in seconds or a date of the answer's own clock; without it a refusal by the quota's reset. */
function waitSecondsOf({ status, headers = {} }: Answer): number | null {
  const given = headers["retry-after"] ?? (status === 429 ? headers["ratelimit-reset"] : undefined);
  if (given === undefined) return null;
  const seconds = Number(given);
  return Number.isNaN(seconds) ? (Date.parse(given) - Date.parse(headers["date"] ?? "")) / 1000 : seconds;
}

function codeOf(body: unknown): string | null {
  return typeof body === "object" && body !== null && "code" in body ? String(body.code) : null;
}
