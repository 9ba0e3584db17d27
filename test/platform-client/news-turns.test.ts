import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDeps } from "../../durable/deps.ts";
import type { Env } from "../../durable/runtime/env.ts";
import { createPushSubscriber } from "../support/push-subscriber.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Lets all run that waits for no timer, until something holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise<void>((resolve) => setImmediate(resolve));
}

const ANSWER_MS = 50;

/** A driver's object whose pushes to the first browser are never answered. */
function open() {
  const sent: string[] = [];
  const SANDBOX = {
    fetch: (request: Request) => {
      sent.push(request.url);
      const answer = Promise.withResolvers<Response>();
      request.signal.addEventListener("abort", () => answer.reject(new DOMException("late", "AbortError")));
      if (!request.url.endsWith("/first"))
        setTimeout(() => answer.resolve(new Response(null, { status: 201 })), ANSWER_MS);
      return answer.promise;
    },
  };
  const { push } = createDeps({ ...DEMO_SETTINGS, DB: {}, SANDBOX } as unknown as Env, { log: () => {} });
  if (!push) throw new Error("no keys for push messages");
  return { push, sent };
}

it("a push waits for its turn as long as it must, and is sent then", async () => {
  const { push, sent } = open();
  const message = {
    data: { title: "t", body: "b", url: "/", tag: "work", event: "needs_you" as const },
    ttlSeconds: 60,
    urgency: "high" as const,
  };
  const to = async (name: string) => (await createPushSubscriber(`https://push.test/${name}`)).subscription;
  const browsers = [await to("first"), await to("second")] as const;
  const first = push.sendMessage(message, browsers[0]);
  await until(() => sent.length === 1);
  const encrypted = vi.spyOn(crypto.subtle, "encrypt");
  const second = push.sendMessage(message, browsers[1]);
  await until(() => encrypted.mock.settledResults.some(({ type }) => type === "fulfilled"));
  await vi.advanceTimersByTimeAsync(10_000);
  await until(() => sent.length === 2);
  await vi.advanceTimersByTimeAsync(ANSWER_MS);
  expect([await first, await second].map(({ kind }) => kind)).toEqual(["failed", "sent"]);
  expect(sent).toEqual(["https://push.test/first", "https://push.test/second"]);
});
