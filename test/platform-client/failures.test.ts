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

/** What any call makes of an answer that is not its own. */
const ANYWHERE: [string, () => Response, unknown][] = [
  ["a 500", () => problemResponse(500, "internal"), { kind: "unreachable" }],
  ["a 502 in HTML", () => html(502), { kind: "unreachable" }],
  ["a 503 whose code claims more", () => problemResponse(503, "offer_gone"), { kind: "unreachable" }],
  ["a page in HTML", () => html(200), { kind: "unreadable" }],
  ["JSON that breaks off", () => new Response('{"offers":[{"offerId":"o'), { kind: "unreadable" }],
  ["JSON of another shape", () => Response.json({ offers: 7 }), { kind: "unreadable" }],
  ["JSON null", () => Response.json(null), { kind: "unreadable" }],
  ["bytes that are no text", () => new Response(new Uint8Array([0xff, 0xfe, 0x00])), { kind: "unreadable" }],
  [
    "a redirect",
    () => new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } }),
    { kind: "unreadable" },
  ],
  [
    "a 429 without a wait",
    () => problemResponse(429, "rate_limited"),
    { kind: "rate_limited", retryAt: null },
  ],
  [
    "a 429 in HTML, to wait 30 seconds",
    () => new Response("<h1>Slow down</h1>", { status: 429, headers: { "retry-after": "30" } }),
    { kind: "rate_limited", retryAt: NOW + 30_000 },
  ],
  [
    "a 400 that is a rate limit, until a date",
    () => problemResponse(400, "rate_limited", { "retry-after": "Sat, 21 Nov 2026 12:02:00 GMT" }),
    { kind: "rate_limited", retryAt: NOW + 120_000 },
  ],
  [
    "a 429 until a date gone by",
    () => problemResponse(429, "rate_limited", { "retry-after": "Sat, 21 Nov 2026 11:00:00 GMT" }),
    { kind: "rate_limited", retryAt: NOW },
  ],
  [
    "a 429 with a wait that is neither",
    () => problemResponse(429, "rate_limited", { "retry-after": "-5" }),
    { kind: "rate_limited", retryAt: null },
  ],
  ["a 403 without a code", () => html(403), { kind: "refused", status: 403 }],
  ["a 404 in HTML", () => html(404), { kind: "refused", status: 404 }],
  [
    "a 400 for a bad request",
    () => problemResponse(400, "invalid_request"),
    { kind: "refused", status: 400 },
  ],
  [
    "a 403 for a selfie",
    () => problemResponse(403, "verification_required"),
    { kind: "verification_required", url: null },
  ],
];

const everywhere = ANYWHERE.flatMap(([what, reply, outcome]) =>
  OPERATIONS.map(([name, call]) => [name, what, call, reply, outcome] as const),
);

it.each(everywhere)("reads for %s %s", async (_name, _what, call, reply, outcome) => {
  expect(await call(createPlatformHarness(reply).platform)).toEqual(outcome);
});

const SIGNED_OUT = OPERATIONS.filter(([name]) => name !== "createSession" && name !== "refreshTokens");

it.each(SIGNED_OUT)("reads for %s a 401 as signed out", async (_, call) => {
  expect(await call(createPlatformHarness(() => problemResponse(401, "invalid_token")).platform)).toEqual({
    kind: "signed_out",
  });
});

it.each(OPERATIONS)("is unreachable for %s where the connection is refused or breaks", async (_, call) => {
  const refused = createPlatformHarness(() => Promise.reject(new TypeError("fetch failed")));
  expect(await call(refused.platform)).toEqual({ kind: "unreachable" });
  const broken = createPlatformHarness(
    () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('{"offers":')),
          pull: (controller) => controller.error(new TypeError("connection lost")),
        }),
      ),
  );
  expect(await call(broken.platform)).toEqual({ kind: "unreachable" });
});

it("reads no more than 2 MB of a body, and lets the rest go", async () => {
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
  expect(await CALLS.listOffers(platform)).toEqual({ kind: "unreadable" });
  expect(cancelled).toBe(true);
  expect(pulled).toBeLessThan(40);
});

it("takes no text that is not UTF-8, even where its JSON could be read", async () => {
  const bytes = new TextEncoder().encode('{"offers":[],"note":"?"}');
  bytes[bytes.indexOf(63)] = 0xff;
  const { platform } = createPlatformHarness(() => new Response(bytes));
  expect(await CALLS.listOffers(platform)).toEqual({ kind: "unreadable" });
});

it("reads a rate limit under any refusing status, before what that status means to a call", async () => {
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

it("takes a body that opens with a byte order mark", async () => {
  const json = await replayResponse("list-offers").text();
  const { platform } = createPlatformHarness(() => new Response(`\uFEFF${json}`));
  expect(await CALLS.listOffers(platform)).toMatchObject({ kind: "offers" });
});

it("says nothing to the console, whatever comes", async () => {
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

it.each(LIMITS)("gives %s up after %i ms, and breaks the request off", async (_, limitMs, call) => {
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

it("holds its limit where the far side ignores the signal, and while a body trickles", async () => {
  const timeouts = { pollMs: 20 };
  const deaf = createPlatformHarness(() => new Promise<Response>(() => undefined), timeouts);
  const trickle = createPlatformHarness(
    () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) })),
    timeouts,
  );
  const outcomes = Promise.all([CALLS.listOffers(deaf.platform), CALLS.listOffers(trickle.platform)]);
  await vi.advanceTimersByTimeAsync(20);
  expect(await outcomes).toEqual([{ kind: "timeout" }, { kind: "timeout" }]);
});

it("leaves no timer behind: an object with one can't hibernate", async () => {
  await CALLS.listOffers(createPlatformHarness(() => replayResponse("list-offers")).platform);
  await CALLS.listOffers(createPlatformHarness(() => Promise.reject(new TypeError("fetch failed"))).platform);
  expect(vi.getTimerCount()).toBe(0);
});

it("does not throw where a request can't even be made", async () => {
  const platform = createPlatform({
    baseUrl: "no address",
    userAgent: "x",
    send: neverResponds,
    now: () => NOW,
  });
  expect(await CALLS.listOffers(platform)).toEqual({ kind: "unreachable" });
});
