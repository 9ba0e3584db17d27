import { DurableObject } from "cloudflare:workers";
import { createApp } from "./app.ts";
import { openState } from "./state.ts";

/** Everything outside, in one object: it owns the storage and the clock, the rest is functions of both. */
export class World extends DurableObject {
  readonly #app: ReturnType<typeof createApp>;

  constructor(context: DurableObjectState, env: object) {
    super(context, env);
    const state = openState(context.storage.sql);
    this.#app = createApp({ state, now: () => state.settings.get().now ?? Date.now() });
  }

  override async fetch(request: Request): Promise<Response> {
    // The body is read whole even where an answer needs none of it: one left unread breaks the connection.
    const { url, method, headers, body } = request;
    if (body === null) return this.#app.fetch(request);
    return this.#app.fetch(
      new Request(url, { method, headers, body: await new Response(body).arrayBuffer() }),
    );
  }
}
