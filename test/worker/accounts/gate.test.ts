import { createExecutionContext, env, SELF } from "cloudflare:test";
import { Hono } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import { LIVE_PROTOCOL } from "../../../db/shapes/work/live.ts";
import type { ApiAuth, ApiRoute } from "../../../worker/contract/api-route.ts";
import { API_ROUTES } from "../../../worker/contract/api-routes.ts";
import { app } from "../../../worker/app.ts";
import { answerError } from "../../../worker/http/errors/answer-error.ts";
import type { AppEnv } from "../../../worker/http/app-env.ts";
import { byArrivedToken } from "../../../worker/routes/work/check-in.ts";
import { gate, gatedRouter, opens } from "../../../worker/http/gate/gate.ts";
import { provideIsolate } from "../../../worker/http/isolate.ts";
import { openRequestScope } from "../../../worker/http/request-scope.ts";
import { trackRequest } from "../../../worker/http/errors/track-request.ts";
import { apiTarget, createDriver, resetPlatform, type TestDriver } from "../harness.ts";

beforeEach(() => resetPlatform());

const PREFIX = "/flex/v1";

/** The gated router with some newly added routes. */
const probed = new Hono<AppEnv>().use(openRequestScope, trackRequest, provideIsolate).onError(answerError);
probed.route(
  PREFIX,
  gatedRouter()
    .get("/probe", (c) => c.json({ driverId: c.var.caller.driverId }, 200))
    .get("/probe/:id", (c) => c.json({ driverId: c.var.caller.driverId }, 200))
    .get("/probe/own", opens(byArrivedToken), (c) => c.json({}, 200))
    .use("/many/*", opens(byArrivedToken))
    .get("/many/one", (c) => c.json({}, 200))
    .get("/arrived", opens(byArrivedToken), (c) => c.json({ driverId: c.var.caller.driverId }, 200)),
);

async function statusOf(path: string, authorization?: string): Promise<number> {
  const headers = authorization === undefined ? undefined : { authorization };
  const request = new Request(`${apiTarget.origin}${PREFIX}${path}`, { headers });
  return (await probed.fetch(request, env, createExecutionContext())).status;
}

async function arrivedToken({ client }: TestDriver): Promise<string> {
  const { token } = await client.fetchJson<{ token: string }>("GET", "/flex/v1/user/im-here/data");
  return `ImHere ${token}`;
}

describe("a new route in the gated router", () => {
  it("requires an id token by default", async () => {
    const driver = await createDriver();
    expect(await statusOf("/probe")).toBe(401);
    expect(await statusOf("/probe", "Bearer e30.e30.e30")).toBe(401);
    expect(await statusOf("/probe", await arrivedToken(driver))).toBe(401);
    expect(await statusOf("/probe", `Bearer ${driver.token}`)).toBe(200);
  });

  it("accepts another credential only if the route itself allows it", async () => {
    const driver = await createDriver();
    const token = await arrivedToken(driver);
    expect(await statusOf("/arrived", token)).toBe(200);
    expect(await statusOf("/arrived", `Bearer ${driver.token}`)).toBe(200);
    expect(await statusOf("/arrived", `${token}x`)).toBe(401);
    expect(await statusOf("/arrived")).toBe(401);
    // An earlier route matches first, or the exception was declared for a whole prefix.
    expect(await statusOf("/probe/own", token)).toBe(401);
    expect(await statusOf("/many/one", token)).toBe(401);
  });
});

/** The calls of the contract that something else opens, or does not. */
function callsWithAuth(...auths: ApiAuth[]): { method: string; path: string }[] {
  return Object.entries<ApiRoute>(API_ROUTES)
    .filter(([call, { auth }]) => call.includes(` ${PREFIX}/`) && auths.includes(auth))
    .map(([call]) => {
      const [method = "", path = ""] = call.split(" ");
      return { method, path: path.replace("{phone}", "+15550109999").replaceAll(/\{\w+\}|:\w+/g, "some-id") };
    });
}

describe("the arrived token", () => {
  it("opens the calls that the contract says, and no other", async () => {
    const token = await arrivedToken(await createDriver());
    const isOpen = async ({ method, path }: { method: string; path: string }) => {
      const headers = { authorization: token, "content-type": "application/json" };
      const body = method === "POST" ? "{}" : undefined;
      const response = await SELF.fetch(`${apiTarget.origin}${path}`, { method, headers, body });
      await response.body?.cancel();
      return response.status !== 401;
    };
    const openedOf = async (calls: { method: string; path: string }[]) => {
      const answers = await Promise.all(calls.map(async (call) => ((await isOpen(call)) ? [call] : [])));
      return answers.flat();
    };
    const arrived = callsWithAuth("arrived");
    expect(arrived).toHaveLength(2);
    expect(await openedOf(arrived)).toEqual(arrived);
    expect(await openedOf(callsWithAuth("bearer", "ticket", "none"))).toEqual([]);
  });
});

describe("every route of the app under /flex/v1", () => {
  const routes = app.routes.filter(({ path }) => path.startsWith(PREFIX));

  it("is behind the gate, which is registered first", () => {
    expect(routes[0]).toMatchObject({ path: `${PREFIX}/*`, method: "ALL", handler: gate });
    // Mounted routes belong to the gated router; the app itself declares only the catch-all.
    const declared = routes.filter(({ basePath, method }) => basePath === "/" && method !== "ALL");
    expect(declared).toEqual([]);
  });

  it("rejects a call without credentials, even for an unknown route", async () => {
    const calls = routes
      .map(({ method, path }) => ({
        method: method === "ALL" ? "GET" : method,
        path: path
          .replace(/:phone.*$/, "+15550109999")
          .replace(":id", "some-id")
          .replace("*", "nothing"),
      }))
      .filter(({ path }) => path !== `${PREFIX}/live`);
    for (const { method, path } of calls) {
      const response = await SELF.fetch(`${apiTarget.origin}${path}`, { method });
      const { code } = await response.json<{ code: string }>();
      expect({ method, path, code, status: response.status }).toEqual({
        method,
        path,
        code: "unauthenticated",
        status: 401,
      });
    }
    expect(calls.length).toBeGreaterThan(30);
  });

  it("accepts only a ticket for the live connection", async () => {
    const { token, client } = await createDriver();
    const connect = async (headers: Record<string, string>) => {
      const response = await SELF.fetch(`${apiTarget.origin}/flex/v1/live`, { headers });
      return [response.status, (await response.json<{ code: string }>()).code];
    };
    const { ticket } = await client.ticket();
    expect(await connect({})).toEqual([401, "ticket_invalid"]);
    expect(await connect({ authorization: `Bearer ${token}`, upgrade: "websocket" })).toEqual([
      401,
      "ticket_invalid",
    ]);
    expect(await connect({ "sec-websocket-protocol": `${LIVE_PROTOCOL}, ticket.${ticket}` })).toEqual([
      400,
      "invalid_request",
    ]);
  });
});
