import { expect, it } from "vitest";
import { deleteAccount } from "../../db/queries/accounts/account-changes.ts";
import { driverId, MINUTE_MS } from "../../db/shapes/units.ts";
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
  await followLeftChanges(context);
  await followLeftChanges(context);
  expect([object.deletions, left()]).toEqual([3, [0, 0, 0]]);
  expect(gateway.asked).toMatchObject([{ to: NUMBER, body: expect.stringContaining("was deleted") }]);
});
