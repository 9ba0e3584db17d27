import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { forgetEarlyCalls, sendEarlyCalls, takeEarlyResponse } from "../../../web/early/early-calls.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { token } from "../../support/scripted-network.ts";

let harness: ReturnType<typeof createBrowserHarness>;
beforeEach(() => {
  harness = createBrowserHarness();
  harness.answer({
    "GET /status/health": { body: { ok: true } },
    "GET /flex/v1/user": { body: { Item: "first" } },
    "GET /flex/v1/user/earnings": { body: {} },
    "POST /flex/v1/live/ticket": { body: { ticket: "t" } },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const start = (pathname = "/flex/dashboard") => sendEarlyCalls(pathname, Date.now());
const sent = () => harness.calls.map(({ operation }) => operation);
const asDriver = (idToken: string) => ({ method: "GET", headers: { authorization: `Bearer ${idToken}` } });

it("sends nothing in anybody's name before a sign-in", () => {
  start();
  expect(sent()).toEqual(["GET /status/health"]);
});

it("leaves a token that must be renewed, and a malformed one, to the session", () => {
  harness.signIn({ idToken: token("id", { endsInMs: 30_000 }) });
  start();
  harness.signIn({ idToken: "no.token" });
  start();
  expect(sent().filter((call) => call !== "GET /status/health")).toEqual([]);
});

it("sends nothing for a page that is nobody's own", () => {
  harness.signIn({ idToken: token("id") });
  start("/");
  start("/login");
  expect(sent()).toEqual([]);
});

it("sends what the dashboard asks for, as the driver, and hands each response out once", async () => {
  const idToken = token("id");
  harness.signIn({ idToken });
  start();
  expect(sent()).toEqual([
    "GET /status/health",
    "GET /flex/v1/user",
    "GET /flex/v1/user/earnings",
    "POST /flex/v1/live/ticket",
  ]);
  expect(harness.calls[1]?.headers.get("authorization")).toBe(`Bearer ${idToken}`);
  const response = await takeEarlyResponse("/flex/v1/user", asDriver(idToken));
  expect(await response?.json()).toEqual({ Item: "first" });
  expect(takeEarlyResponse("/flex/v1/user", asDriver(idToken))).toBeUndefined();
});

it("hands nothing to another session, nor what is old by now", () => {
  const idToken = token("id");
  harness.signIn({ idToken });
  start();
  expect(takeEarlyResponse("/flex/v1/user", asDriver(token("access")))).toBeUndefined();
  vi.useFakeTimers({ now: Date.now() + 20_000 });
  expect(takeEarlyResponse("/flex/v1/user/earnings", asDriver(idToken))).toBeUndefined();
});

it("sends nothing where two drivers have signed in, and hands out what another read leaves", () => {
  const idToken = token("id");
  harness.signIn({ idToken });
  start();
  expect(takeEarlyResponse("/flex/v1/filters", asDriver(idToken))).toBeUndefined();
  expect(takeEarlyResponse("/flex/v1/user", asDriver(idToken))).toBeDefined();
  forgetEarlyCalls();
  const before = sent().length;
  harness.storage.setItem("CognitoIdentityServiceProvider.another.LastAuthUser", "another");
  start();
  expect(sent().slice(before)).toEqual(["GET /status/health"]);
});

it("hands nothing out after a change, or once the first screen is there", () => {
  const idToken = token("id");
  harness.signIn({ idToken });
  start();
  expect(takeEarlyResponse("/flex/v1/user", { ...asDriver(idToken), method: "PATCH" })).toBeUndefined();
  expect(takeEarlyResponse("/flex/v1/user", asDriver(idToken))).toBeUndefined();
  start();
  forgetEarlyCalls();
  expect(takeEarlyResponse("/flex/v1/user", asDriver(idToken))).toBeUndefined();
});

it("cancels what nothing has asked for, and leaves what was handed out", () => {
  const aborted = new Map<string, () => boolean | undefined>();
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    aborted.set(path, () => init.signal?.aborted);
    return fetch(path, init);
  });
  const idToken = token("id");
  harness.signIn({ idToken });
  start();
  expect(takeEarlyResponse("/flex/v1/user", asDriver(idToken))).toBeDefined();
  expect(takeEarlyResponse("/flex/v1/user/earnings", asDriver(token("access")))).toBeUndefined();
  const isAborted = () => [...aborted].map(([path, read]) => [path, read()]);
  expect(isAborted()).toEqual([
    ["/status/config", false],
    ["/status/health", false],
    ["/flex/v1/user", false],
    ["/flex/v1/user/earnings", true],
    ["/flex/v1/live/ticket", false],
  ]);
  forgetEarlyCalls();
  expect(isAborted()).toEqual([
    ["/status/config", true],
    ["/status/health", true],
    ["/flex/v1/user", false],
    ["/flex/v1/user/earnings", true],
    ["/flex/v1/live/ticket", true],
  ]);
});
