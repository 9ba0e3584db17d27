import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RECORD } from "../../support/driver-record.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { IDENTITY, SUB } from "../../support/scripted-network.ts";

let harness: ReturnType<typeof createBrowserHarness>;
beforeEach(() => {
  vi.resetModules();
  harness = createBrowserHarness();
  harness.signIn();
  vi.stubGlobal("document", new EventTarget());
  vi.stubGlobal("addEventListener", () => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** A page of the driver who is signed in, whose data is cached on the device. */
async function openPage() {
  const { startOfflineCache } = await import("../../../web/api/cache/offline-cache.ts");
  const { restoreSession, clearSession } = await import("../../../web/api/session/session.ts");
  const { userQuery } = await import("../../../web/api/queries/user.ts");
  restoreSession(IDENTITY, Date.now());
  const client = new QueryClient();
  startOfflineCache(client);
  return { client, clearSession, record: () => client.getQueryData(userQuery.queryKey), userQuery };
}

const cached = () => Object.keys(harness.storage).filter((key) => key.startsWith("jornada.last."));

it("caches the driver's record, and nothing else that the page reads, until they sign out", async () => {
  const { client, userQuery, clearSession } = await openPage();
  client.setQueryData(["rewards"], { balance: 7 });
  expect(cached()).toEqual([]);
  client.setQueryData(userQuery.queryKey, RECORD);
  expect(cached()).toEqual([`jornada.last.${SUB}.user`]);
  clearSession(IDENTITY);
  expect(cached()).toEqual([]);
  // Answered after they signed out.
  client.setQueryData(userQuery.queryKey, RECORD);
  expect(cached()).toEqual([]);
});

it("has the record of an earlier page until the server answers", async () => {
  const { client, userQuery, record } = await openPage();
  expect(record()).toBeUndefined();
  client.setQueryData(userQuery.queryKey, RECORD);
  vi.resetModules();
  expect((await openPage()).record()).toEqual(RECORD);
});
