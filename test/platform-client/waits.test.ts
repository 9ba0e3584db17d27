import { describe, expect, it } from "vitest";
import { CALLS, createPlatformHarness, NOW, OPERATIONS, replayResponse } from "./harness.ts";

const HOUR_MS = 3_600_000;
const TEN_YEARS = String(10 * 365 * 86_400);

const failed = (status: number, headers: Record<string, string>) => () =>
  new Response("<h1>Hold on</h1>", { status, headers });
const poll = (reply: () => Response) => CALLS.listOffers(createPlatformHarness(reply).platform);

describe("Retry-After", () => {
  it.each(OPERATIONS)("on a 503 is kept for %s", async (_, call) => {
    const { platform } = createPlatformHarness(failed(503, { "retry-after": "15" }));
    expect(await call(platform)).toEqual({ kind: "unreachable", retryAt: NOW + 15_000 });
  });

  it.each([
    [500, { kind: "unreachable" }],
    [504, { kind: "unreachable" }],
    [200, { kind: "unreadable" }],
    [302, { kind: "unreadable" }],
    [401, { kind: "signed_out" }],
    [403, { kind: "refused", status: 403 }],
    [425, { kind: "refused", status: 425 }],
  ])("on a %i that is not understood is kept", async (status, failure) => {
    expect(await poll(failed(status, { "retry-after": "15" }))).toEqual({
      ...failure,
      retryAt: NOW + 15_000,
    });
    expect(await poll(failed(status, { "retry-after": "soon" }))).toEqual(failure);
  });

  it.each([
    ["seconds", "90", {}, 90_000],
    ["a date", "Sat, 21 Nov 2026 12:01:30 GMT", {}, 90_000],
    [
      "a date, by a clock that is an hour behind",
      "Sat, 21 Nov 2026 11:01:30 GMT",
      { date: "Sat, 21 Nov 2026 11:00:00 GMT" },
      90_000,
    ],
    [
      "a date, by a clock that is a day ahead",
      "Sun, 22 Nov 2026 12:01:30 GMT",
      { date: "Sun, 22 Nov 2026 12:00:00 GMT" },
      90_000,
    ],
    ["a date, with a malformed Date", "Sat, 21 Nov 2026 12:01:30 GMT", { date: "yesterday" }, 90_000],
    [
      "a date that had passed when it was sent",
      "Sat, 21 Nov 2026 12:01:30 GMT",
      { date: "Sat, 21 Nov 2026 12:02:00 GMT" },
      0,
    ],
    ["ten years in seconds", TEN_YEARS, {}, 4 * HOUR_MS],
    ["a date in ten years", "Sat, 21 Nov 2036 12:00:00 GMT", {}, 4 * HOUR_MS],
  ])("in %s is a wait of up to four hours", async (_, retryAfter, headers, waitMs) => {
    for (const status of [429, 503])
      expect(await poll(failed(status, { ...headers, "retry-after": retryAfter }))).toMatchObject({
        retryAt: NOW + waitMs,
      });
  });
});

describe("RateLimit-Reset", () => {
  it("is when a 429 without Retry-After ends", async () => {
    expect(await poll(failed(429, { "ratelimit-reset": "3" }))).toEqual({
      kind: "rate_limited",
      retryAt: NOW + 3000,
    });
    expect(await poll(failed(429, { "ratelimit-reset": "3", "retry-after": "7" }))).toEqual({
      kind: "rate_limited",
      retryAt: NOW + 7000,
    });
    expect(await poll(failed(429, { "ratelimit-reset": TEN_YEARS }))).toMatchObject({
      retryAt: NOW + 4 * HOUR_MS,
    });
  });

  it("on any other failure says nothing about it", async () => {
    expect(await poll(failed(503, { "ratelimit-reset": "3" }))).toEqual({ kind: "unreachable" });
  });

  it("of a list of offers is a month ahead at most", async () => {
    const headers = { "ratelimit-limit": "120", "ratelimit-remaining": "0", "ratelimit-reset": TEN_YEARS };
    expect(await poll(() => replayResponse("list-offers", { headers }))).toMatchObject({
      quota: { limit: 120, remaining: 0, resetAt: NOW + 31 * 24 * HOUR_MS },
    });
  });
});
