import type { Env } from "./env.ts";

/** Sends a request to an outside service. Every outgoing request uses this function. */
export type Send = (request: Request) => Promise<Response>;

/** Sends to the sandbox if it is bound, else to the real address. */
export function createSend(env: Pick<Env, "SANDBOX">): Send {
  const sandbox = env.SANDBOX;
  return sandbox ? (request) => sandbox.fetch(request) : (request) => fetch(request);
}
