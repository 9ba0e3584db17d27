import { DurableObject } from "cloudflare:workers";
import { createApp } from "./app.ts";
import { openState } from "./state.ts";

/** All outside services in one Durable Object. It owns storage and clock; everything else is a function of both. */
export class World extends DurableObject {
  readonly #app: ReturnType<typeof createApp>;

  constructor(context: DurableObjectState, env: object) {
    super(context, env);
    const state = openState(context.storage.sql);
    this.#app = createApp({ state, now: () => state.settings.get().now ?? Date.now() });
  }

  override async fetch(request: Request): Promise<Response> {
    // Always reads the whole body, even if it is not needed: an unread body breaks the next request on the connection.
    const { url, method, headers, body } = request;
    if (body === null) return this.#app.fetch(request);
    return this.#app.fetch(
      new Request(url, { method, headers, body: await new Response(body).arrayBuffer() }),
    );
  }
}
