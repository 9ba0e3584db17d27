import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { request } from "../../../web/api/client/request.ts";
import { sendEarlyCalls } from "../../../web/early/early-calls.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";

/** The longest that a driver waits. */
const LIMIT_MS = 30_000;

let sent: { path: string; signal: AbortSignal | null | undefined }[];

/** Swallows each call: it ends only where its signal does. */
function swallow(path: string, { signal }: RequestInit = {}): Promise<Response> {
  sent.push({ path, signal });
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
  });
}

beforeEach(() => {
  sent = [];
  vi.useFakeTimers();
  createBrowserHarness();
  vi.stubGlobal("fetch", swallow);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** How a call has failed a moment before the limit, and after it. */
async function failuresOf(call: Promise<Response>): Promise<unknown[]> {
  let failure: unknown = null;
  call.catch((error: unknown) => (failure = error));
  await vi.advanceTimersByTimeAsync(LIMIT_MS - 100);
  const before = failure;
  await vi.advanceTimersByTimeAsync(200);
  return [before, failure];
}

const NO_ANSWER = expect.objectContaining({ status: 0, code: "network" });

it.each(["GET", "POST", "PUT"])(
  "cancels a %s that the network swallows, as one without an answer",
  async (method) => {
    expect(await failuresOf(request("/flex/v1/user", { method }))).toEqual([null, NO_ANSWER]);
    expect(sent.map(({ signal }) => signal?.aborted)).toEqual([true]);
  },
);

it("waits no longer for a call that was sent early", async () => {
  sendEarlyCalls("/flex/dashboard", Date.now());
  expect(await failuresOf(request("/status/config"))).toEqual([null, NO_ANSWER]);
  expect(sent.filter(({ path }) => path === "/status/config")).toHaveLength(1);
});

it("leaves an answer that has begun the time that it needs on a slow network", async () => {
  let signal: AbortSignal | null | undefined;
  vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
    signal = init.signal;
    return new Response("{}");
  });
  await request("/flex/v1/user");
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  expect(signal?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(signal?.aborted).toBe(true);
});
