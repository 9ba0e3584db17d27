import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { Driver } from "../../durable/driver/driver.ts";
import {
  createActiveDriver,
  deployment,
  driverObject,
  fetchAccepts,
  publishOffer,
  resetPlatform,
} from "./harness.ts";

/** A deployment that is closed, and whose database is down. */
const closed = (until: string) =>
  deployment({
    MAINTENANCE: until,
    DB: {
      prepare: () => {
        throw new Error("the database is down");
      },
    },
  });

const soon = () => new Date(Date.now() + 3_600_000).toISOString();

describe("a deployment that is closed for maintenance", () => {
  it.each([
    ["en", "Down for maintenance", "This lasts until"],
    ["es", "En mantenimiento", "Puede durar hasta"],
    ["pt", "Em manutenção", "Pode durar até"],
  ])("says so on every page, and until when, without the database: %s", async (language, title, until) => {
    const target = closed(soon());
    for (const path of ["/", "/flex/dashboard"]) {
      const response = await target.fetch(`${target.origin}${path}`, {
        headers: { accept: "text/html", "accept-language": language },
      });
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(3500);
      const text = await response.text();
      for (const part of [`<h1>${title}</h1>`, until, 'http-equiv="refresh"']) expect(text).toContain(part);
    }
  });

  it("refuses the API with a code, and asks to come back in five minutes where nobody knows the end", async () => {
    const target = closed("on");
    for (const path of ["/flex/v1/user", "/status/health", "/identity"]) {
      const response = await target.fetch(`${target.origin}${path}`);
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "300"]);
      const body = await response.json();
      expect(body).toMatchObject({ code: "maintenance" });
      expect(body).not.toHaveProperty("retryAfter");
    }
  });

  it("goes on capturing: an object wakes by itself and asks neither page nor API", async () => {
    await resetPlatform();
    const driver = await createActiveDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await runInDurableObject(driverObject(driver), (_open, state) =>
      new Driver(state, { ...env, MAINTENANCE: "on" }).alarm(),
    );
    expect((await fetchAccepts()).map(({ offerId: id, status }) => ({ id, status }))).toEqual([
      { id: offerId, status: 200 },
    ]);
    // Its storage has the captures.
    await evictDurableObject(driverObject(driver));
    const { held } = await driverObject(driver).snapshot();
    expect(held.map((block) => block.offerId)).toEqual([offerId]);
  });

  it("leaves operators and webhooks to themselves, and opens at the named instant", async () => {
    const open = deployment({ MAINTENANCE: "on" });
    for (const path of ["/ops/v1/me", "/webhooks/nothing"])
      expect((await open.fetch(`${open.origin}${path}`)).status).toBeLessThan(500);
    const over = deployment({ MAINTENANCE: "2026-01-05T10:00Z" });
    expect((await over.fetch(`${over.origin}/status/health`)).status).toBe(200);
  });
});
