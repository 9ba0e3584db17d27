import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBrowserHarness } from "../../support/browser-harness.ts";

const KEY = "jornada.bookmark";

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

/** The module as a page that has just loaded has it. */
async function loadPage() {
  vi.resetModules();
  return import("../../../web/api/client/bookmark.ts");
}

it("the bookmark outlives a load of the page, and the greatest wins in whatever order responses come", async () => {
  const page = await loadPage();
  expect(page.currentBookmark()).toBeNull();
  for (const given of ["00000002-a", null, "00000001-b"]) page.saveBookmark(given);
  expect([page.currentBookmark(), stored.get(KEY)]).toEqual(["00000002-a", "00000002-a"]);
  const reloaded = await loadPage();
  expect(reloaded.currentBookmark()).toBe("00000002-a");
  reloaded.saveBookmark("00000003-c");
  expect([reloaded.currentBookmark(), stored.get(KEY)]).toEqual(["00000003-c", "00000003-c"]);
});

it("the bookmark lasts as long as the page where the browser stores nothing", async () => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.stubGlobal("sessionStorage", { getItem: refuse, setItem: refuse });
  const page = await loadPage();
  page.saveBookmark("00000002-a");
  expect(page.currentBookmark()).toBe("00000002-a");
});

it("a driver's calls name the bookmark of the last response, and none before there is one", async () => {
  const harness = createBrowserHarness();
  harness.signIn();
  const headers = { "x-d1-bookmark": "00000002-a" };
  harness.answer({ "GET /flex/v1/user": { body: {}, headers } });
  vi.resetModules();
  const { requestAsDriver } = await import("../../../web/api/client/client.ts");
  for (let call = 0; call < 2; call += 1) await requestAsDriver("/flex/v1/user", {});
  expect(harness.calls.map((call) => call.headers.get("x-d1-bookmark"))).toEqual([null, "00000002-a"]);
});

it("an operator's calls name it, too", async () => {
  const named: (string | null)[] = [];
  vi.stubGlobal("location", new URL("https://jornada.test/ops/prices"));
  vi.stubGlobal("fetch", async (_input: RequestInfo | URL, init: RequestInit = {}) => {
    named.push(new Headers(init.headers).get("x-d1-bookmark"));
    return Response.json({}, { headers: { "x-d1-bookmark": `0000000${named.length}-a` } });
  });
  vi.resetModules();
  const { api } = await import("../../../web/console/calls/api.ts");
  for (let call = 0; call < 3; call += 1) await api.prices.$get();
  expect(named).toEqual([null, "00000001-a", "00000002-a"]);
});
