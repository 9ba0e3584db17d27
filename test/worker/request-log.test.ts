import { env, runInDurableObject, SELF } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LIVE_PROTOCOL } from "../../db/shapes/work/live.ts";
import type { ErrorResponse } from "../../worker/contract/error-response.ts";
import worker from "../../worker/index.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";
import { sha256Hex } from "../../db/shapes/sha256-hex.ts";
import { support, SUPPORT } from "./console-harness.ts";
import { callPool } from "./embedded-pool.ts";
import { apiTarget, createDriver, deployment, driverObject, resetPlatform } from "./harness.ts";

type Line = Record<string, unknown> & { event: string };

const lines: Line[] = [];
const raw: string[] = [];

beforeEach(async () => {
  await resetPlatform();
  lines.length = 0;
  raw.length = 0;
  for (const level of ["info", "warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((text: unknown) => {
      raw.push(String(text));
      lines.push(JSON.parse(String(text)));
    });
  }
});
afterEach(() => vi.restoreAllMocks());

const fetch = (path: string, init?: RequestInit) => SELF.fetch(`${apiTarget.origin}${path}`, init);
const linesOf = (event: string) => lines.filter((line) => line.event === event);
const REQUEST_ID = /^[0-9A-HJKMNP-TV-Z]{10}$/;

/** A deployment whose database throws this error. */
function broken(error: Error): typeof apiTarget {
  const fail = () => {
    throw error;
  };
  const session = { prepare: fail, batch: fail, getBookmark: () => null };
  return deployment({ DB: { prepare: fail, batch: fail, withSession: () => session } });
}

describe("an unexpected error", () => {
  const phone = "+15550109999";
  const secret = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJl";

  it("is logged with route, driver, stack frames and causes, but without messages", async () => {
    const { driverId, token } = await createDriver();
    const cause = new RangeError(`token ${secret}`);
    const error = new TypeError(`no user\nwith ${phone} and ${secret}`, { cause });
    const target = broken(error);
    const response = await target.fetch(`${target.origin}/flex/v1/payments/pay_5550109999?q=${secret}`, {
      headers: { authorization: `Bearer ${token}`, "cf-ray": "8f3b2c1d0e9a7654-MIA" },
    });
    const body = await response.json<ErrorResponse>();

    expect([response.status, body.code]).toEqual([500, "internal"]);
    expect(body.requestId).toMatch(REQUEST_ID);
    expect(response.headers.get("x-request-id")).toBe(body.requestId);
    expect(linesOf("request.failed")).toEqual([
      {
        event: "request.failed",
        requestId: body.requestId,
        method: "GET",
        route: "/flex/v1/payments/:id",
        driverId,
        ray: "8f3b2c1d0e9a7654-MIA",
        error: "TypeError",
        frames: expect.arrayContaining([expect.stringContaining("worker/request-log.test.ts:")]),
        causes: [
          {
            error: "RangeError",
            frames: expect.arrayContaining([expect.stringContaining("worker/request-log.test.ts:")]),
          },
        ],
      },
    ]);
    expect(raw.join("\n")).not.toMatch(/5550109999|eyJ|no user/);
  });

  it("is logged with the stack frames in the driver's object", async () => {
    const driver = await createDriver();
    const { client, driverId } = driver;
    await runInDurableObject(driverObject(driver), (_object, { storage }) => {
      storage.sql.exec(`DROP TABLE won_blocks`);
    });
    const response = await client.call("GET", "/flex/v1/blocks?type=won");
    expect(response.status).toBe(500);
    expect(linesOf("request.failed")).toMatchObject([
      {
        route: "/flex/v1/blocks",
        driverId,
        error: "RemoteError",
        frames: expect.arrayContaining([expect.stringContaining("worker/routes/work/blocks.ts:")]),
        causes: [
          {
            error: "Error",
            frames: expect.arrayContaining([expect.stringContaining("tables/won-blocks.ts:")]),
          },
        ],
      },
    ]);
    expect(raw.join("\n")).not.toContain("no such table");
  });

  it("is logged with the name of a missing setting", async () => {
    const target = deployment({ PUBLIC_URL: "" });
    const response = await target.fetch(`${target.origin}/status/config`);
    const { requestId } = await response.json<ErrorResponse>();
    expect(linesOf("config.invalid")).toMatchObject([
      { requestId, problem: expect.stringContaining("PUBLIC_URL is missing") },
    ]);
  });

  it("is logged for a scheduled run, without its message", async () => {
    const controller = { cron: "* * * * *", scheduledTime: 0, noRetry: () => undefined };
    const fail = () => {
      throw new TypeError(phone);
    };
    const run = worker.scheduled(controller, { ...env, DB: { prepare: fail, batch: fail } as never });
    await expect(run).rejects.toThrow("cron.step.failed");
    expect(linesOf("cron.step.failed")).toContainEqual(
      expect.objectContaining({
        step: "watch",
        error: "TypeError",
        frames: expect.arrayContaining([expect.any(String)]),
      }),
    );
    expect(raw.join("\n")).not.toContain(phone);
  });
});

describe("every request", () => {
  it("is logged in one line with route, status, duration and statements", async () => {
    const { driverId, client } = await createDriver();
    lines.length = 0;
    const response = await client.call("GET", "/flex/v1/user");
    expect(linesOf("request.handled")).toEqual([
      {
        event: "request.handled",
        requestId: response.headers.get("x-request-id"),
        method: "GET",
        route: "/flex/v1/user",
        driverId,
        status: 200,
        ms: expect.any(Number),
        statements: 5,
      },
    ]);
  });

  it("counts its own statements if another runs concurrently", async () => {
    const { client } = await createDriver();
    const body = permissiveFilters([permissiveWarehouseFilter("w1" as never)]);
    lines.length = 0;
    await Promise.all([
      client.call("GET", "/flex/v1/filters"),
      client.call("PUT", "/flex/v1/filters", { body, headers: { "if-match": `"0"` } }),
      client.call("GET", "/flex/v1/filters"),
    ]);
    const counts = linesOf("request.handled").map(({ method, statements }) => [method, statements]);
    const alone = counts.filter(([method]) => method === "GET");
    expect(alone).toEqual([
      ["GET", 5],
      ["GET", 5],
    ]);
    expect(counts.find(([method]) => method === "PUT")?.[1]).toBeGreaterThan(4);
  });

  it("of an operator is logged with their mark, which names nobody, whatever it lists", async () => {
    const mark = (await sha256Hex(SUPPORT)).slice(0, 12);
    await support.call("GET", "/fleet");
    await support.call("GET", "/limits");
    const handled = linesOf("request.handled").filter(({ route }) => String(route).startsWith("/ops/"));
    expect(handled.map(({ route, status, operator }) => [route, status, operator])).toEqual([
      ["/ops/v1/fleet", 200, mark],
      ["/ops/v1/limits", 403, mark],
    ]);
    expect(raw.join("\n")).not.toContain(SUPPORT);
  });

  it("is logged with its route pattern, without ids", async () => {
    await fetch("/flex/v1/user/+15550109999", { method: "PUT" });
    await fetch("/flex/v1/nothing/15550109999");
    await fetch("/webhooks/stripe", { method: "POST", body: "{}" });
    await callPool("SignUp", { Username: "+15550109999", Password: "x" });
    const handled = linesOf("request.handled").map(({ method, route, status, code }) => [
      method,
      route,
      status,
      code,
    ]);
    expect(handled).toEqual([
      ["PUT", "/flex/v1/user/:phone", 401, "unauthenticated"],
      ["GET", "/flex/v1/*", 401, "unauthenticated"],
      ["POST", "/webhooks/stripe", 400, "invalid_request"],
      ["POST", "/identity/*", 400, undefined],
    ]);
    expect(raw.join("\n")).not.toContain("5550109999");
  });

  it("is not logged for the page and the health check", async () => {
    await fetch("/status/health");
    await fetch("/flex/dashboard");
    await fetch("/manifest.webmanifest");
    expect(lines).toEqual([]);
  });
});

describe("every response", () => {
  it("has the request id: page, API, sealed body, webhook, user pool and live connection", async () => {
    const { client } = await createDriver();
    const { ticket } = await client.ticket();
    const embedded = deployment({ IDENTITY: "embedded" });
    const pool = await embedded.fetch(`${embedded.origin}/identity/`, { method: "POST", body: "{}" });
    const socket = await fetch("/flex/v1/live", {
      headers: { upgrade: "websocket", "sec-websocket-protocol": `${LIVE_PROTOCOL}, ticket.${ticket}` },
    });
    socket.webSocket?.accept();
    socket.webSocket?.close(1000);
    const answers = [
      await fetch("/flex/dashboard"),
      await fetch("/status/health"),
      await client.call("GET", "/flex/v1/user"),
      await client.sealed("PATCH", "/flex/v1/user", { mode: "secure" }),
      await client.call("PATCH", "/flex/v1/user", { body: { mode: "secure" } }),
      await fetch("/webhooks/stripe", { method: "POST", body: "{}" }),
      pool,
      socket,
    ];
    const ids = answers.map(({ headers }) => headers.get("x-request-id"));
    for (const id of ids) expect(id).toMatch(REQUEST_ID);
    expect(new Set(ids).size).toBe(ids.length);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 400, 400, 101]);
    expect(pool.headers.get("x-amzn-requestid")).toBe(pool.headers.get("x-request-id"));
  });
});
