import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SEALED_ROUTES } from "../../../worker/contract/sealed-body.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";

let harness: ReturnType<typeof createBrowserHarness>;
/** The id of the browser in each call but those for settings and keys. */
let named: Map<string, string | null>;

beforeEach(() => {
  vi.resetModules();
  harness = createBrowserHarness();
  harness.signIn();
  named = new Map();
  const network = fetch;
  vi.stubGlobal("fetch", async (input: string, init: RequestInit = {}) => {
    if (input === "/status/config") return network(input, init);
    if (input === "/status/health") {
      const headers = { "x-amz-cf-id": btoa("key"), "x-amz-version-id": btoa("k".repeat(32)) };
      return Response.json({ ok: true, version: "1" }, { headers });
    }
    named.set(`${init.method} ${input}`, new Headers(init.headers).get("x-device"));
    return Response.json({});
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const kept = () => localStorage.getItem("jornada.device");

it("is made for no other call than those that register or pay", async () => {
  const { requestAsDriver } = await import("../../../web/api/client/client.ts");
  for (const route of SEALED_ROUTES) {
    const [method = "", path = ""] = route.split(" ");
    await requestAsDriver(path, { method, body: "{}" });
  }
  expect([...named]).toEqual(SEALED_ROUTES.map((route) => [route, null]));
  expect(kept()).toBeNull();
});

it("is the same in the calls that register and pay", async () => {
  const { createDriverRecord } = await import("../../../web/features/account/driver-record.ts");
  const { requestPayment } = await import("../../../web/api/queries/payments.ts");
  // Neither can read its answer.
  await createDriverRecord(new QueryClient(), { name: "Ana", phone: "+15550100144" }).catch(() => undefined);
  await requestPayment({ plan: "7days", points: 0, totalCents: 5_022, lastPaymentId: null }).catch(
    () => undefined,
  );
  expect(kept()).toMatch(/^[0-9a-f-]{36}$/);
  expect([...named]).toEqual([
    ["PUT /flex/v1/user", kept()],
    ["POST /flex/v1/payments/prepare", kept()],
  ]);
});

it("is none where the browser keeps nothing", async () => {
  vi.stubGlobal("localStorage", null);
  const { browserHeaders } = await import("../../../web/api/device/browser-id.ts");
  expect(browserHeaders()).toEqual({});
});
