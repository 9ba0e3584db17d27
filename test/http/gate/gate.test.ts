import { beforeEach, describe, expect, it } from "vitest";
import { createDeps } from "../../../durable/deps.ts";
import { driverId } from "../../../db/shapes/units.ts";
import { gatedRouter, opens, type Opening } from "../../../worker/http/gate/gate.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { appWith, callerOf } from "../app-with.ts";

const LIMIT_BYTES = 256 * 1024;

let sessions: string[] = [];
let bookmark: string | null = null;
beforeEach(() => {
  sessions = [];
  bookmark = null;
});

const database = {
  withSession: (constraint: string) => {
    sessions.push(constraint);
    return { getBookmark: () => bookmark };
  },
};
const env = { ...DEMO_SETTINGS, DB: database, DRIVER: {}, ASSETS: {} };
const deps = createDeps(env);

/** Opens with the header `x-door`, whatever it says. */
const byDoor: Opening = async (c) => {
  const name = c.req.header("x-door");
  return name === undefined ? null : callerOf(driverId.parse(name));
};

/** The answer to an upgrade; only the runtime makes one with the status 101. */
const socket = Object.defineProperty(new Response(null), "status", { value: 101 });

const app = appWith({ deps }).route(
  "/",
  gatedRouter()
    .post("/open", opens(byDoor), async (c) =>
      c.json({ driverId: c.var.caller.driverId, length: (await c.req.text()).length }),
    )
    .get("/open", opens(byDoor), (c) => c.text(c.var.caller.driverId))
    .get(
      "/late",
      (_c, next) => next(),
      opens(byDoor),
      (c) => c.text(c.var.caller.driverId),
    )
    .get("/session", opens(byDoor), (c) => c.text(typeof c.var.db))
    .get("/socket", opens(byDoor), () => socket)
    .get("/closed", (c) => c.text(c.var.caller.driverId)),
);

async function call(path: string, init: RequestInit = {}) {
  const response = await app.request(path, init, env);
  return { status: response.status, body: await response.text(), headers: response.headers };
}

const door = { "x-door": "ana" };

describe("the gate", () => {
  it("lets a credential open only the route that declares it", async () => {
    expect(await call("/open", { headers: door })).toMatchObject({ status: 200, body: "ana" });
    expect(await call("/closed", { headers: door })).toMatchObject({ status: 401 });
    expect(await call("/open")).toMatchObject({ status: 401 });
    // Declared after another handler it would open too late, or by accident.
    expect(await call("/late", { headers: door })).toMatchObject({ status: 401 });
  });

  it.each(["", "Bearer", "Bearer ", "Basic abc", "e30.e30.e30"])(
    "takes %j for no id token",
    async (authorization) => {
      const { status, body } = await call("/closed", { headers: { authorization } });
      expect([status, JSON.parse(body).code]).toEqual([401, "unauthenticated"]);
    },
  );

  it("takes a body of 256 KiB, and no larger one", async () => {
    const send = (length: number) =>
      call("/open", {
        method: "POST",
        headers: { ...door, "content-length": `${length}` },
        body: "x".repeat(length),
      });
    expect(JSON.parse((await send(LIMIT_BYTES)).body)).toEqual({ driverId: "ana", length: LIMIT_BYTES });
    const { status, body } = await send(LIMIT_BYTES + 1);
    expect([status, JSON.parse(body).code]).toEqual([413, "too_large"]);
  });
});

describe("the session of the database", () => {
  it("begins where the caller's last answer ended, and says where it ends", async () => {
    bookmark = "later";
    const { headers } = await call("/open", { headers: { ...door, "x-d1-bookmark": "earlier" } });
    expect([sessions, headers.get("x-d1-bookmark")]).toEqual([["earlier"], "later"]);
  });

  it("leaves the answer that opens a socket as it is", async () => {
    bookmark = "later";
    expect(await app.request("/socket", { headers: door }, env)).toBe(socket);
  });

  it("is what the route reads with", async () => {
    expect((await call("/session", { headers: door })).body).toBe("object");
  });

  it("begins at any replica for a caller who wrote nothing yet, and with the newest state where the call writes", async () => {
    const { headers } = await call("/open", { headers: door });
    await call("/open", { method: "POST", headers: door });
    expect([sessions, headers.has("x-d1-bookmark")]).toEqual([
      ["first-unconstrained", "first-primary"],
      false,
    ]);
  });
});
