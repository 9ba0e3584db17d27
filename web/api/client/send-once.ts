import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { errorCodeOf } from "./request-error.ts";

/** After this time, the same request is meant as a new one. */
const KEPT_MS = 10 * MINUTE_MS;

/** The keys by the names of their requests, until the page is left. */
const keys = new Map<string, { key: string; sentAt: EpochMs }>();

/**
 * Sends a request that the server carries out once per idempotency key. The key stays until the request is known to be done,
 * for ten minutes at most: after a second press, even in a form that was closed meanwhile, it is still done once.
 */
export async function sendOnce<Answer>(
  asked: readonly unknown[],
  send: (key: string) => Promise<Answer>,
): Promise<Answer> {
  const name = JSON.stringify(asked);
  const key = keyOf(name);
  try {
    const answer = await send(key);
    keys.delete(name);
    return answer;
  } catch (error) {
    // The server knows the key from a different request.
    if (errorCodeOf(error) === "conflict") keys.delete(name);
    throw error;
  }
}

function keyOf(name: string): string {
  const known = keys.get(name);
  const sentAt = Date.now();
  const key = known && sentAt - known.sentAt < KEPT_MS ? known.key : crypto.randomUUID();
  keys.set(name, { key, sentAt });
  return key;
}
