import { beforeEach, describe, expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { listLostDays, shareLost, storeLostDay, sumGivenBack } from "../../db/queries/payments/lost-days.ts";
import { readServiceLedger, type ServiceEntry } from "../../db/queries/payments/service-time.ts";
import { DAY_MS, driverId, HOUR_MS } from "../../db/shapes/units.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { insertDriver } from "../support/driver-insert.ts";

const someone = driverId.parse("driver-1");
const DATE = "2026-11-24";
const day = { from: Date.parse("2026-11-24T05:00:00Z"), to: Date.parse("2026-11-25T05:00:00Z") };
const now = day.to + HOUR_MS;
const database = migratedDatabase();
const db = openDb(bindD1(database));

beforeEach(() => {
  database.exec(
    "DELETE FROM users; DELETE FROM service_credits; DELETE FROM lost_days; DELETE FROM renewals",
  );
  insertDriver(database, { id: someone, switchedOn: true, proxyInstalled: true });
});

function credit(source: string, durationMs: number, at = day.from - DAY_MS): void {
  database
    .prepare(`INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, ?, ?, ?)`)
    .run(source, someone, durationMs, at);
}
const ledger = () =>
  database
    .prepare(`SELECT source, duration_ms AS durationMs, at FROM service_credits ORDER BY at, rowid`)
    .all() as unknown as ServiceEntry[];
const given = () => ledger().filter(({ source }) => source.includes(":outage:"));
const settle = (change: Partial<Parameters<typeof storeLostDay>[1]> = {}) =>
  storeLostDay(db, {
    driverId: someone,
    date: DATE,
    lostMs: 2 * HOUR_MS,
    day,
    fromMs: HOUR_MS,
    now,
    ...change,
  });

describe("a day with lost time", () => {
  it("is given back as service once, whoever repeats it", async () => {
    credit("payment:p1", 7 * DAY_MS);
    const before = readServiceLedger(ledger()).until ?? 0;
    expect(await settle()).toBe(2 * HOUR_MS);
    expect(await settle()).toBe(0);
    expect(await settle({ now: now + DAY_MS, lostMs: 5 * HOUR_MS })).toBe(0);
    expect(await Promise.all([settle(), settle()])).toEqual([0, 0]);
    expect(given().map(({ source, durationMs }) => [source, durationMs])).toEqual([
      [`payment:p1:outage:${DATE}`, 2 * HOUR_MS],
    ]);
    expect(readServiceLedger(ledger()).until).toBe(before + 2 * HOUR_MS);
    expect(database.prepare(`SELECT revision FROM users`).get()).toEqual({ revision: 2 });
    expect(await listLostDays(db, someone)).toEqual([
      { driverId: someone, date: DATE, lostMs: 2 * HOUR_MS, givenMs: 2 * HOUR_MS, at: now },
    ]);
    expect([await sumGivenBack(db, now - 1), await sumGivenBack(db, now)]).toEqual([2 * HOUR_MS, 0]);
  });

  it.each([
    ["an hour or less", { lostMs: HOUR_MS }],
    ["an operator switched it off", { fromMs: null }],
  ])("is stored, and nothing is given where it is %s", async (_case, change) => {
    credit("payment:p1", 7 * DAY_MS);
    expect(await settle(change)).toBe(0);
    expect([given(), (await listLostDays(db, someone)).map(({ givenMs }) => givenMs)]).toEqual([[], [0]]);
  });

  it("gives nothing of a payment that was refunded, and what is refunded later takes it along", async () => {
    credit("payment:p1", 7 * DAY_MS);
    credit("payment:p1:re_1", -5 * DAY_MS, day.to);
    expect(await settle()).toBe(0);
    credit("payment:p1:re_1:undone", 5 * DAY_MS, day.to + 1);
    expect(await settle({ date: "2026-11-25" })).toBe(2 * HOUR_MS);
    credit("payment:p1:re_2", -30 * DAY_MS, now + 1);
    expect(readServiceLedger(ledger()).until).toBe(now + 1);
  });

  it("gives no more than ran on that day, and nothing without service", async () => {
    credit("payment:p1", DAY_MS + HOUR_MS);
    expect(await settle({ lostMs: 9 * HOUR_MS })).toBe(HOUR_MS);
    database.exec("DELETE FROM service_credits; DELETE FROM lost_days");
    expect(await settle()).toBe(0);
  });

  it("gives nothing for a pause", async () => {
    credit("payment:p1", 20 * DAY_MS);
    credit("pause:driver-1:1", 3 * DAY_MS);
    expect(await settle()).toBe(0);
  });

  it("is stored nowhere for a driver who is gone, nor where the ledger changed meanwhile", async () => {
    credit("payment:p1", 7 * DAY_MS);
    database.exec("DELETE FROM users");
    await expect(settle()).rejects.toThrow();
    expect([given(), await listLostDays(db, someone)]).toEqual([[], []]);
  });

  it("is goodwill in the books, whatever paid for the day", async () => {
    credit("trial:driver-1", 7 * DAY_MS);
    await settle();
    const lines = database
      .prepare(
        `SELECT account, amount FROM journal WHERE entry LIKE 'time:trial:%:outage:%' ORDER BY account`,
      )
      .all();
    expect(lines).toEqual([
      { account: "goodwill", amount: 2 * HOUR_MS },
      { account: "time_owed", amount: -2 * HOUR_MS },
    ]);
  });
});

it("over 10,000 histories the shares are never more than the outage, the day, or what ran of a grant", () => {
  let seed = 2_026;
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * most);
  };
  for (let history = 0; history < 10_000; history += 1) {
    const entries = Array.from({ length: 1 + random(4) }, (_, index) => ({
      source: `payment:p${index}`,
      durationMs: random(4 * DAY_MS),
      at: day.from - random(6 * DAY_MS),
    })).toSorted((one, other) => one.at - other.at);
    const refunded = entries[random(entries.length * 2)];
    if (refunded)
      entries.push({ source: `${refunded.source}:re`, durationMs: -random(4 * DAY_MS) - 1, at: day.to });
    const lostMs = random(30 * HOUR_MS);
    const shares = shareLost(entries, { lostMs, day });
    const total = shares.reduce((sum, { ms }) => sum + ms, 0);
    const isFair = total <= lostMs && total <= DAY_MS && shares.every(({ ms }) => ms > 0);
    const takesRefunded = shares.some(({ grant }) => grant === refunded?.source);
    const repaid = [
      ...entries,
      ...shares.map(({ grant, ms }) => ({ source: `${grant}:outage:${DATE}`, durationMs: ms, at: now })),
    ];
    const added =
      (readServiceLedger(repaid).until ?? 0) -
      Math.max(readServiceLedger(entries).until ?? 0, shares.length > 0 ? now : 0);
    expect({ history, isFair, takesRefunded, added: shares.length > 0 ? added : 0 }).toEqual({
      history,
      isFair: true,
      takesRefunded: false,
      added: total,
    });
  }
});
