import { expect, it } from "vitest";
import * as z from "zod/mini";
import { addCityShares, deleteOldCityWeeks } from "../../../db/queries/fleet/city-offer-hours.ts";
import {
  CITY_WEEKS,
  cityWeekOf,
  hourPayOf,
  type CityHoursShare,
} from "../../../db/shapes/work/city-hours.ts";
import { driverId, warehouseId, type DriverId } from "../../../db/shapes/units.ts";
import { deleteOldTexts } from "../../../db/queries/texts/delivery.ts";
import { replaceWonDays } from "../../../db/queries/work/blocks-won.ts";
import { sweepSteps } from "../../../worker/cron/hourly-cron.ts";
import { closeYesterday } from "../../../worker/payments/books/reconcile-books.ts";
import { settleIntent } from "../../../worker/payments/settle-intent.ts";
import { BYTES_A_DRIVER_MONTH } from "../../bench/scale.ts";
import { DAY_MS, DRIVER, openCheckout, prepareWeek, type Checkout } from "../checkout-harness.ts";

const MONTH_DAYS = 30;
/** They share what the books have of a day as a whole. */
const DRIVERS = ["1", "2", "3", "4", "5"].map((last) => driverId.parse(`${DRIVER.slice(0, -1)}${last}`));

/** A plan is paid by card, and Stripe tells of it three times. */
async function payPlan(at: Checkout, payer: DriverId): Promise<void> {
  const id = await prepareWeek(at, { driverId: payer, plan: "30days" });
  const intentId = String(at.payment(id)?.["intent_id"]);
  at.bank.pay(intentId);
  await settleIntent(at.checkout, intentId);
  for (const type of ["payment_intent.created", "payment_intent.succeeded", "charge.succeeded"])
    at.run(
      `INSERT INTO stripe_events (id, type, intent_id, received_at) VALUES (?, ?, ?, ?)`,
      `evt_${type}_${intentId}`,
      type,
      intentId,
      at.clock.now,
    );
}

/** Two captures and a text of each on six days a week, once a week a sign-in, and once a month the plan of 30 days. */
async function liveDay(at: Checkout, index: number, driver: DriverId): Promise<void> {
  if (index % MONTH_DAYS === 0) await payPlan(at, driver);
  // Nobody drives on all days of a week.
  if (index % 7 === 6) return;
  const now = at.clock.now;
  const day = Math.floor(now / DAY_MS);
  const sum = { day, currency: "USD", blocks: 2, payCents: 18_000, minutes: 360 };
  await replaceWonDays(at.checkout.db, { driverId: driver, days: [day] }, [sum]);
  for (const each of [1, 2])
    at.run(
      `INSERT INTO sent_texts (id, account, phone_number, status, sent_at) VALUES (?, ?, '+15550100101', 'delivered', ?)`,
      `text-${driver}-${index}-${each}`,
      driver,
      now,
    );
  await addCityShares(at.checkout.db, citySharesOf(now));
  if (index % 7 > 0) return;
  at.run(
    `INSERT INTO pool_sessions (origin_jti, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)`,
    `00000000-0000-4000-800${driver.slice(-1)}-${String(index).padStart(12, "0")}`,
    driver,
    now,
    now + 30 * DAY_MS,
  );
}

/** A day's offers at three warehouses, forty at each. */
function citySharesOf(now: number): CityHoursShare[] {
  const offers = Array.from({ length: 40 }, (_, index) => index);
  return ["W1", "W2", "W3"].map((id) => ({
    week: cityWeekOf(now),
    warehouseId: z.parse(warehouseId, id),
    drivers: 1,
    offers: offers.length,
    hours: offers.map((index) => [(Math.floor(now / 3_600_000) + index) % 168, 1]),
    pays: offers.map((index) => [15 + (index % 25), 1]),
    hourPays: offers.map((index) => [
      hourPayOf((Math.floor(now / 3_600_000) + index) % 168, 15 + (index % 25)),
      1,
    ]),
  }));
}

/** As the hourly cron does. */
async function sweep(at: Checkout): Promise<void> {
  const { db } = at.checkout;
  for (const { run } of sweepSteps(at.checkout.deps)) await run();
  await deleteOldCityWeeks(db, cityWeekOf(at.clock.now) - CITY_WEEKS + 1);
  await deleteOldTexts(db, at.clock.now, { textMs: 3 * DAY_MS, failureMs: 90 * DAY_MS });
}

/** The bytes in use, by table and index. */
function bytesOf({ rows }: Checkout): Map<string, number> {
  const used = rows(`SELECT name, sum(pgsize - unused) AS bytes FROM dbstat GROUP BY name`);
  return new Map(used.map(({ name, bytes }) => [String(name), Number(bytes)]));
}

it("grows by as much a driver-month as the model of the fleet's growth says, of which Stripe's events, sessions, texts and weeks of warehouses are none", async () => {
  const at = openCheckout();
  for (const driver of DRIVERS) at.addDriver(driver);
  const sizes: Map<string, number>[] = [];
  for (let index = 0; index <= 6 * MONTH_DAYS; index += 1) {
    if (index % MONTH_DAYS === 0 && index >= 4 * MONTH_DAYS) {
      await sweep(at);
      sizes.push(bytesOf(at));
    }
    for (const driver of DRIVERS) await liveDay(at, index, driver);
    at.clock.now += DAY_MS;
    await closeYesterday(at.checkout);
  }
  const [before = new Map<string, number>(), , after = new Map<string, number>()] = sizes;
  const months = 2 * DRIVERS.length;
  const growth = [...after].map(([name, bytes]) => ({
    name,
    bytes: (bytes - (before.get(name) ?? 0)) / months,
  }));
  const sumOf = (some: typeof growth) => some.reduce((sum, { bytes }) => sum + bytes, 0);
  const comesAndGoes = ({ name }: { name: string }) => /stripe_events|pool_sessions|sent_texts/.test(name);
  // Eight weeks of each warehouse, which all its drivers share.
  const isOfWeeks = ({ name }: { name: string }) => name.includes("warehouse_weeks");
  const weeks = [...after].filter(([name]) => isOfWeeks({ name }));
  expect(weeks.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(3 * CITY_WEEKS * 4_000);
  // A month ends with some rows more or less of these.
  expect(Math.abs(sumOf(growth.filter(comesAndGoes)))).toBeLessThan(400);
  // The days' sums of the books are of all drivers.
  const isShared = (each: { name: string }) => isOfWeeks(each) || /journal_(?:balances|days)/.test(each.name);
  const stays = growth.filter((each) => each.bytes > 0 && !comesAndGoes(each) && !isShared(each));
  expect(sumOf(stays.filter(({ name }) => name === "won_days"))).toBeGreaterThan(1_000);
  expect(sumOf(stays), JSON.stringify(stays)).toBeLessThanOrEqual(BYTES_A_DRIVER_MONTH);
  expect(sumOf(stays)).toBeGreaterThan(0.9 * BYTES_A_DRIVER_MONTH);
});

it("leaves what is young, and deletes what is old, of events and sessions", async () => {
  const at = openCheckout();
  at.addDriver();
  const now = at.clock.now;
  for (const [id, age] of [
    ["young", 89],
    ["old", 91],
  ] as const) {
    at.run(
      `INSERT INTO stripe_events (id, type, received_at) VALUES (?, 'charge.succeeded', ?)`,
      id,
      now - age * DAY_MS,
    );
    at.run(
      `INSERT INTO pool_sessions (origin_jti, user_id, created_at, expires_at) VALUES (?, ?, 1, ?)`,
      id,
      DRIVER,
      now + (90 - age) * DAY_MS - DAY_MS,
    );
  }
  await sweep(at);
  expect(at.rows(`SELECT id FROM stripe_events`)).toMatchObject([{ id: "young" }]);
  expect(at.rows(`SELECT origin_jti AS id FROM pool_sessions`)).toMatchObject([{ id: "young" }]);
  const plans = [
    `DELETE FROM stripe_events WHERE id IN (SELECT id FROM stripe_events WHERE received_at < 1 ORDER BY received_at LIMIT 9)`,
    `DELETE FROM pool_sessions WHERE origin_jti IN (SELECT origin_jti FROM pool_sessions WHERE expires_at < 1 ORDER BY expires_at LIMIT 9)`,
    `SELECT * FROM blocks_won WHERE driver_id = 'd' LIMIT 9`,
    `SELECT * FROM won_days WHERE driver_id = 'd'`,
  ];
  for (const plan of plans.flatMap((query) => at.rows(`EXPLAIN QUERY PLAN ${query}`)))
    expect(String(plan["detail"])).not.toMatch(/^SCAN|TEMP B-TREE/);
});
