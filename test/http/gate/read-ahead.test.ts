import { Hono } from "hono";
import { expect, it } from "vitest";
import { driverId, type DriverId } from "../../../db/shapes/units.ts";
import type { AppEnv } from "../../../worker/http/app-env.ts";
import { ahead, alsoReadsAhead, readsAhead, readsAheadOf } from "../../../worker/http/gate/read-ahead.ts";

const ANA = driverId.parse("ana");

/** An app that makes the first reads of a call beside its gate, and which reads those were. */
function open() {
  const reads: string[] = [];
  const read = (name: string) => async (_c: unknown, driver: DriverId, session: string | null) => {
    reads.push(name);
    return `${name} of ${driver} in ${session}`;
  };
  const [record, block] = [ahead(read("record")), ahead(read("block"))];
  const app = new Hono<AppEnv>().use(async (c, next) => {
    c.set("caller", { driverId: ANA, phoneNumber: null, sessionId: "session-1", signedInAt: null });
    if (c.req.query("gate") === "open")
      for (const start of readsAheadOf(c)) start(c, c.var.caller.driverId, c.var.caller.sessionId);
    await next();
  });
  return { reads, record, block, app };
}

it("reads once what the handler asks for, beside the gate or without it", async () => {
  const { reads, record, app } = open();
  app.get("/user", readsAhead(record.start), async (c) => c.text(await record.of(c)));
  for (const gate of ["open", "none"]) {
    const response = await app.request(`/user?gate=${gate}`);
    expect(await response.text()).toBe("record of ana in session-1");
  }
  expect(reads).toEqual(["record", "record"]);
});

it("reads what the responding route and the routers around it begin with, and nothing of a later route", async () => {
  const { reads, record, block, app } = open();
  app.use("/blocks/*", readsAhead(record.start));
  app.get(
    "/blocks/next",
    alsoReadsAhead(async (c: Parameters<typeof block.of>[0]) => c.text(await block.of(c)), block.start),
  );
  const other = ahead(async () => void reads.push("other"));
  app.get("/blocks/:id", readsAhead(other.start), (c) => c.text("never"));
  const response = await app.request("/blocks/next?gate=open");
  expect(await response.text()).toBe("block of ana in session-1");
  expect(reads.toSorted()).toEqual(["block", "record"]);
});

it("makes a read once that several of a call's handlers begin with", async () => {
  const { reads, record, app } = open();
  app.use(readsAhead(record.start));
  app.get("/user", readsAhead(record.start), async (c) => c.text(await record.of(c)));
  await app.request("/user?gate=open");
  expect(reads).toEqual(["record"]);
});

it("lets the handler hear of a read's failure", async () => {
  const { app } = open();
  const failing = ahead(async () => {
    throw new Error("the database is away");
  });
  app.get("/user", readsAhead(failing.start), async (c) => c.text(await failing.of(c)));
  app.onError((error, c) => c.text(error.message, 500));
  const response = await app.request("/user?gate=open");
  expect([response.status, await response.text()]).toEqual([500, "the database is away"]);
});
