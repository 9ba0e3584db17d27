import { describe, expect, it } from "vitest";
import { createDeps } from "../../../durable/deps.ts";
import { driverId } from "../../../db/shapes/units.ts";
import { limitAddress, createRateLimiter } from "../../../worker/http/rate-limiter.ts";
import { limitCalls } from "../../../worker/http/gate/gate.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { appWith } from "../app-with.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

describe("a limit of one isolate", () => {
  it("refuses calls over it until its window ends", () => {
    const limiter = createRateLimiter({ most: 2, windowMs: 1000 });
    const counted = [0, 1, 2, 999, 1000].map((ms) => limiter.count("a", NOW + ms));
    expect(counted).toEqual([null, null, NOW + 1000, NOW + 1000, null]);
    expect(limiter.count("b", NOW + 999)).toBeNull();
  });

  it("forgets all names rather than remember ever more of them", () => {
    const limiter = createRateLimiter({ most: 1, windowMs: 1000 });
    for (let name = 0; name < 10_000; name += 1) limiter.count(`${name}`, NOW);
    expect(limiter.count("0", NOW)).toBe(NOW + 1000);
    expect(limiter.count("one more", NOW)).toBeNull();
    expect(limiter.count("0", NOW)).toBeNull();
  });
});

describe("a driver's calls", () => {
  it("are 120 in ten seconds; the response to the next one says how many whole seconds to wait", async () => {
    let now = NOW;
    const deps = {
      ...createDeps({ ...DEMO_SETTINGS, DB: {}, DRIVER: {}, ASSETS: {} }),
      now: () => now,
      security: { note: async () => {} },
    };
    const app = appWith({ deps }).get("/", (c) => {
      limitCalls(driverId.parse(c.req.header("x-driver")), now);
      return c.text("done");
    });
    const call = async (driver: string) => {
      const response = await app.request("/", { headers: { "x-driver": driver } });
      return [response.status, response.headers.get("retry-after")];
    };
    const [looping, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const first = await Promise.all(Array.from({ length: 120 }, () => call(looping)));
    expect(new Set(first.map(([status]) => status))).toEqual(new Set([200]));
    expect(await call(looping)).toEqual([429, "10"]);
    now += 8500;
    expect(await call(looping)).toEqual([429, "2"]);
    expect(await call(other)).toEqual([200, null]);
    now += 1500;
    expect(await call(looping)).toEqual([200, null]);
  });
});

describe("an address", () => {
  const refused = { limit: async ({ key }: { key: string }) => ({ success: key !== "192.0.2.1" }) };
  const security = { note: async () => {} };
  const deps = { ...createDeps({ ...DEMO_SETTINGS, DB: {}, DRIVER: {}, ASSETS: {} }), security };
  const app = appWith({ deps })
    .use(limitAddress)
    .get("/", (c) => c.text("done"));
  const call = async (address: string | null, limits: object) => {
    const headers = address === null ? undefined : { "cf-connecting-ip": address };
    const response = await app.request("/", { headers }, limits);
    return [response.status, response.headers.get("retry-after")];
  };

  it("waits a minute where the runtime's counter refuses it, and no other does", async () => {
    expect(await call("192.0.2.1", { PAYMENT_LIMIT: refused })).toEqual([429, "60"]);
    expect(await call("192.0.2.2", { PAYMENT_LIMIT: refused })).toEqual([200, null]);
  });

  it("is not counted where there is none, or no counter", async () => {
    const always = { limit: async () => ({ success: false }) };
    expect(await call(null, { PAYMENT_LIMIT: always })).toEqual([200, null]);
    expect(await call("192.0.2.1", {})).toEqual([200, null]);
  });
});
