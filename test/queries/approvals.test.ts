import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import {
  approvalStatement,
  approvedBatch,
  decisionStatement,
  isWaiting,
  listApprovals,
  loadApproval,
  type NewApproval,
} from "../../db/queries/operators/approvals.ts";
import { driverId, HOUR_MS } from "../../db/shapes/units.ts";
import { insertDriver } from "../support/driver-insert.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const NOW = 1_800_000_000_000;
const TRUE = sql`1`;

function open() {
  const database = migratedDatabase();
  insertDriver(database, { id: "ana" });
  const db = openDb(bindD1(database));
  const ask = async (id: string, fields: Partial<NewApproval> = {}, where = TRUE) => {
    const approval: NewApproval = {
      id,
      driverId: driverId.parse("ana"),
      act: "days",
      input: `{"days":${id.length}}`,
      worthCents: 100,
      operator: "support@example.com",
      role: "support",
      askedAt: NOW,
      expiresAt: NOW + HOUR_MS,
      ...fields,
    };
    await approvalStatement(db, approval, where);
  };
  const decide = async (id: string, { by = "owner", isApproved = true, where = TRUE, now = NOW } = {}) => {
    await decisionStatement(db, { id, decidedBy: by, now, isApproved }, where);
  };
  const waits = async (id: string, now = NOW) =>
    (await db.get<{ waits: number }>(sql`SELECT ${isWaiting(id, now)} AS waits`)).waits === 1;
  return { db, ask, decide, waits };
}

const NOT_DECIDED = { decidedBy: null, decidedAt: null, isApproved: null };

it("leaves an act to be decided once, where its asker may ask, and as it was asked first", async () => {
  const { db, ask } = open();
  await ask("refused", {}, sql`0`);
  await ask("asked", { worthCents: 1 });
  await ask("asked", { worthCents: 2 });
  expect(await loadApproval(db, "refused")).toBeNull();
  expect(await loadApproval(db, "asked")).toMatchObject({ worthCents: 1, ...NOT_DECIDED });
});

it("waits until it is decided, or its time is over", async () => {
  const { ask, decide, waits } = open();
  await ask("asked");
  await ask("declined");
  expect([await waits("asked"), await waits("asked", NOW + HOUR_MS - 1)]).toEqual([true, true]);
  expect([await waits("asked", NOW + HOUR_MS), await waits("gone")]).toEqual([false, false]);
  await decide("asked");
  await decide("declined", { isApproved: false });
  expect([await waits("asked"), await waits("declined")]).toEqual([false, false]);
});

it("is decided once, by whoever decides first and may", async () => {
  const { db, ask, decide } = open();
  await ask("asked");
  await ask("other");
  await decide("asked", { where: sql`0` });
  expect(await loadApproval(db, "asked")).toMatchObject(NOT_DECIDED);
  await decide("asked", { by: "first", isApproved: false });
  await decide("asked", { by: "second", now: NOW + 1 });
  expect(await loadApproval(db, "asked")).toMatchObject({
    decidedBy: "first",
    decidedAt: NOW,
    isApproved: false,
  });
  expect(await loadApproval(db, "other")).toMatchObject(NOT_DECIDED);
});

it.each([
  ["that waits", NOW, TRUE, true],
  ["whose time is over", NOW + HOUR_MS, TRUE, false],
  ["that is no longer possible", NOW, sql`0`, false],
])("does an act %s with its approval, or neither", async (_name, now, possible, isDone) => {
  const { db, ask } = open();
  await ask("asked");
  const { condition, effects } = approvedBatch(
    db,
    { id: "asked", by: "owner", now },
    { condition: possible, effects: () => [] },
  );
  const { can } = await db.get<{ can: number }>(sql`SELECT ${condition} AS can`);
  expect(can === 1).toBe(isDone);
  const [decision] = effects(sql`${can}`);
  if (!decision) throw new Error("no decision");
  await db.batch([decision]);
  const decided = { decidedBy: "owner", decidedAt: now, isApproved: true };
  expect(await loadApproval(db, "asked")).toMatchObject(isDone ? decided : NOT_DECIDED);
});

it("lists what waits first, the oldest of it before the others, then the latest, with the name of a driver who is still there", async () => {
  const { db, ask, decide } = open();
  await ask("decided-last", { askedAt: NOW + 3 });
  await ask("over", { askedAt: NOW + 2, expiresAt: NOW + 4 });
  await ask("waits-first", { askedAt: NOW });
  await ask("waits-last", { askedAt: NOW + 1, driverId: driverId.parse("gone") });
  await decide("decided-last");
  const listed = await listApprovals(db, { now: NOW + 4, limit: 9 });
  expect(listed.map(({ approval, driverName }) => [approval.id, driverName])).toEqual([
    ["waits-first", "Ana"],
    ["waits-last", null],
    ["decided-last", "Ana"],
    ["over", "Ana"],
  ]);
  // Where there are more than fit, those are left out that have the most time.
  const [first, ...others] = await listApprovals(db, { now: NOW + 4, limit: 1 });
  expect([first?.approval.id, others]).toEqual(["waits-first", []]);
});
