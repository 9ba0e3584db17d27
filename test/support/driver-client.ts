import type { FiltersResponse, WarehousesResponse } from "../../worker/contract/work/filters.ts";
import type { LiveTicket } from "../../db/shapes/work/live.ts";
import type { SetupResponse } from "../../db/shapes/work/linking.ts";
import type { UserPatch } from "../../worker/contract/account/user.ts";
import type { Filters } from "../../db/shapes/work/filters.ts";

type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/** A sealed body. */
type Sealed = { v: 1; id: string; nonce: string; data: string };

const encoder = new TextEncoder();

/** An API client for one driver over any `fetch`, including sealed bodies. */
export class DriverClient {
  readonly #fetch: Fetch;
  readonly #origin: string;
  readonly #token: string;

  constructor({ fetch, origin, token }: { fetch: Fetch; origin: string; token: string }) {
    this.#fetch = fetch;
    this.#origin = origin;
    this.#token = token;
  }

  /** Makes a call with the driver's token, unless `headers` override it. */
  call(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ) {
    return this.#fetch(`${this.#origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async fetchJson<Answer>(
    method: string,
    path: string,
    options: Parameters<DriverClient["call"]>[2] = {},
  ): Promise<Answer> {
    return parseResponse<Answer>(await this.call(method, path, options), `${method} ${path}`);
  }

  /** Makes a call with a sealed body: AES-256-GCM with the key from `/status/health`. */
  async sealed(method: string, path: string, body: unknown, at = Date.now()): Promise<Response> {
    return this.call(method, path, { body: await this.seal(method, path, body, at) });
  }

  /** Seals a body for one method and path. */
  async seal(method: string, path: string, body: unknown, at = Date.now(), caller?: string): Promise<Sealed> {
    const health = await this.#fetch(`${this.#origin}/status/health`);
    const id = health.headers.get("x-amz-cf-id") ?? "";
    const raw = Uint8Array.from(atob(health.headers.get("x-amz-version-id") ?? ""), (letter) =>
      letter.charCodeAt(0),
    );
    const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt"]);
    const nonce = crypto.getRandomValues(new Uint8Array(16));
    const digest = await crypto.subtle.digest("SHA-256", new Uint8Array([...encoder.encode(id), ...nonce]));
    const cipher = await crypto.subtle.encrypt(
      { name: "AES-GCM", iv: digest.slice(0, 12), additionalData: encoder.encode(`${method} ${path}`) },
      key,
      encoder.encode(JSON.stringify({ at, caller, body })),
    );
    const data = btoa(String.fromCharCode(...new Uint8Array(cipher)));
    return { v: 1, id, nonce: btoa(String.fromCharCode(...nonce)), data };
  }

  patchUser(change: UserPatch): Promise<Response> {
    return this.sealed("PATCH", "/flex/v1/user", change);
  }

  filters(): Promise<FiltersResponse> {
    return this.fetchJson("GET", "/flex/v1/filters");
  }

  async saveFilters(filters: Filters): Promise<FiltersResponse> {
    const { version } = await this.filters();
    return this.fetchJson("PUT", "/flex/v1/filters", {
      body: filters,
      headers: { "if-match": `"${version}"` },
    });
  }

  warehouses(): Promise<WarehousesResponse> {
    return this.fetchJson("GET", "/flex/v1/warehouses");
  }

  setup(): Promise<SetupResponse> {
    return this.fetchJson("GET", "/flex/v1/setup");
  }

  ticket(): Promise<LiveTicket> {
    return this.fetchJson("POST", "/flex/v1/live/ticket");
  }
}

/** Parses the JSON of a successful response; throws for any other. */
export async function parseResponse<Answer>(response: Response, what: string): Promise<Answer> {
  const text = await response.text();
  const body: unknown = text === "" ? null : JSON.parse(text);
  if (!response.ok) throw new Error(`${what}: ${response.status} ${JSON.stringify(body)}`);
  return body as Answer;
}
