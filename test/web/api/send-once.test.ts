import { afterEach, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { RequestError } from "../../../web/api/client/request-error.ts";
import { sendOnce } from "../../../web/api/client/send-once.ts";
import { NOON } from "../../engine/fixtures.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The key under which something is sent that ends so. */
async function keyFor(asked: string, error: RequestError | null = null): Promise<string> {
  let sent = "none";
  const answer = sendOnce([asked], async (key) => {
    sent = key;
    if (error) throw error;
  });
  if (error) await expect(answer).rejects.toBe(error);
  else await answer;
  return sent;
}

const LOST = new RequestError(0, "network");

it.each([
  ["no answer", LOST],
  ["a failure of the server", new RequestError(500, "internal")],
  ["a refusal", new RequestError(402, "points_short")],
])("sends the same again under its key after %s, until that is done", async (what, error) => {
  const first = await keyFor(what, error);
  expect(await keyFor(`${what} to another`)).not.toBe(first);
  expect(await keyFor(what, error)).toBe(first);
  expect(await keyFor(what)).toBe(first);
  expect(await keyFor(what)).not.toBe(first);
});

it("takes another key where the one it has stands for something else", async () => {
  const first = await keyFor("taken", LOST);
  expect(await keyFor("taken", new RequestError(409, "conflict"))).toBe(first);
  expect(await keyFor("taken")).not.toBe(first);
});

it("takes the same ten minutes later for another one", async () => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  const first = await keyFor("late", LOST);
  vi.setSystemTime(NOON + 10 * MINUTE_MS - 1);
  expect(await keyFor("late", LOST)).toBe(first);
  vi.setSystemTime(NOON + 20 * MINUTE_MS - 1);
  expect(await keyFor("late")).not.toBe(first);
});

it("sends the same twice at once under one key", async () => {
  const keys: string[] = [];
  const send = () => sendOnce(["twice"], async (key) => void keys.push(key));
  await Promise.all([send(), send()]);
  expect(new Set(keys).size).toBe(1);
});

it("sends the same again under its key after a reload of the page, and forgets what is done or old", async () => {
  createBrowserHarness();
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  const reload = async () => {
    vi.resetModules();
    const anew = await import("../../../web/api/client/send-once.ts");
    return (asked: string) => anew.sendOnce([asked], async (key) => key);
  };
  const first = await keyFor("reloaded", LOST);
  const late = await keyFor("reloaded late", LOST);
  expect(await (await reload())("reloaded")).toBe(first);
  const afterIt = await reload();
  expect(await afterIt("reloaded")).not.toBe(first);
  vi.setSystemTime(NOON + 10 * MINUTE_MS);
  expect(await afterIt("reloaded late")).not.toBe(late);
  expect(Object.keys(sessionStorage)).toEqual([]);
});
