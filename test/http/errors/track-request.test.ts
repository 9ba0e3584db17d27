import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { driverId } from "../../../db/shapes/units.ts";
import { ApiError } from "../../../worker/http/errors/api-error.ts";
import { createRequestId, trackRequest } from "../../../worker/http/errors/track-request.ts";
import {
  countStatement,
  openRequestScope,
  outliveCaller,
  requestLog,
} from "../../../worker/http/request-scope.ts";
import { appWith, callerOf } from "../app-with.ts";

let lines: unknown[] = [];

beforeEach(() => {
  lines = [];
  vi.useFakeTimers({ now: Date.parse("2026-11-21T12:00:00Z") });
  vi.spyOn(console, "info").mockImplementation((text: unknown) => lines.push(JSON.parse(String(text))));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const app = appWith({})
  .use(openRequestScope, trackRequest)
  .use("/flex/*", async (c, next) => {
    if (c.req.header("authorization") === undefined) throw new ApiError("unauthenticated");
    c.set("caller", callerOf(driverId.parse("ana")));
    await next();
  })
  .put("/flex/user/:phone{\\+1\\d{10}}/at/:place{[a-z]+}", (c) => {
    countStatement();
    countStatement();
    vi.advanceTimersByTime(25);
    return c.text("done", 201);
  })
  .get("/flex/said", (c) => {
    requestLog("info", "something.happened", { count: 1 });
    return c.text("");
  })
  .get("/flex/passed/:id", (_c, next) => next())
  .get("/flex/passed/on", (c) => c.text(""))
  .get("/status/health", (c) => c.text(""))
  .get("/manifest.webmanifest", (c) => c.text(""))
  .all("/sandbox", (c) => c.text(""))
  .all("/sandbox/*", (c) => c.text(""))
  .all("/selfie", (c) => c.text(""))
  .all("/flex/*", (c) => c.text("", 404))
  .get("*", (c) => c.text("page"));

it("logs pattern, driver, status, duration and statements of a call, under the id in its answer", async () => {
  const response = await app.request("/flex/user/+15550100100/at/home", {
    method: "PUT",
    headers: { authorization: "x", "cf-ray": "8f3b2c1d0e9a7654-MIA" },
  });
  expect(lines).toEqual([
    {
      event: "request.handled",
      requestId: response.headers.get("x-request-id"),
      method: "PUT",
      route: "/flex/user/:phone/at/:place",
      driverId: "ana",
      ray: "8f3b2c1d0e9a7654-MIA",
      status: 201,
      ms: 25,
      statements: 2,
    },
  ]);
});

it("names the route that a refused call was for, and why it was refused", async () => {
  await app.request("/flex/user/+15550100100/at/home", { method: "PUT" });
  await app.request("/flex/nothing/15550100100");
  expect(lines).toMatchObject([
    {
      route: "/flex/user/:phone/at/:place",
      driverId: null,
      status: 401,
      code: "unauthenticated",
      statements: 0,
    },
    { route: "/flex/*", status: 401 },
  ]);
});

it("names the route that responded where an earlier one passed the call on", async () => {
  await app.request("/flex/passed/on", { headers: { authorization: "x" } });
  expect(lines).toMatchObject([{ route: "/flex/passed/on" }]);
});

it.each([
  ["8f3b2c1d0e9a7654", true],
  ["8f3b2c1d0e9a7654-MIA", true],
  ["8f3b2c1d0e9a7654-mia", false],
  ["8f3b2c1d0e9a7654-MIAMI", false],
  ["8f3b2c1d0e9a7654-M1A", false],
  ["8f3b2c1d0e9a765", false],
  ["8f3b2c1d0e9a765g", false],
  ["x8f3b2c1d0e9a7654", false],
])("keeps %s as the network's id of the request: %s", async (ray, isKept) => {
  await app.request("/flex/said", { headers: { authorization: "x", "cf-ray": ray } });
  expect(lines.at(-1)).toMatchObject({ event: "request.handled", route: "/flex/said" });
  const kept = Object.entries(Object(lines.at(-1))).filter(([name]) => name === "ray");
  expect(kept).toEqual(isKept ? [["ray", ray]] : []);
});

it("writes the id into every line that belongs to the call, and into no other", async () => {
  const response = await app.request("/flex/said", { headers: { authorization: "x" } });
  const requestId = response.headers.get("x-request-id");
  expect(lines[0]).toEqual({ event: "something.happened", requestId, count: 1 });
  expect(lines[1]).toMatchObject({ event: "request.handled", requestId });
  requestLog("info", "something.else");
  countStatement();
  expect(lines[2]).toEqual({ event: "something.else" });
});

it.each([
  "/",
  "/flex2/dashboard",
  "/status/health",
  "/manifest.webmanifest",
  "/sandbox",
  "/sandbox/sms",
  "/selfie",
])("gives a call of %s its id, and no line", async (path) => {
  const response = await app.request(path);
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
  expect(lines).toEqual([]);
});

it("lets work that belongs to no call end by itself", async () => {
  expect(await outliveCaller(Promise.resolve("done"))).toBe("done");
});

it("makes ids that can be read out, of all 32 letters", () => {
  const ids = Array.from({ length: 500 }, createRequestId);
  expect(new Set(ids).size).toBe(500);
  expect([...new Set(ids.join(""))].toSorted().join("")).toBe("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
  expect(new Set(ids.map((id) => id.length))).toEqual(new Set([10]));
});
