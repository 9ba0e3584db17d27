import type { Env } from "./env.ts";

/** The one door out: every request that leaves Jornada passes here. */
export type Send = (request: Request) => Promise<Response>;

/** Through the sandbox where it is bound, else to the address itself. */
export function createSend(env: Pick<Env, "SANDBOX">): Send {
  const sandbox = env.SANDBOX;
  return sandbox ? (request) => sandbox.fetch(request) : (request) => fetch(request);
}
