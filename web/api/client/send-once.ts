import * as z from "zod/mini";
import { epochMs, MINUTE_MS } from "../../../db/shapes/units.ts";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { createStored } from "../cache/storage.ts";
import { onSignedOut } from "../session/session.ts";
import { errorCodeOf } from "./request-error.ts";

/** After this time, the same request is meant as a new one. */
const KEPT_MS = 10 * MINUTE_MS;

export const storedSends = {
  key: "jornada.sends",
  shape: z.array(z.object({ name: z.string(), key: z.string(), sentAt: epochMs })),
  upcasts: [unchanged],
};
const inTab = createStored({ area: () => sessionStorage, ...storedSends });
/** The keys by the names of their requests. They outlive a reload, which is what somebody does who gets no answer. */
const keys = new Map(inTab.load()?.map(({ name, ...sent }) => [name, sent]));

onSignedOut(() => {
  keys.clear();
  inTab.remove();
});

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
    forget(name);
    return answer;
  } catch (error) {
    // The server knows the key from a different request.
    if (errorCodeOf(error) === "conflict") forget(name);
    throw error;
  }
}

function keyOf(name: string): string {
  const known = keys.get(name);
  const sentAt = Date.now();
  const key = known && sentAt - known.sentAt < KEPT_MS ? known.key : crypto.randomUUID();
  keys.set(name, { key, sentAt });
  store();
  return key;
}

function forget(name: string): void {
  keys.delete(name);
  store();
}

function store(): void {
  const kept = [...keys].filter(([, { sentAt }]) => Date.now() - sentAt < KEPT_MS);
  if (kept.length > 0) inTab.save(kept.map(([name, sent]) => ({ name, ...sent })));
  else inTab.remove();
}
