import { expect, it } from "vitest";
import { deleteAccount } from "../../db/queries/accounts/account-changes.ts";
import { driverId, HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { eraseDeleted, followLeftChanges, notifyOfDeletion } from "../../worker/accounts/account-changes.ts";
import { insertDriver } from "../support/driver-insert.ts";
import { openTexts } from "./texts-harness.ts";

const OWNER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
const NUMBER = "+12125550100";

/** A driver with filters, whose object doesn't answer at first. */
function openAccount() {
  const texts = openTexts();
  const object = { isDown: true, deletions: 0 };
  insertDriver(texts.database, { id: OWNER, phoneNumber: NUMBER });
  texts.database
    .prepare(`INSERT INTO filters (driver_id, version, save_id, schedule) VALUES (?, 1, 'save', '[]')`)
    .run(OWNER);
  const stub = {
    deleteAccount: async () => {
      object.deletions += 1;
      if (object.isDown) throw new Error("the object is down");
    },
  };
  const objectsOf = (async () => [stub]) as unknown as typeof texts.deps.objectsOf;
  const context = { deps: { ...texts.deps, objectsOf }, cards: null };
  const left = () =>
    ["users", "filters", "account_changes"].map((table) => texts.rows(`SELECT * FROM ${table}`).length);
  return { ...texts, object, context, objectsOf, left };
}

it("erases each minute what it could not erase at once, and tells the owner once", async () => {
  const { context, objectsOf, object, clock, gateway, log, left } = openAccount();
  const change = await deleteAccount(context.deps.db, OWNER, clock.now);
  const known = { objects: await objectsOf(OWNER), customerId: null };
  const isErased = await eraseDeleted(context, OWNER, known);
  await notifyOfDeletion(context, change, isErased);
  // Nobody can act in its name any more, whatever is left.
  expect([isErased, left()]).toEqual([false, [0, 1, 1]]);
  clock.now += MINUTE_MS - 1;
  await followLeftChanges(context);
  expect(object.deletions).toBe(1);
  clock.now += 1;
  await followLeftChanges(context);
  expect([object.deletions, left()]).toEqual([2, [0, 1, 1]]);
  const failures = log.mock.calls.filter(([, event]) => event === "account.follow.failed");
  expect(failures.map(([level, , facts]) => [level, facts])).toEqual(
    Array.from({ length: 2 }, () => ["error", expect.objectContaining({ driverId: OWNER, error: "Error" })]),
  );
  object.isDown = false;
  // A cron that comes twice repeats nothing.
  await followLeftChanges(context);
  expect(object.deletions).toBe(2);
  clock.now += MINUTE_MS;
  await followLeftChanges(context);
  await followLeftChanges(context);
  expect([object.deletions, left()]).toEqual([3, [0, 0, 0]]);
  expect(gateway.asked).toMatchObject([{ to: NUMBER, body: expect.stringContaining("was deleted") }]);
});

it("follows the changes that can be, however many others fail for good, and says after an hour that some do", async () => {
  const { context, clock, database, log } = openAccount();
  const ids = Array.from({ length: 12 }, (_, index) =>
    driverId.parse(`6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7b${String(index).padStart(2, "0")}`),
  );
  for (const [index, id] of ids.entries()) {
    insertDriver(database, { id, phoneNumber: `+121255502${String(index).padStart(2, "0")}` });
    clock.now += 1;
    await deleteAccount(context.deps.db, id, clock.now);
  }
  const [later] = ids.slice(-1);
  // Its object answers, those of the others never do.
  const objectsOf = (async (id: string) => [
    { deleteAccount: () => (id === later ? Promise.resolve() : Promise.reject(new Error("gone"))) },
  ]) as unknown as typeof context.deps.objectsOf;
  const stuck = { ...context, deps: { ...context.deps, objectsOf } };
  const left = () => database.prepare(`SELECT user_id AS id FROM account_changes ORDER BY changed_at`).all();
  for (const minute of [1, 2]) {
    clock.now += MINUTE_MS;
    await followLeftChanges(stuck);
    expect([minute, left().length]).toEqual([minute, minute === 1 ? 12 : 11]);
  }
  expect(left().map(({ id }) => id)).toEqual(ids.slice(0, -1));
  clock.now += HOUR_MS;
  await expect(followLeftChanges(stuck)).rejects.toMatchObject({ name: "UnfollowedChangeError" });
  const failures = log.mock.calls.filter(([, event]) => event === "account.follow.failed");
  expect(failures).toHaveLength(10 + 9 + 10);
});
