type Init = {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal | null;
};
type ResponseInit = { status?: number; headers?: Record<string, string>; webSocket?: unknown };

/** As much of the runtime's `Request` as the product uses. */
export class SimulatedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: LightHeaders;
  readonly content: string | Uint8Array;
  readonly signal: AbortSignal | null;

  constructor(url: string, { method = "GET", headers = {}, body = "", signal = null }: Init = {}) {
    this.url = url;
    this.method = method;
    this.headers = new LightHeaders(headers);
    this.content = body;
    this.signal = signal;
  }
}

/** As much of the runtime's `Response` as the product uses. */
export class SimulatedResponse {
  readonly status: number;
  readonly headers: LightHeaders;
  readonly body: SimulatedBody | null;
  readonly webSocket: unknown;

  constructor(body: string | null, { status = 200, headers = {}, webSocket = null }: ResponseInit = {}) {
    this.status = status;
    this.headers = new LightHeaders(headers);
    this.body = body === null ? null : new SimulatedBody(body);
    this.webSocket = webSocket;
  }
}

class SimulatedBody {
  #left: Uint8Array | null;

  constructor(text: string) {
    this.#left = new TextEncoder().encode(text);
  }

  getReader() {
    return {
      read: async () => {
        const value = this.#left;
        this.#left = null;
        return value ? { done: false, value } : { done: true, value: undefined };
      },
      cancel: () => this.cancel(),
    };
  }

  async cancel(): Promise<void> {
    this.#left = null;
  }
}

/** Names are given in lower case by the product and by the simulation alike. */
class LightHeaders {
  readonly #values: Record<string, string>;

  constructor(values: Record<string, string>) {
    this.#values = values;
  }

  get(name: string): string | null {
    return this.#values[name.toLowerCase()] ?? this.#values[name] ?? null;
  }
}
