import { expect, it } from "vitest";
import {
  findByEnd,
  listUnsettledPayments,
  loadDriverForOperator,
} from "../../db/queries/operators/driver.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import { loadDriverPage } from "../../worker/console/driver-page.ts";
import { listFleetDrivers, loadFleet } from "../../worker/console/fleet.ts";
import { NOW } from "../payments/checkout-harness.ts";
import { ANA, BIA, openDesk, type Desk } from "./desk.ts";

const pay = ({ run }: Desk, id: string, createdAt: number, settledAt: number | null = null, whose = ANA) =>
  run(
    `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
     VALUES (?1, ?2, 'pi' || ?1, '7days', 'prepared', 'USD', 1, 0, 0, 0, 0, 1, 0, ?3, ?4, 1)`,
    id,
    whose,
    createdAt,
    settledAt,
  );

it("finds drivers by all digits of the end of a number, the last four of which others share", async () => {
  const at = openDesk();
  at.run(`UPDATE users SET phone_number = '+15550100123' WHERE id = ?`, ANA);
  at.run(`UPDATE users SET phone_number = '+15550200123' WHERE id = ?`, BIA);
  const found = async (digits: string) =>
    (await findByEnd(at.checkout.db, digits, 9)).map(({ id }) => id).toSorted();
  expect([await found("0123"), await found("100123"), await found("200123"), await found("300123")]).toEqual([
    [ANA, BIA],
    [ANA],
    [BIA],
    [],
  ]);
});

it("lists a driver's payments since an instant that did not go through, the newest first", async () => {
  const at = openDesk();
  pay(at, "then", NOW);
  pay(at, "after", NOW + 1);
  pay(at, "later", NOW + 2);
  pay(at, "settled", NOW + 3, NOW + 4);
  pay(at, "another's", NOW + 5, null, BIA);
  const listed = await listUnsettledPayments(at.checkout.db, ANA, NOW);
  expect(listed.map(({ id }) => id)).toEqual(["later", "after"]);
});

it("shows an operator a driver's texts, the newest first, and the prices that last, the next to end first", async () => {
  const at = openDesk();
  for (const [id, sentAt] of [
    ["old", NOW - 2],
    ["new", NOW],
    ["between", NOW - 1],
  ] as const)
    at.run(
      `INSERT INTO sent_texts (id, phone_number, account, status, sent_at) VALUES (?, '+1', ?, 'sent', ?)`,
      id,
      ANA,
      sentAt,
    );
  for (const [id, endsAt] of [
    ["ended", NOW],
    ["long", NOW + 2],
    ["short", NOW + 1],
  ] as const)
    at.run(
      `INSERT INTO price_cuts (id, kind, plan, price_cents, driver_id, starts_at, ends_at) VALUES (?, 'special', '7days', 1, ?, 0, ?)`,
      id,
      ANA,
      endsAt,
    );
  const { texts, prices } = await loadDriverForOperator(at.checkout.db, ANA, NOW);
  expect(texts.map(({ id }) => id)).toEqual(["new", "between", "old"]);
  expect(prices.map(({ id }) => id)).toEqual(["short", "long"]);
});

it("says which tables of a driver's page go on beyond the lines that it has", async () => {
  const at = openDesk();
  const add = (count: number, from = 0) => {
    for (let index = from; index < count; index += 1)
      at.run(
        `INSERT INTO sent_texts (id, phone_number, account, status, sent_at) VALUES (?, '+1', ?, 'sent', ?)`,
        `t${index}`,
        ANA,
        NOW - index,
      );
  };
  const load = async () => {
    const { cut, texts, invitations } = await loadDriverPage(at.as("owner"), ANA);
    return { cut, texts: texts.sent.length, invitations: invitations.length };
  };
  add(50);
  expect(await load()).toEqual({ cut: [], texts: 50, invitations: 0 });
  add(51, 50);
  for (let index = 0; index < 21; index += 1)
    at.run(
      `INSERT INTO invitations (id, inviter_id, phone_number, has_trial, revocations, created_at) VALUES (?, ?, ?, 0, 0, ?)`,
      `i${index}`,
      ANA,
      `+155501033${10 + index}`,
      NOW,
    );
  expect(await load()).toEqual({ cut: ["texts", "invitations"], texts: 50, invitations: 20 });
});

it.each([
  ["polling", "looking"],
  ["off", "off"],
  ["asleep", "asleep"],
] as const)(
  "lists drivers who are %s as often as the fleet counts them, overdue ones included",
  async (state, list) => {
    const at = openDesk();
    for (const id of [ANA, BIA])
      at.run(
        `INSERT INTO driver_states (driver_id, state, since, reported_at) VALUES (?, ?, 0, 0)`,
        id,
        state,
      );
    at.run(
      `INSERT INTO heartbeats (driver_id, object_name, due_at, failure) VALUES (?, 'an object', ?, NULL)`,
      ANA,
      NOW - HOUR_MS,
    );
    const as = at.as("owner");
    const { drivers } = await loadFleet(as, "day");
    const idsOf = async (name: typeof list | "stale") =>
      (await listFleetDrivers(as, name)).drivers.map(({ id }) => id).toSorted();
    const isOverdue = state !== "off";
    expect([await idsOf(list), await idsOf("stale")]).toEqual(isOverdue ? [[BIA], [ANA]] : [[ANA, BIA], []]);
    expect([drivers[list], drivers.stale]).toEqual(isOverdue ? [1, 1] : [2, 0]);
  },
);
