import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { DriftCell } from "./drift-cells.ts";

const CALLS: readonly [RegExp, string, string][] = [
  [/^\/v1\/offers$/, "GET", "offers"],
  [/\/accept$/, "POST", "accept"],
  [/^\/v1\/blocks$/, "GET", "blocks"],
  [/\/check-in$/, "POST", "check in"],
  [/^\/v1\/earnings$/, "GET", "earnings"],
  [/^\/v1\/driver$/, "GET", "driver"],
  [/^\/v1\/warehouses$/, "GET", "warehouses"],
  [/^\/v1\/token$/, "POST", "refresh"],
  [/^\/v1\/sessions/, "", "session"],
];
/** An offer that is gone before anybody takes it. */
const GONE = "off_gone";

/** One driver's view of the platform, and their calls. */
type Seat = {
  cell: DriftCell;
  /** The offers of the sandbox that this driver sees; everyone else doesn't. */
  offers: Set<string>;
  /** Whether an answer violated the contract by the cell alone. */
  hasViolated: boolean;
  accepts: { offerId: string; status: number }[];
  isCheckInGranted: boolean;
};

type Json = Record<string, unknown>;

/** A platform in front of the sandbox, of which every driver meets a drift of their own. */
export class DriftProxy {
  readonly seats = new Map<string, Seat>();
  /** The driver of a session, of an access token and of a refresh token, by e-mail address. */
  readonly #owners = new Map<string, string>();
  readonly #server: Server;
  readonly #platform: string;

  constructor(platform: string) {
    this.#platform = platform;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy has no port");
    return `http://127.0.0.1:${address.port}`;
  }

  seat(email: string, cell: DriftCell): Seat {
    const seat: Seat = {
      cell,
      offers: new Set(),
      hasViolated: false,
      accepts: [],
      isCheckInGranted: false,
    };
    this.seats.set(email, seat);
    return seat;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { status, headers, text } = await this.#pass(request);
      response.writeHead(status, headers);
      response.end(text);
    } catch {
      // The platform has stopped, or the caller is gone.
      response.destroy();
    }
  }

  async #pass(
    request: IncomingMessage,
  ): Promise<{ status: number; headers: Record<string, string>; text: string }> {
    const { method = "GET", url = "/" } = request;
    const { pathname } = new URL(url, this.#platform);
    const body = await textOf(request);
    const headers = new Headers();
    for (const name of ["authorization", "content-type", "idempotency-key", "user-agent"]) {
      const value = request.headers[name];
      if (typeof value === "string") headers.set(name, value);
    }
    const answer = await fetch(`${this.#platform}${url}`, {
      method,
      headers,
      redirect: "manual",
      ...(body === "" ? {} : { body }),
    });
    const text = await answer.text();
    const kept = Object.fromEntries(
      ["content-type", "retry-after", "date"].flatMap((name) => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value]];
      }),
    );
    const json = parse(text);
    const email = this.#ownerOf(request, { pathname, body: parse(body), answer: json });
    const seat = email === null ? undefined : this.seats.get(email);
    if (!seat || json === null) return { status: answer.status, headers: kept, text };
    const shown = this.#show(seat, { method, pathname, status: answer.status, json });
    return { status: answer.status, headers: kept, text: JSON.stringify(shown) };
  }

  #show(seat: Seat, call: { method: string; pathname: string; status: number; json: Json }): Json {
    const { method, pathname, status, json } = call;
    const [, , operation] = CALLS.find(([path, name]) => path.test(pathname) && method.includes(name)) ?? [];
    const { cell } = seat;
    const isRefusal = status >= 400 && status < 500;
    if (operation === "accept") seat.accepts.push({ offerId: pathname.split("/")[3] ?? "", status });
    if (operation === "check in" && status === 200) seat.isCheckInGranted = true;
    const own = operation === "offers" && !isRefusal ? this.#ownOffers(seat, json) : json;
    const isMeant = cell.isRefusal ? isRefusal : status < 300;
    if (operation !== cell.operation || !isMeant) return own;
    const next = cell.apply(own);
    seat.hasViolated ||= !cell.violates(own) && cell.violates(next);
    return { ...Object(next) };
  }

  #ownOffers({ cell, offers }: Seat, json: Json): Json {
    const listed: unknown[] = Array.isArray(json["offers"]) ? json["offers"] : [];
    const own = listed.filter((offer) => offers.has(String({ ...Object(offer) }.offerId)));
    const isGone = cell.isRefusal && cell.operation === "accept";
    return { ...json, offers: isGone ? own.map((offer) => ({ ...Object(offer), offerId: GONE })) : own };
  }

  /** Learns whose sessions and tokens there are, and says whose call this is. */
  #ownerOf(
    { headers }: IncomingMessage,
    { pathname, body, answer }: { pathname: string; body: Json | null; answer: Json | null },
  ): string | null {
    const [, session] = /^\/v1\/sessions\/([^/]+)/.exec(pathname) ?? [];
    const given = body?.["email"] ?? this.#owners.get(String(body?.["refreshToken"] ?? session));
    const email =
      typeof given === "string"
        ? given
        : this.#owners.get(headers.authorization?.slice("Bearer ".length) ?? "");
    if (email === undefined) return null;
    const tokens: Json = { ...answer, ...Object(answer?.["tokens"]) };
    for (const name of ["sessionId", "accessToken", "refreshToken"]) {
      const value = tokens[name];
      if (typeof value === "string") this.#owners.set(value, email);
    }
    return email;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

function parse(text: string): Json | null {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null ? { ...json } : null;
  } catch {
    return null;
  }
}
