import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createPlatform } from "../../durable/platform/client.ts";
import {
  CALLS,
  NOW,
  OPERATIONS,
  problemResponse,
  replayResponse,
  neverResponds,
  createPlatformHarness,
} from "./harness.ts";

const html = (status: number) =>
  new Response("<!doctype html><h1>Hold on</h1>", { status, headers: { "content-type": "text/html" } });

/** Responses that every call handles alike, and their outcome. */
const ANYWHERE: [string, () => Response, unknown][] = [
  ["a 500", () => problemResponse(500, "internal"), { kind: "unreachable" }],
  ["a 525 of the network between", () => html(525), { kind: "unreachable", cause: "tls" }],
  ["a 502 in HTML", () => html(502), { kind: "unreachable" }],
  ["a 503 with the code of a refusal", () => problemResponse(503, "offer_gone"), { kind: "unreachable" }],
  ["an HTML page", () => html(200), { kind: "unreadable" }],
  ["truncated JSON", () => new Response('{"offers":[{"offerId":"o'), { kind: "unreadable" }],
  ["bytes that are not text", () => new Response(new Uint8Array([0xff, 0xfe, 0x00])), { kind: "unreadable" }],
  [
    "a redirect",
    () => new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } }),
    { kind: "unreadable" },
  ],
  [
    "a 429 without Retry-After",
    () => problemResponse(429, "rate_limited"),
    { kind: "rate_limited", retryAt: null },
  ],
  [
    "an HTML 429 with Retry-After in seconds",
    () => new Response("<h1>Slow down</h1>", { status: 429, headers: { "retry-after": "30" } }),
    { kind: "rate_limited", retryAt: NOW + 30_000 },
  ],
  [
    "a 400 that is a rate limit, with Retry-After as a date",
    () => problemResponse(400, "rate_limited", { "retry-after": "Sat, 21 Nov 2026 12:02:00 GMT" }),
    { kind: "rate_limited", retryAt: NOW + 120_000 },
  ],
  [
    "a 429 with Retry-After in the past",
    () => problemResponse(429, "rate_limited", { "retry-after": "Sat, 21 Nov 2026 11:00:00 GMT" }),
    { kind: "rate_limited", retryAt: NOW },
  ],
  [
    "a 429 with a malformed Retry-After",
    () => problemResponse(429, "rate_limited", { "retry-after": "-5" }),
    { kind: "rate_limited", retryAt: null },
  ],
  ["a 403 without a code", () => html(403), { kind: "refused", status: 403 }],
  ["a 404 in HTML", () => html(404), { kind: "refused", status: 404 }],
  [
    "a 400 for an invalid request",
    () => problemResponse(400, "invalid_request"),
    { kind: "refused", status: 400 },
  ],
  [
    "a 403 that requires a selfie",
    () => problemResponse(403, "verification_required"),
    { kind: "verification_required", url: null },
  ],
];

it.each(OPERATIONS)(
  "hands %s over to the driver where a 403 of an unknown code has a page for them",
  async (_, call) => {
    const url = "https://platform.example/captcha";
    const refusal = (changes: Record<string, unknown>) => () =>
      Response.json(
        { status: 403, code: "captcha_required", title: "Words", url, ...changes },
        { status: 403 },
      );
    const outcome = (changes: Record<string, unknown>) =>
      call(createPlatformHarness(refusal(changes)).platform);
    expect([
      await outcome({}),
      await outcome({ url: "javascript:alert(1)" }),
      await outcome({ code: "invalid_request" }),
    ]).toEqual([
      { kind: "verification_required", url },
      { kind: "refused", status: 403 },
      { kind: "refused", status: 403 },
    ]);
  },
);

/** Calls of which a 2xx says all. */
const YES: ReadonlySet<string> = new Set([
  "acceptOffer",
  "checkIn",
  "resendOtp",
  "endSession",
  "forfeitBlock",
]);

it.each(OPERATIONS.filter(([name]) => !YES.has(name)))(
  "can't read JSON of another shape for %s",
  async (_, call) => {
    for (const body of [{ offers: 7 }, null]) {
      expect(await call(createPlatformHarness(() => Response.json(body)).platform)).toEqual({
        kind: "unreadable",
      });
    }
  },
);

const everywhere = ANYWHERE.flatMap(([what, reply, outcome]) =>
  OPERATIONS.map(([name, call]) => [name, what, call, reply, outcome] as const),
);

it.each(everywhere)("handles for %s: %s", async (_name, _what, call, reply, outcome) => {
  expect(await call(createPlatformHarness(reply).platform)).toEqual(outcome);
});

const SIGNED_OUT = OPERATIONS.filter(([name]) => name !== "createSession" && name !== "refreshTokens");

it.each(SIGNED_OUT)("treats a 401 as signed out for %s", async (_, call) => {
  expect(await call(createPlatformHarness(() => problemResponse(401, "invalid_token")).platform)).toEqual({
    kind: "signed_out",
  });
});

it.each(OPERATIONS)("reports unreachable for %s if the connection is refused or breaks", async (_, call) => {
  const failed = createPlatformHarness(() => Promise.reject(new TypeError("fetch failed")));
  expect(await call(failed.platform)).toEqual({ kind: "unreachable" });
  const cause = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  const refused = createPlatformHarness(() => Promise.reject(new TypeError("fetch failed", { cause })));
  expect(await call(refused.platform)).toEqual({ kind: "unreachable", cause: "refused" });
  const broken = createPlatformHarness(
    () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('{"offers":')),
          pull: (controller) => controller.error(new TypeError("connection lost")),
        }),
      ),
  );
  expect(await call(broken.platform)).toEqual({ kind: "unreachable", cause: "reset" });
});

it("reads at most 6 MB of a body and cancels the rest", async () => {
  let pulled = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(65_536).fill(32));
    },
    cancel() {
      cancelled = true;
    },
  });
  const { platform } = createPlatformHarness(() => new Response(endless));
  expect(await CALLS.listBlocks(platform)).toEqual({ kind: "unreadable" });
  expect(cancelled).toBe(true);
  expect(pulled).toBeLessThan(110);
});

it("rejects a body that is not UTF-8 even if it would parse as JSON", async () => {
  const bytes = new TextEncoder().encode('{"offers":[],"note":"?"}');
  bytes[bytes.indexOf(63)] = 0xff;
  const { platform } = createPlatformHarness(() => new Response(bytes));
  expect(await CALLS.listOffers(platform)).toEqual({ kind: "unreadable" });
});

it("recognizes a rate limit by its code under any 4xx, before the call's own meaning of that status", async () => {
  const answer = (name: keyof typeof CALLS, status: number) =>
    CALLS[name](
      createPlatformHarness(() => problemResponse(status, "rate_limited", { "retry-after": "9" })).platform,
    );
  const limited = { kind: "rate_limited", retryAt: NOW + 9_000 };
  expect(await answer("createSession", 423)).toEqual(limited);
  expect(await answer("readSession", 404)).toEqual(limited);
  expect(await answer("answerOtp", 410)).toEqual(limited);
  expect(await answer("checkIn", 404)).toEqual(limited);
});

it.each(["account_locked", "invalid_credentials"])(
  "reads %s by its code under another status",
  async (code) => {
    const { platform } = createPlatformHarness(() => problemResponse(403, code));
    expect(await CALLS.createSession(platform)).toEqual({ kind: code });
  },
);

it("accepts a body with a byte order mark", async () => {
  const json = await replayResponse("list-offers").text();
  const { platform } = createPlatformHarness(() => new Response(`\uFEFF${json}`));
  expect(await CALLS.listOffers(platform)).toMatchObject({ kind: "offers" });
});

it("never writes to the console", async () => {
  const lines = (["log", "info", "warn", "error", "debug"] as const).map((level) => vi.spyOn(console, level));
  for (const [, reply] of ANYWHERE)
    for (const [, call] of OPERATIONS) await call(createPlatformHarness(reply).platform);
  expect(lines.flatMap((line) => line.mock.calls)).toEqual([]);
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const LIMITS = OPERATIONS.map(
  ([name, call]) =>
    [name, name === "listOffers" ? 5_000 : name === "acceptOffer" ? 8_000 : 10_000, call] as const,
);

it.each(LIMITS)("times %s out after %i ms and aborts the request", async (_, limitMs, call) => {
  const { platform, requests } = createPlatformHarness(neverResponds);
  const outcome = vi.fn();
  const done = call(platform).then(outcome);
  await vi.advanceTimersByTimeAsync(limitMs - 1);
  expect(outcome).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await done;
  expect(outcome).toHaveBeenCalledWith({ kind: "timeout" });
  expect(requests[0]?.signal.aborted).toBe(true);
});

it("times out even if the server ignores the signal or the body stalls", async () => {
  const timeouts = { timeouts: { pollMs: 20 } };
  const ignoring = createPlatformHarness(() => new Promise<Response>(() => undefined), timeouts);
  const stalling = createPlatformHarness(
    () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) })),
    timeouts,
  );
  const outcomes = Promise.all([CALLS.listOffers(ignoring.platform), CALLS.listOffers(stalling.platform)]);
  await vi.advanceTimersByTimeAsync(20);
  expect(await outcomes).toEqual([{ kind: "timeout" }, { kind: "timeout" }]);
});

it("leaves no timer behind, which would keep an object from hibernating", async () => {
  await CALLS.listOffers(createPlatformHarness(() => replayResponse("list-offers")).platform);
  await CALLS.listOffers(createPlatformHarness(() => Promise.reject(new TypeError("fetch failed"))).platform);
  expect(vi.getTimerCount()).toBe(0);
});

it("does not throw if the request can't be constructed", async () => {
  const platform = createPlatform({
    baseUrl: "no address",
    userAgent: "x",
    send: neverResponds,
    note: () => {},
    now: () => NOW,
  });
  expect(await CALLS.listOffers(platform)).toEqual({ kind: "unreachable" });
});
