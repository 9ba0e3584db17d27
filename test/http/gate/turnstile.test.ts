import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openDb } from "../../../db/client.ts";
import { clearAlert, loadAlerts } from "../../../db/queries/fleet/alerts.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { createDeps } from "../../../durable/deps.ts";
import { createHumanCheck } from "../../../worker/http/gate/user-pool.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";

const KEYS = {
  TURNSTILE_URL: "https://challenge.example",
  TURNSTILE_SITE_KEY: "1x0",
  TURNSTILE_SECRET_KEY: "2x0",
};
const { config } = createDeps({ ...DEMO_SETTINGS, ...KEYS, DB: {}, DRIVER: {}, ASSETS: {} });
const unset = createDeps({ ...DEMO_SETTINGS, DB: {}, DRIVER: {}, ASSETS: {} }).config;

const log = vi.fn();
const db = openDb(bindD1(migratedDatabase()));
const NOW = Date.parse("2026-11-21T12:00:00Z");
const now = () => NOW;
let asked: { url: string; method: string; type: string | null; body: string }[] = [];
beforeEach(() => {
  asked = [];
  log.mockClear();
});
afterEach(() => vi.useRealTimers());

/** A check whose service answers with `text`. */
function checkAnswered(text: string) {
  const send = async (request: Request) => {
    const { url, method, headers } = request;
    asked.push({ url, method, type: headers.get("content-type"), body: await request.text() });
    return new Response(text);
  };
  return createHumanCheck({ config, db, now, send, log });
}

it("asks the service with secret, token and address", async () => {
  const check = checkAnswered('{"success":true,"action":"register"}');
  expect(await check?.("a token", "192.0.2.1")).toBe(true);
  expect(await check?.("a token", null)).toBe(true);
  expect(asked).toEqual(
    ["secret=2x0&response=a+token&remoteip=192.0.2.1", "secret=2x0&response=a+token"].map((body) => ({
      url: "https://challenge.example/turnstile/v0/siteverify",
      method: "POST",
      type: "application/x-www-form-urlencoded;charset=UTF-8",
      body,
    })),
  );
  expect(log).not.toHaveBeenCalled();
});

it.each([
  ["a solved challenge that says no purpose", '{"success":true}', true],
  ["one without a purpose by name", '{"success":true,"action":null}', true],
  ["a challenge for another purpose", '{"success":true,"action":"login"}', false],
  ["a failed one", '{"success":false,"action":"register"}', false],
])("takes %s for what it is", async (_what, answer, isHuman) => {
  expect(await checkAnswered(answer)?.("token", null)).toBe(isHuman);
  expect(log).not.toHaveBeenCalled();
});

it.each([
  ["no JSON", "<html>"],
  ["JSON of another shape", '{"success":"yes"}'],
])("lets nobody through where the answer is %s, and says so", async (_what, answer) => {
  expect(await checkAnswered(answer)?.("token", null)).toBe(false);
  expect(log.mock.calls).toEqual([["error", "turnstile.failed", { kind: "arrived" }]]);
});

it("lets nobody through who waits for an answer for more than five seconds", async () => {
  vi.useFakeTimers();
  const never = createHumanCheck({ config, db, now, send: () => new Promise(() => {}), log });
  const answered = never?.("token", null);
  await vi.advanceTimersByTimeAsync(4999);
  expect(log).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await answered).toBe(false);
  expect(log.mock.calls).toEqual([
    ["warn", "call.failed", { service: "turnstile", cause: "timed_out" }],
    ["error", "turnstile.failed", { kind: "timeout" }],
  ]);
});

it("tells operators where the service doesn't know our key, for a quarter of an hour", async () => {
  await clearAlert(db, "registering.challenge");
  const answer = '{"success":false,"error-codes":["invalid-input-secret"]}';
  expect(await checkAnswered(answer)?.("token", null)).toBe(false);
  expect(log.mock.calls).toEqual([["error", "turnstile.failed", { kind: "secret" }]]);
  const until = NOW + 15 * MINUTE_MS;
  expect(await loadAlerts(db, NOW)).toEqual([
    { name: "registering.challenge", reason: "secret", since: NOW, until },
  ]);
});

it("tells operators where the service gives no answer twice in a row, and of no single lost call", async () => {
  await clearAlert(db, "registering.challenge");
  let text = "<html>";
  const send = async () => new Response(text);
  const check = createHumanCheck({ config, db, now, send, log });
  await check?.("token", null);
  text = '{"success":true}';
  await check?.("token", null);
  text = "<html>";
  await check?.("token", null);
  expect(await loadAlerts(db, NOW)).toEqual([]);
  await check?.("token", null);
  expect((await loadAlerts(db, NOW)).map(({ name }) => name)).toEqual(["registering.challenge"]);
});

it("tells operators of nobody who failed the challenge", async () => {
  await clearAlert(db, "registering.challenge");
  const answer = '{"success":false,"error-codes":["timeout-or-duplicate"]}';
  expect(await checkAnswered(answer)?.("token", null)).toBe(false);
  expect([log.mock.calls, await loadAlerts(db, NOW)]).toEqual([[], []]);
});

it("does not ask about what can't be a token", async () => {
  const check = checkAnswered('{"success":true}');
  for (const token of [null, "", "x".repeat(2049)]) expect(await check?.(token, null)).toBe(false);
  expect(asked).toEqual([]);
  expect(await check?.("x".repeat(2048), null)).toBe(true);
});

it("is null where no keys are set", () => {
  expect(createHumanCheck({ config: unset, db, now, send: fetch, log })).toBeNull();
});
