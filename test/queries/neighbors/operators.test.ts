import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { describe, expect, it } from "vitest";
import type { Db } from "../../../db/client.ts";
import { listActs, writeAct } from "../../../db/queries/operators/acts.ts";
import {
  canChangeNumber,
  changeNumberEffects,
  loadLocks,
  unlockEffects,
} from "../../../db/queries/operators/account-effects.ts";
import {
  listUnsettledPayments,
  loadDriverForOperator,
  loadPaymentForRefund,
} from "../../../db/queries/operators/driver.ts";
import {
  accessEffects,
  endPriceEffects,
  isAccount,
  isOwnPrice,
  isRecordUnchanged,
  loadOwnPrice,
  pointFacts,
  serviceEffects,
  signOutEffects,
} from "../../../db/queries/operators/effects.ts";
import { DAY_MS, type DriverId } from "../../../db/shapes/units.ts";
import {
  NEIGHBOR,
  NOW,
  OWNER,
  expectForeign,
  expectOwnChange,
  expectOwnRead,
  only,
  paymentOf,
  phoneOf,
  priceOf,
  type Furnish,
} from "./house.ts";

const effect = { driverId: OWNER, now: NOW, where: sql`1` };
const facts = {
  id: "act",
  operator: "one@example.com",
  role: "support",
  act: "days",
  what: {},
  reason: "a test",
  before: {},
  after: {},
  at: NOW,
} as const;
const holds = async (db: Db, condition: ReturnType<typeof sql>) =>
  db.select({ holds: condition }).from(sql`(SELECT 1)`);

async function all(db: Db, [first, ...rest]: readonly BatchItem<"sqlite">[]): Promise<void> {
  if (first) await db.batch([first, ...rest]);
}

describe("an operator who looks at a driver sees nothing of a neighbor", () => {
  it.each<[string, (db: Db) => Promise<unknown>]>([
    ["service, payments, prices, texts and account", (db) => loadDriverForOperator(db, OWNER, NOW)],
    ["payments that did not go through", (db) => listUnsettledPayments(db, OWNER, -1)],
    ["locks", (db) => loadLocks(db, OWNER, NOW)],
    ["points before and after a change", (db) => holds(db, pointFacts(OWNER, 10).after)],
    ["whether points are there", (db) => holds(db, pointFacts(OWNER, -400).condition)],
    ["whether points can be given", (db) => holds(db, pointFacts(OWNER, 10).condition)],
    ["what operators did", (db) => listActs(db, { driverId: OWNER, before: null, limit: 9 })],
    ["the record's revision", (db) => holds(db, isRecordUnchanged({ id: OWNER, revision: 1 }))],
    ["whether the account is open", (db) => holds(db, isAccount({ driverId: OWNER, isEnabled: true }))],
    [
      "the account's number",
      (db) => holds(db, canChangeNumber({ driverId: OWNER, from: phoneOf(OWNER), to: "+15550100444" })),
    ],
  ])("%s", async (_what, read) => {
    expect.hasAssertions();
    await expectOwnRead(read);
  });
});

describe("an operator's act on a driver leaves a neighbor alone", () => {
  it.each<[string, (db: Db) => Promise<unknown>, Furnish?]>([
    [
      "changes the number",
      (db) => all(db, changeNumberEffects(db, effect, { from: phoneOf(OWNER), to: "+15550100444" })),
    ],
    ["gives service", (db) => all(db, serviceEffects(db, effect, { source: "gift", durationMs: DAY_MS }))],
    ["ends a price", (db) => all(db, endPriceEffects(db, effect, priceOf(OWNER)))],
    ["signs the driver out", (db) => all(db, signOutEffects(db, effect))],
    ["shuts the account", (db) => all(db, accessEffects(db, effect, false))],
    [
      "is within support's limit, though the neighbor's is used up",
      (db) => {
        const act = { ...facts, driverId: OWNER, worthCents: 10 };
        const limits = { driverCents: 10, operatorCents: 1000, looks: 9, exports: 9, numbers: 9, access: 9 };
        return writeAct(db, act, { condition: sql`1`, effects: () => [], limits }).then(
          ({ status }) => status,
        );
      },
      only(NEIGHBOR, ({ add }) => {
        const act = { id: "theirs", driver_id: NEIGHBOR, worth_cents: 10, role: "support", at: NOW };
        add("operator_acts", act);
      }),
    ],
    ["lifts the locks", (db) => all(db, unlockEffects(db, effect))],
  ])("%s", async (_what, act, furnish) => {
    expect.hasAssertions();
    await expectOwnChange(act, furnish);
  });
});

describe("an operator's act on a driver comes to nothing with a neighbor's", () => {
  it.each<[string, (db: Db, id: DriverId) => Promise<unknown>]>([
    ["payment", (db, id) => loadPaymentForRefund(db, { driverId: id, id: paymentOf(NEIGHBOR) })],
    ["price", (db, id) => loadOwnPrice(db, { driverId: id, id: priceOf(NEIGHBOR), now: NOW })],
    [
      "price, as a condition",
      (db, id) => holds(db, isOwnPrice({ driverId: id, id: priceOf(NEIGHBOR), now: NOW })),
    ],
    [
      "price that is ended",
      (db, id) => all(db, endPriceEffects(db, { ...effect, driverId: id }, priceOf(NEIGHBOR))),
    ],
    [
      "number",
      (db, id) => holds(db, canChangeNumber({ driverId: id, from: phoneOf(NEIGHBOR), to: "+15550100444" })),
    ],
  ])("%s", async (_what, act) => {
    expect.hasAssertions();
    await expectForeign(act);
  });
});
