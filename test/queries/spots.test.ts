import type { SQLInputValue } from "node:sqlite";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { openDb, type Db } from "../../db/client.ts";
import { eraseDriverData } from "../../db/queries/accounts/account-deletion.ts";
import {
  endPassedOffers,
  listCitiesWithLine,
  listSpotsToCheck,
  offerFreeSpots,
  releaseIfLapsed,
} from "../../db/queries/spots/turns.ts";
import { serviceLedgerQuery, serviceUntilOf } from "../../db/queries/payments/service-time.ts";
import { claimSpot, listCitySpots, loadSpot, takeFreeSpot } from "../../db/queries/spots/spots.ts";
import { loadWait } from "../../db/queries/spots/waited-days.ts";
import { cityOf, nextSpotCheckAt, spotLapsesAt, type spotStatus } from "../../db/shapes/money/spots.ts";
import {
  DAY_MS,
  driverId as driverIdShape,
  HOUR_MS,
  MINUTE_MS,
  type DriverId,
} from "../../db/shapes/units.ts";
import { draws } from "../support/draws.ts";
import { insertDriver } from "../support/driver-insert.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const START = Date.UTC(2026, 10, 1);
const CITY = "New York City";

type SpotStatus = z.infer<typeof spotStatus>;

/** A city in a database of its own, with a clock. */
class City {
  readonly #database = migratedDatabase();
  readonly db: Db = openDb(bindD1(this.#database));
  now = START;
  #credits = 0;

  all(query: string, ...values: SQLInputValue[]) {
    return this.#database.prepare(query).all(...values);
  }

  limit(spots: number | null): void {
    this.all(`DELETE FROM city_spots`);
    if (spots !== null) this.all(`INSERT INTO city_spots (city, spots) VALUES (?, ?)`, CITY, spots);
  }

  register(name: string): DriverId {
    const id = driverIdShape.parse(name);
    insertDriver(this.#database, { id, phoneNumber: id, createdAt: this.now });
    return id;
  }

  /** The driver links in the city. */
  async link(name: string, region = CITY): Promise<DriverId> {
    const known = this.all(`SELECT id FROM users WHERE id = ?`, name).length > 0;
    const id = known ? driverIdShape.parse(name) : this.register(name);
    await claimSpot(this.db, { driverId: id, region, now: this.now });
    return id;
  }

  /** The driver takes the spot that is kept for them. */
  async take(driverId: DriverId): Promise<boolean> {
    const wait = await loadWait(this.db, driverId);
    return (await takeFreeSpot(this.db, driverId, { wait, now: this.now })).isTaken;
  }

  /** Pays for days that begin now. */
  pay(name: string, days: number): void {
    this.addService(name, days);
    this.all(
      `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, revision, created_at, settled_at)
       VALUES (?1 || ?2, ?1, '14days', 'settled', 'USD', 1, 0, 0, 0, 0, 1, 0, 1, ?2, ?2)`,
      name,
      this.now,
    );
  }

  disable(name: string): void {
    this.all(
      `INSERT INTO pool_users (id, phone_number, phone_verified, status, enabled, password, attributes, sms_mfa, software_token_mfa, totp_used_step, created_at)
       VALUES (?1, ?1, 1, 'CONFIRMED', 0, '', '{}', 0, 0, 0, ?2)`,
      name,
      this.now,
    );
  }

  addService(name: string, days: number): void {
    this.#credits += 1;
    this.all(
      `INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, ?, ?, ?)`,
      `test:${name}:${this.now}:${this.#credits}`,
      name,
      days * DAY_MS,
      this.now,
    );
    this.all(`UPDATE users SET revision = revision + 1 WHERE id = ?`, name);
  }

  async runCron(): Promise<void> {
    await endPassedOffers(this.db, this.now);
    for (const spot of await listSpotsToCheck(this.db, this.now, 100))
      await releaseIfLapsed(this.db, spot, this.now);
    for (const city of await listCitiesWithLine(this.db)) await offerFreeSpots(this.db, city, this.now);
  }

  statuses(): Record<string, SpotStatus> {
    return Object.fromEntries(
      this.all(`SELECT driver_id, status FROM spots ORDER BY since, driver_id`).map((row) => [
        String(row["driver_id"]),
        row["status"],
      ]),
    ) as Record<string, SpotStatus>;
  }

  line(): string[] {
    return this.all(`SELECT driver_id FROM spots WHERE status = 'waiting' ORDER BY since, driver_id`).map(
      (row) => String(row["driver_id"]),
    );
  }

  news(): string[] {
    return this.all(`SELECT driver_id, kind FROM driver_news ORDER BY at, driver_id`).map(
      (row) => `${String(row["driver_id"])} ${String(row["kind"])}`,
    );
  }

  /** Whether the records say who may capture and pay. */
  flagsAgree(): boolean {
    return this.all(
      `SELECT 1 FROM users JOIN spots ON spots.driver_id = users.id WHERE waiting_for_spot <> (status <> 'held')`,
    ).every(() => false);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

describe("when a spot lapses", () => {
  it.each([
    ["never had service", { since: START, serviceUntil: null }, START + 7 * DAY_MS],
    ["service ended before it was taken", { since: START, serviceUntil: START - DAY_MS }, START + 7 * DAY_MS],
    ["service ends later", { since: START, serviceUntil: START + DAY_MS }, START + 8 * DAY_MS],
  ])("%s", (_name, spot, lapsesAt) => {
    expect(spotLapsesAt(spot)).toBe(lapsesAt);
    expect(nextSpotCheckAt(spot, lapsesAt)).toBeNull();
    expect(nextSpotCheckAt(spot, lapsesAt - 1)).toBe(lapsesAt);
    expect(nextSpotCheckAt(spot, START - 30 * DAY_MS)).toBe(START - 29 * DAY_MS);
  });

  it.each([
    ["New York City", "New York City"],
    [" Chicago ", "Chicago"],
    ["", "other"],
    [null, "other"],
  ])("is decided in the city of the region %o", (region, city) => {
    expect(cityOf(region)).toBe(city);
  });
});

describe("linking", () => {
  it("gives everybody a spot where the city has no limit", async () => {
    using city = new City();
    for (const name of ["a", "b", "c"]) await city.link(name);
    await city.link("d", "");
    expect(city.statuses()).toEqual({ a: "held", b: "held", c: "held", d: "held" });
    expect(city.flagsAgree()).toBe(true);
  });

  it("gives the last spot to the first who comes, and nobody overtakes the line", async () => {
    using city = new City();
    city.limit(1);
    await city.link("a");
    await city.link("b");
    city.now += 1;
    await city.link("c");
    city.limit(3);
    await city.link("d");
    expect(city.statuses()).toEqual({ a: "held", b: "waiting", c: "waiting", d: "waiting" });
    expect(city.flagsAgree()).toBe(true);
    const spot = await loadSpot(city.db, driverIdShape.parse("c"));
    expect([spot.place, spot.waiting, spot.row?.joinedPlace]).toEqual([2, 3, 2]);
  });

  it("can be repeated: the place in line stays", async () => {
    using city = new City();
    city.limit(0);
    await city.link("a");
    city.now += 1;
    await city.link("b");
    city.now += 1;
    await city.link("a");
    expect(city.line()).toEqual(["a", "b"]);
  });

  it("in another city begins at the end of its line, and leaves the former spot to the next", async () => {
    using city = new City();
    city.limit(1);
    await city.link("a");
    await city.link("b");
    city.now += 1;
    await city.link("a", "Chicago");
    await city.runCron();
    expect(city.statuses()).toEqual({ a: "held", b: "offered" });
  });

  it("never makes somebody wait who has paid for days that are left, but does so with days that were given", async () => {
    using city = new City();
    await city.link("a", "Chicago");
    city.pay("a", 14);
    await city.link("b", "Chicago");
    city.addService("b", 14);
    city.limit(0);
    await city.link("a");
    await city.link("b");
    expect(city.statuses()).toEqual({ a: "held", b: "waiting" });
    expect(city.flagsAgree()).toBe(true);
  });
});

describe("the line", () => {
  it("offers a spot that is free for 48 hours, then to the next; who lets it pass has to join again", async () => {
    using city = new City();
    city.limit(1);
    for (const name of ["a", "b", "c"]) {
      await city.link(name);
      city.now += 1;
    }
    await eraseDriverData(city.db, driverIdShape.parse("a"), { customerId: null, now: city.now });
    await city.runCron();
    await city.runCron();
    expect(city.statuses()).toEqual({ b: "offered", c: "waiting" });
    city.now += 48 * HOUR_MS - 1;
    await city.runCron();
    expect(city.statuses()).toEqual({ b: "offered", c: "waiting" });
    city.now += 1;
    expect(await city.take(driverIdShape.parse("b"))).toBe(false);
    await city.runCron();
    expect(city.statuses()).toEqual({ b: "left", c: "offered" });
    expect(city.news()).toEqual(["b spot_opened", "b spot_passed", "c spot_opened"]);
    await city.link("b");
    expect(city.statuses()).toEqual({ c: "offered", b: "waiting" });
    expect(await city.take(driverIdShape.parse("c"))).toBe(true);
    expect(city.statuses()).toEqual({ c: "held", b: "waiting" });
    expect(city.flagsAgree()).toBe(true);
  });

  it("moves when service has lapsed for seven days, and not while a payment is in progress", async () => {
    using city = new City();
    city.limit(1);
    await city.link("a");
    city.pay("a", 3);
    await city.link("b");
    city.now += 10 * DAY_MS - 1;
    await city.runCron();
    expect(city.statuses()["b"]).toBe("waiting");
    city.all(
      `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, revision, created_at)
       VALUES ('p', 'a', '3days', 'processing', 'USD', 1, 0, 0, 0, 0, 1, 0, 1, 1)`,
    );
    city.now += 1;
    await city.runCron();
    expect(city.statuses()).toMatchObject({ a: "held", b: "waiting" });
    city.all(`UPDATE payments SET status = 'abandoned' WHERE id = 'p'`);
    await city.runCron();
    expect(city.statuses()).toMatchObject({ a: "left", b: "offered" });
    expect(city.news()).toEqual(["a spot_released", "b spot_opened"]);
    expect(city.flagsAgree()).toBe(true);
  });

  it("moves though the payments of more drivers than a run looks at are in progress for long", async () => {
    using city = new City();
    for (let index = 0; index < 100; index += 1) {
      const name = `paying-${index}`;
      await city.link(name);
      city.all(
        `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, revision, created_at)
         VALUES (?1, ?1, '3days', 'processing', 'USD', 1, 0, 0, 0, 0, 1, 0, 1, 1)`,
        name,
      );
    }
    city.now += 1;
    await city.link("gone");
    city.limit(101);
    await city.link("next");
    city.now += 8 * DAY_MS;
    await city.runCron();
    city.now += MINUTE_MS;
    await city.runCron();
    expect(city.statuses()).toMatchObject({ gone: "left", next: "offered", "paying-0": "held" });
  });

  it("passes over a disabled driver, who keeps the place", async () => {
    using city = new City();
    city.limit(0);
    for (const name of ["a", "b"]) {
      await city.link(name);
      city.now += 1;
    }
    city.disable("a");
    city.limit(1);
    await city.runCron();
    expect(city.statuses()).toEqual({ a: "waiting", b: "offered" });
    expect(city.news()).toEqual(["b spot_opened"]);
    city.all(`UPDATE pool_users SET enabled = 1`);
    city.limit(2);
    await city.runCron();
    expect(city.statuses()).toEqual({ a: "offered", b: "offered" });
  });

  it("returns the days that ran in it to the grant, so that what takes the grant back takes all", async () => {
    using city = new City();
    city.limit(0);
    const id = await city.link("a");
    city.now += DAY_MS;
    city.addService("a", 10);
    city.now += 4 * DAY_MS;
    city.limit(1);
    await city.runCron();
    expect(await city.take(id)).toBe(true);
    const ledger = await serviceLedgerQuery(city.db, id);
    expect((Number(serviceUntilOf(ledger)) - city.now) / DAY_MS).toBe(10);
    const [grant] = ledger;
    const debit = { source: `${String(grant?.source)}:1`, durationMs: -10 * DAY_MS, at: city.now };
    expect(serviceUntilOf([...ledger, debit])).toBe(city.now);
  });

  it("moves when the limit is raised or taken away", async () => {
    using city = new City();
    city.limit(0);
    for (const name of ["a", "b", "c"]) {
      await city.link(name);
      city.now += 1;
    }
    city.limit(1);
    await city.runCron();
    expect(city.statuses()).toEqual({ a: "offered", b: "waiting", c: "waiting" });
    city.limit(null);
    await city.runCron();
    expect(city.statuses()).toEqual({ a: "offered", b: "offered", c: "offered" });
  });

  it("tells the public what is left, and nothing while others wait", async () => {
    using city = new City();
    city.limit(2);
    city.all(`INSERT INTO city_spots (city, spots) VALUES ('Chicago', 1)`);
    await city.link("a");
    await city.link("b", "Chicago");
    await city.link("c", "Chicago");
    expect(await listCitySpots(city.db)).toEqual([
      { city: "Chicago", spots: 1, taken: 1, waiting: 1 },
      { city: CITY, spots: 2, taken: 1, waiting: 0 },
    ]);
  });
});

type Move =
  | { kind: "link" | "take" | "delete" | "pay"; who: number }
  | { kind: "limit"; spots: number }
  | { kind: "wait"; hours: number };

const who = fc.integer({ min: 0, max: 5 });
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("link" as const, "take" as const, "delete" as const, "pay" as const),
    who,
  }),
  fc.record({ kind: fc.constant("limit" as const), spots: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 240 }) }),
);

describe("in every case", () => {
  it("no run gives more spots than there are, the line keeps its order, and the records agree", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 40 }), async (moves) => {
        using city = new City();
        let limit = 2;
        city.limit(limit);
        for (const step of moves) {
          city.now += 1;
          const before = city.statuses();
          const line = city.line();
          const taken = (all: Record<string, SpotStatus>) =>
            Object.values(all).filter((status) => status === "held" || status === "offered").length;
          if (step.kind === "limit") city.limit((limit = step.spots));
          else if (step.kind === "wait") city.now += step.hours * HOUR_MS;
          else {
            const name = `driver-${step.who}`;
            const id = driverIdShape.parse(name);
            if (step.kind === "link") await city.link(name);
            else if (step.kind === "take") await city.take(id);
            else if (step.kind === "delete")
              await eraseDriverData(city.db, id, { customerId: null, now: city.now });
            // Only who has a spot can pay.
            else if (before[name] === "held") city.pay(name, 3);
          }
          const between = city.statuses();
          await city.runCron();
          const after = city.statuses();
          // Nothing but days that are paid for puts a city over its limit, and those need a spot here.
          const allowed = Math.max(limit, taken(before), taken(between));
          expect(taken(after)).toBeLessThanOrEqual(allowed);
          if (taken(between) > taken(before)) expect(taken(between)).toBeLessThanOrEqual(limit);
          // Nobody overtakes anybody.
          const stay = line.filter((name) => city.line().includes(name));
          expect(city.line().filter((name) => stay.includes(name))).toEqual(stay);
          const served = line.filter((name) => before[name] === "waiting" && after[name] === "offered");
          expect(line.filter((name) => name in after).slice(0, served.length)).toEqual(served);
          if (city.line().length > 0) expect(taken(after)).toBeGreaterThanOrEqual(limit);
          expect(city.flagsAgree()).toBe(true);
        }
      }),
      draws({ whole: 60, usual: 12 }),
    );
  });
});
