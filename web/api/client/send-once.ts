import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { errorCodeOf } from "./request-error.ts";

/** After that, the same again is meant as another one. */
const KEPT_MS = 10 * MINUTE_MS;

/** Each by the name of its request, until the page is left. */
const keys = new Map<string, { key: string; sentAt: EpochMs }>();

/**
 * Sends under an idempotency key what the server does once per key. The key stays until that is known to be done, for ten
 * minutes at most: a second press, also in a form that was closed meanwhile, does it once.
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
    // The key stands for something else.
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
