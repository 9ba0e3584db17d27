import { QueryClient } from "@tanstack/react-query";
import { isRedirect } from "@tanstack/react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { saveUser } from "../../../web/api/cache/offline-cache.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { sessionStore } from "../../../web/api/session/session.ts";
import { requireCurrentDriver, requireDriver } from "../../../web/features/session/driver-guard.ts";
import { RECORD } from "../../support/driver-record.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { errorReply, SUB, token, type Reply } from "../../support/scripted-network.ts";

const GET = "GET /flex/v1/user";

let harness: ReturnType<typeof createBrowserHarness>;
beforeEach(() => {
  harness = createBrowserHarness();
  sessionStore.setState(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.resetModules();
});

const apiError = (status: number, code: string): Reply => ({
  status,
  body: { code, message: { en: "-", es: "-", pt: "-" }, requestId: "1" },
});

/** The driver's name, or what was thrown: the error's message, or where a redirect leads. */
async function guard(): Promise<unknown> {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retryDelay: 0 } } });
  try {
    return (await requireDriver(queryClient, "/flex/blocks?type=lost")).name;
  } catch (thrown) {
    if (isRedirect(thrown)) return thrown.options;
    return thrown instanceof Error ? thrown.message || thrown.name : thrown;
  }
}

const SIGN_IN = { to: "/login", search: { back: "/flex/blocks?type=lost" }, replace: true };

it("lets a driver past, whose record it has then", async () => {
  harness.signIn();
  harness.answer({ [GET]: { body: { Item: RECORD } } });
  expect(await guard()).toBe("Ana");
});

it("lets a driver past by the record of the last visit, without a call", async () => {
  harness.signIn();
  saveUser(SUB, { ...RECORD, name: "Ana Maria" }, 1);
  expect(await guard()).toBe("Ana Maria");
  expect(harness.calls).toEqual([]);
});

it("decides where a driver goes by the record as it is now, not by the one of the last visit", async () => {
  const queryClient = new QueryClient();
  harness.signIn();
  saveUser(SUB, RECORD, 1);
  await requireDriver(queryClient, "/flex");
  harness.answer({ [GET]: { body: { Item: { ...RECORD, proxyInstalled: true } } } });
  // Asked before the driver's last step, and answered last.
  void queryClient.fetchQuery({ ...userQuery, queryFn: () => new Promise<User>(() => {}) }).catch(() => {});
  expect(await requireCurrentDriver(queryClient, "/flex")).toMatchObject({ proxyInstalled: true });
});

it.each<[string, Reply, string]>([
  ["by the known one without a connection", "lost", "Ana"],
  ["by none where the server has none", apiError(404, "not_found"), "MissingRecordError"],
  ["by none where the server fails", apiError(500, "internal"), "Failed to fetch user data"],
])("decides %s", async (_how, reply, outcome) => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retryDelay: 0 } } });
  harness.signIn();
  saveUser(SUB, RECORD, 1);
  harness.answer({ [GET]: reply });
  const decided = await requireCurrentDriver(queryClient, "/flex").then(
    ({ name }) => name,
    (error: Error) => error.message || error.name,
  );
  expect(decided).toBe(outcome);
});

it("loads the config for the screens, also where the session is known already", async () => {
  harness.signIn();
  harness.answer({ [GET]: { body: { Item: RECORD } } });
  await guard();
  const queryClient = new QueryClient();
  await requireDriver(queryClient, "/flex/dashboard");
  expect(queryClient.getQueryData(configQuery.queryKey)).toMatchObject({ currency: "USD" });
});

it("sends a visitor to sign in, and from there back, without a call", async () => {
  expect(await guard()).toMatchObject(SIGN_IN);
  expect(harness.calls).toEqual([]);
});

it("sends a driver to sign in whose session turns out to be over", async () => {
  const ended = { endsInMs: -1000 };
  harness.signIn({ idToken: token("id", ended), accessToken: token("access", ended) });
  harness.answer({ Refresh: errorReply("NotAuthorizedException", "Refresh Token has been revoked") });
  expect(await guard()).toMatchObject(SIGN_IN);
  expect(harness.count("Refresh")).toBe(1);
});

it.each([
  ["there is no record", apiError(404, "not_found"), "MissingRecordError"],
  ["the record can't be fetched", apiError(500, "internal"), "Failed to fetch user data"],
])("says that %s", async (_what, reply, thrown) => {
  harness.signIn();
  harness.answer({ [GET]: reply });
  expect(await guard()).toBe(thrown);
});

it("says that the status can't be fetched, and looks for a session again the next time", async () => {
  harness.signIn();
  harness.answer({ [GET]: { body: { Item: RECORD } } });
  const { fetch } = globalThis;
  // A module of its own: a config that was fetched once is not fetched again.
  vi.resetModules();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
  const { requireDriver: requireAnew } = await import("../../../web/features/session/driver-guard.ts");
  const queryClient = new QueryClient({ defaultOptions: { queries: { retryDelay: 0 } } });
  await expect(requireAnew(queryClient, "/flex/blocks")).rejects.toThrow("Failed to fetch status");
  vi.stubGlobal("fetch", fetch);
  expect(await requireAnew(queryClient, "/flex/blocks")).toMatchObject({ name: "Ana" });
});
