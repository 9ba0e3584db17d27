import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { errorCodeOf } from "../../../web/api/client/request-error.ts";
import { statusQuery, userQuery } from "../../../web/api/queries/user.ts";
import { sessionStore } from "../../../web/api/session/session.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { token, tokenResponse, type Reply } from "../../support/scripted-network.ts";

const GET = "GET /flex/v1/user";
const UNAUTHORIZED = "Unauthorized request - token may be expired";

let harness: ReturnType<typeof createBrowserHarness>;
beforeEach(() => {
  harness = createBrowserHarness();
  harness.signIn();
  sessionStore.setState(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The name of the driver, null where there is no record, or the code of what failed. */
async function fetchUser(): Promise<string | null> {
  const client = new QueryClient({ defaultOptions: { queries: { retryDelay: 0 } } });
  return client.fetchQuery(userQuery).then((user) => user?.name ?? null, errorCodeOf);
}

const problem = (status: number, code: string): Reply => ({
  status,
  body: { code, message: { en: "-", es: "-", pt: "-" }, requestId: "1" },
});

it.each([
  ["asks once where there is no record", problem(404, "not_found"), null, 1],
  ["asks four times in all where the server fails", problem(500, "internal"), "internal", 4],
  ["asks four times in all where the network is down", "lost", "network", 4],
  ["asks four times in all where the answer can't be read", { body: { Item: {} } }, "internal", 4],
] as const)("%s", async (_what, reply, code, times) => {
  harness.answer({ [GET]: reply });
  expect(await fetchUser()).toBe(code);
  expect(harness.count(GET)).toBe(times);
});

it("asks again whenever the page becomes visible, back online or opened", async () => {
  const { refetchOnWindowFocus, refetchOnReconnect } = userQuery;
  expect([refetchOnWindowFocus, refetchOnReconnect]).toEqual(["always", "always"]);
  harness.answer({ [GET]: problem(404, "not_found") });
  const client = new QueryClient();
  await client.fetchQuery(userQuery);
  const mount = () => new QueryObserver(client, userQuery).subscribe(() => undefined)();
  // The parts of one screen that are mounted together share one answer.
  mount();
  expect(harness.count(GET)).toBe(1);
  client.setQueryData(userQuery.queryKey, null, { updatedAt: Date.now() - 5000 });
  mount();
  await expect.poll(() => harness.count(GET)).toBe(2);
});

it("asks though the device cached the record right before the page was loaded anew", async () => {
  harness.answer({ [GET]: problem(404, "not_found") });
  const client = new QueryClient();
  const cachedAt = Date.now();
  vi.stubGlobal("performance", { timeOrigin: cachedAt + 1 });
  client.setQueryData(userQuery.queryKey, null, { updatedAt: cachedAt });
  new QueryObserver(client, userQuery).subscribe(() => undefined)();
  await expect.poll(() => harness.count(GET)).toBe(1);
});

it("renews a token that the server refuses, once, and says so without the token", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const renewed = tokenResponse();
  harness.answer({ [GET]: problem(401, "unauthenticated"), Refresh: renewed });
  expect(await fetchUser()).toBe("unauthenticated");
  expect(harness.calls.map(({ operation }) => operation)).toEqual([GET, "Refresh", GET]);
  const { IdToken } = renewed.body.AuthenticationResult;
  expect(harness.calls[2]?.headers.get("authorization")).toBe(`Bearer ${IdToken ?? ""}`);
  expect(warn.mock.calls).toEqual([[UNAUTHORIZED], [UNAUTHORIZED]]);
  expect(sessionStore.get()).toBeNull();
});

it("renews a token that has ended before it is sent", async () => {
  harness.signIn({ idToken: token("id", { endsInMs: -1000 }) });
  harness.answer({ [GET]: problem(404, "not_found"), Refresh: tokenResponse() });
  expect(await fetchUser()).toBeNull();
  expect(harness.calls.map(({ operation }) => operation)).toEqual(["Refresh", GET]);
});

it("takes the key of sealed bodies from the status at the start", async () => {
  const health = vi.fn<typeof fetch>(async () =>
    Response.json(
      { ok: true, version: "1" },
      { headers: { "x-amz-cf-id": btoa("id"), "x-amz-version-id": btoa("k".repeat(32)) } },
    ),
  );
  vi.stubGlobal("fetch", health);
  expect(await new QueryClient().fetchQuery(statusQuery)).toBe(true);
  expect(health.mock.calls.map(([path]) => path)).toEqual(["/status/health"]);
});
