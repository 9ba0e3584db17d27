import { SELF } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { apiTarget, createDriver, resetPlatform } from "./harness.ts";

beforeEach(() => resetPlatform());

const HEADERS = ["cache-control", "x-content-type-options", "strict-transport-security"];

async function headersOf(path: string, init?: RequestInit) {
  const response = await SELF.fetch(`${apiTarget.origin}${path}`, init);
  await response.body?.cancel();
  return [response.status, ...HEADERS.map((name) => response.headers.get(name))];
}

it.each([
  ["a driver's record", "/flex/v1/user", 200],
  ["their log", "/flex/v1/blocks?type=won", 200],
  ["their export", "/flex/v1/user/export", 200],
  ["a path that no route has", "/flex/v1/nothing", 404],
])("keeps %s out of caches and guesses", async (_what, path, status) => {
  const { token } = await createDriver();
  expect(await headersOf(path, { headers: { authorization: `Bearer ${token}` } })).toEqual([
    status,
    "no-store",
    "nosniff",
    "max-age=31536000",
  ]);
});

it.each([
  ["a refusal at the gate", "/flex/v1/user", 401],
  ["a call to the user pool", "/identity/", 404],
  ["a webhook's refusal", "/webhooks/stripe", 404],
])("keeps %s out of caches and guesses", async (_what, path, status) => {
  expect(await headersOf(path)).toEqual([status, "no-store", "nosniff", "max-age=31536000"]);
});

it.each([
  ["/status/openapi.json", 300],
  ["/status/spots", 60],
  ["/status/platform", 60],
  ["/status/plans", 60],
  ["/status/inviters/jornada", 60],
])("leaves %s in caches for as long as its route says", async (path, seconds) => {
  expect(await headersOf(path)).toEqual([200, `public, max-age=${seconds}`, "nosniff", "max-age=31536000"]);
});

it("stops a driver's calls in a loop, and nobody else's", async () => {
  const [looping, other] = [await createDriver(), await createDriver()];
  const statuses = new Set<number>();
  for (let call = 0; call < 121; call += 1) {
    const response = await looping.client.call("GET", "/flex/v1/user/notifications");
    statuses.add(response.status);
    if (response.status === 429) {
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await response.json()).toMatchObject({ code: "rate_limited" });
    } else await response.body?.cancel();
  }
  expect([...statuses]).toEqual([200, 429]);
  expect((await other.client.call("GET", "/flex/v1/user/notifications")).status).toBe(200);
});
