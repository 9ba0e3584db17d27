import { env } from "cloudflare:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { beforeEach, describe, expect, it } from "vitest";
import type { CitySpotsResponse, SpotResponse } from "../../../worker/contract/money/service.ts";
import type { UserResponse } from "../../../worker/contract/account/user.ts";
import {
  advanceClock,
  apiTarget,
  createDriver,
  createLinkedDriver,
  deployment,
  driverObject,
  resetPlatform,
  type TestDriver,
} from "../harness.ts";
import {
  codeOf,
  createPreparedPayment,
  fetchPayment,
  FULL,
  payIntent,
  postPrepare,
  followPayments,
} from "../payments-harness.ts";
import { linkPlatformAccount } from "../../support/sandbox-client.ts";

const CITY = "New York City";

beforeEach(async () => {
  await resetPlatform();
  await env.DB.batch(["city_spots", "spots"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
});

async function limit(spots: number): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO city_spots (city, spots) VALUES (?, ?) ON CONFLICT (city) DO UPDATE SET spots = excluded.spots`,
  )
    .bind(CITY, spots)
    .run();
}

const spotOf = ({ client }: TestDriver) => client.fetchJson<SpotResponse>("GET", "/flex/v1/spot");

async function textsTo({ phoneNumber }: TestDriver): Promise<string[]> {
  const answer = await apiTarget.fetch(
    `${apiTarget.origin}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`,
  );
  const { messages } = await answer.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

/** A driver who waits, and the spot that they wait for has just become free. */
async function driverWithOffer({ spots = 1 } = {}): Promise<TestDriver> {
  await limit(0);
  const driver = await createLinkedDriver({ serviceMs: 0 });
  await limit(spots);
  await followPayments(["spots", "news"]);
  return driver;
}

describe("linking", () => {
  it("of two drivers at the last spot gives it to one, and the other waits", async () => {
    await limit(1);
    const drivers = [await createDriver({ serviceMs: 0 }), await createDriver({ serviceMs: 0 })];
    await Promise.all(
      drivers.map((driver) => linkPlatformAccount({ ...apiTarget, client: driver.client }, driver.email)),
    );
    const spots = await Promise.all(drivers.map(async (driver) => (await spotOf(driver)).spot));
    const waiting = { status: "waiting", city: CITY, place: 1, waiting: 1, joinedPlace: 1 };
    expect(spots.toSorted((a, b) => (a?.status ?? "").localeCompare(b?.status ?? ""))).toEqual([
      { status: "held", city: CITY },
      waiting,
    ]);
    const records = await Promise.all(
      drivers.map(({ client }) => client.fetchJson<UserResponse>("GET", "/flex/v1/user")),
    );
    expect(records.map(({ Item }) => Item.waitingForSpot).toSorted()).toEqual([false, true]);
  });

  it("tells the object at once that its driver has to wait", async () => {
    await limit(0);
    const driver = await createLinkedDriver();
    await env.DB.prepare(`UPDATE users SET switched_on = 1, revision = revision + 1 WHERE id = ?`)
      .bind(driver.driverId)
      .run();
    advanceClock(MINUTE_MS);
    await driverObject(driver).wake();
    await expect
      .poll(async () => (await driverObject(driver).snapshot()).phase)
      .toEqual({ kind: "no_service", waitingForSpot: true });
  });

  it("is what the first payment waits for, where a city has a limit", async () => {
    const driver = await createDriver({ serviceMs: 0 });
    const input = { plan: "14days" as const, points: 0, totalCents: FULL["14days"] };
    expect(await spotOf(driver)).toEqual({ spot: null, mustLink: false });
    await limit(5);
    expect(await spotOf(driver)).toEqual({ spot: null, mustLink: true });
    const answer = await postPrepare(driver, input);
    expect([answer.status, await codeOf(answer)]).toEqual([409, "not_linked"]);
    await linkPlatformAccount({ ...apiTarget, client: driver.client }, driver.email);
    expect((await postPrepare(driver, input)).status).toBe(200);
  });
});

/** A driver with a spot elsewhere, and a payment there that is open; their city's line has one driver ahead of them. */
async function payerFromElsewhere() {
  await limit(1);
  const payer = await createLinkedDriver({ serviceMs: 0 });
  const payment = await createPreparedPayment(payer, { plan: "14days" });
  await env.DB.prepare(`UPDATE spots SET city = 'Chicago' WHERE driver_id = ?`).bind(payer.driverId).run();
  await limit(0);
  const first = await createLinkedDriver({ serviceMs: 0 });
  return { payer, payment, first };
}

/** Ten days of a friend's payment, of which two have run in line. */
async function giveDaysInLine({ driverId }: TestDriver): Promise<void> {
  const daysAgo = (days: number) => Date.now() - days * DAY_MS;
  await env.DB.batch([
    env.DB.prepare(`UPDATE spots SET since = ? WHERE driver_id = ?`).bind(daysAgo(3), driverId),
    env.DB.prepare(
      `INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES ('invitation:' || ?1, ?1, ?2, ?3)`,
    ).bind(driverId, 10 * DAY_MS, daysAgo(2)),
  ]);
}

/** The days of service that a driver has from now on, begun ones as whole. */
async function daysLeftOf({ client }: TestDriver): Promise<number> {
  const { Item } = await client.fetchJson<UserResponse>("GET", "/flex/v1/user");
  return Math.ceil((Item.expirationDateTimestamp - Date.now()) / DAY_MS);
}

async function linkAgain({ client, email }: TestDriver): Promise<void> {
  expect((await client.call("DELETE", "/flex/v1/setup")).status).toBe(204);
  await linkPlatformAccount({ ...apiTarget, client }, email);
}

describe("a driver who links in a full city", () => {
  it("waits behind the line though a payment that was opened elsewhere is unpaid", async () => {
    const { payer, first } = await payerFromElsewhere();
    await linkAgain(payer);
    expect((await spotOf(payer)).spot).toMatchObject({ status: "waiting", place: 2 });
    expect((await spotOf(first)).spot).toMatchObject({ status: "waiting", place: 1 });
  });

  it("has a spot once that payment is paid after all, so that no paid day passes in line", async () => {
    const { payer, payment } = await payerFromElsewhere();
    await linkAgain(payer);
    await payIntent(payment.intentId);
    await fetchPayment(payer, payment.paymentId);
    expect((await spotOf(payer)).spot).toEqual({ status: "held", city: CITY });
    const { Item } = await payer.client.fetchJson<UserResponse>("GET", "/flex/v1/user");
    expect(Item).toMatchObject({ waitingForSpot: false, goodStanding: true });
  });

  it("gets the days of a friend's payment back that ran in line, also where a payment ends the wait", async () => {
    const { payer, payment } = await payerFromElsewhere();
    await linkAgain(payer);
    await giveDaysInLine(payer);
    await payIntent(payment.intentId);
    await fetchPayment(payer, payment.paymentId);
    expect(await daysLeftOf(payer)).toBe(10 + 14);
  });

  it("gets them back with another city's line, where they run on", async () => {
    const driver = await driverWithOffer();
    await giveDaysInLine(driver);
    await env.DB.prepare(`UPDATE spots SET city = 'Chicago' WHERE driver_id = ?`).bind(driver.driverId).run();
    await limit(0);
    await linkAgain(driver);
    expect((await spotOf(driver)).spot?.status).toBe("waiting");
    expect(await daysLeftOf(driver)).toBe(10);
  });

  it("has a spot at once where the bank has the payment", async () => {
    const { payer, payment } = await payerFromElsewhere();
    await env.DB.prepare(`UPDATE payments SET status = 'processing' WHERE id = ?`)
      .bind(payment.paymentId)
      .run();
    await linkAgain(payer);
    expect((await spotOf(payer)).spot).toEqual({ status: "held", city: CITY });
  });

  it("loses a spot after a week without service, whatever payment is open", async () => {
    const { payer } = await payerFromElsewhere();
    await limit(5);
    const longAgo = Date.now() - 7 * DAY_MS - HOUR_MS;
    await env.DB.prepare(
      `UPDATE spots SET city = ?, status = 'held', since = ?, check_at = 0 WHERE driver_id = ?`,
    )
      .bind(CITY, longAgo, payer.driverId)
      .run();
    await env.DB.prepare(`UPDATE service_credits SET at = ? WHERE driver_id = ?`)
      .bind(longAgo, payer.driverId)
      .run();
    await followPayments(["spots", "news"]);
    expect((await spotOf(payer)).spot).toEqual({ status: "left", city: CITY });
  });
});

describe("a spot that opens", () => {
  it("is told by text, taken within 48 hours, and then the driver can pay", async () => {
    const driver = await driverWithOffer();
    const { spot } = await spotOf(driver);
    expect(spot).toEqual({ status: "offered", city: CITY, offerEndsAt: expect.any(Number) });
    await expect
      .poll(() => textsTo(driver))
      .toEqual([
        expect.stringMatching(/^Jornada: a spot in New York City is kept for you until .+\. Take it: http/),
      ]);
    const input = { plan: "14days" as const, points: 0, totalCents: FULL["14days"] };
    const before = await postPrepare(driver, input);
    expect([before.status, await codeOf(before)]).toEqual([409, "waiting_for_spot"]);
    const taken = await driver.client.fetchJson<SpotResponse>("POST", "/flex/v1/spot/take");
    expect(taken.spot).toEqual({ status: "held", city: CITY });
    // Pressed twice.
    expect((await driver.client.call("POST", "/flex/v1/spot/take")).status).toBe(200);
    await createPreparedPayment(driver, { plan: "14days" });
  });

  it("brings back the days that ran in line, as those of a friend's payment, once", async () => {
    const driver = await driverWithOffer();
    await giveDaysInLine(driver);
    await Promise.all([1, 2].map(() => driver.client.call("POST", "/flex/v1/spot/take")));
    const { Item } = await driver.client.fetchJson<UserResponse>("GET", "/flex/v1/user");
    expect(await daysLeftOf(driver)).toBe(10);
    expect(Number((await driverObject(driver).snapshot()).serviceUntil)).toBe(Item.expirationDateTimestamp);
  });

  it("goes to the next after 48 hours, and who let it pass can join again at the end", async () => {
    const driver = await driverWithOffer();
    const next = await createLinkedDriver({ serviceMs: 0 });
    await env.DB.prepare(`UPDATE spots SET offer_ends_at = ? WHERE driver_id = ?`)
      .bind(Date.now(), driver.driverId)
      .run();
    const late = await driver.client.call("POST", "/flex/v1/spot/take");
    expect([late.status, await codeOf(late)]).toEqual([410, "spot_gone"]);
    await followPayments(["spots", "news"]);
    expect((await spotOf(next)).spot?.status).toBe("offered");
    expect((await spotOf(driver)).spot).toEqual({ status: "left", city: CITY });
    await expect.poll(async () => (await textsTo(driver))[0]).toContain("Join the waitlist again");
    const joined = await driver.client.fetchJson<SpotResponse>("POST", "/flex/v1/spot/join");
    expect(joined.spot).toMatchObject({ status: "waiting", place: 1 });
  });

  it("goes to a driver who asks again once its time is over, before the cron's next run", async () => {
    const endOffer = ({ driverId }: TestDriver) =>
      env.DB.prepare(`UPDATE spots SET offer_ends_at = ? WHERE driver_id = ?`)
        .bind(Date.now(), driverId)
        .run();
    const join = ({ client }: TestDriver) => client.fetchJson<SpotResponse>("POST", "/flex/v1/spot/join");
    const alone = await driverWithOffer();
    expect((await join(alone)).spot?.status).toBe("offered");
    await endOffer(alone);
    expect((await join(alone)).spot).toEqual({ status: "held", city: CITY });
    const late = await driverWithOffer({ spots: 2 });
    const next = await createLinkedDriver({ serviceMs: 0 });
    await endOffer(late);
    expect((await join(late)).spot).toMatchObject({ status: "waiting", place: 2 });
    await followPayments(["spots", "news"]);
    expect((await spotOf(next)).spot?.status).toBe("offered");
  });

  it("is offered once, however often the cron runs at the same time", async () => {
    await limit(0);
    const drivers = [await createLinkedDriver({ serviceMs: 0 }), await createLinkedDriver({ serviceMs: 0 })];
    await limit(1);
    await Promise.all([
      followPayments(["spots", "news"]),
      followPayments(["spots", "news"]),
      followPayments(["spots", "news"]),
    ]);
    const spots = await Promise.all(drivers.map(async (driver) => (await spotOf(driver)).spot?.status));
    expect(spots).toEqual(["offered", "waiting"]);
  });
});

describe("a driver who had no service for a week", () => {
  it.each([
    ["since it ended", HOUR_MS],
    ["ever", 0],
  ])(
    "%s leaves the spot to others, and gets another by one call while there is room",
    async (_what, serviceMs) => {
      await limit(2);
      const driver = await createLinkedDriver({ serviceMs });
      const longAgo = Date.now() - 7 * DAY_MS - HOUR_MS;
      await env.DB.batch([
        env.DB.prepare(`UPDATE service_credits SET at = ?1 WHERE driver_id = ?2`).bind(
          longAgo,
          driver.driverId,
        ),
        env.DB.prepare(`UPDATE spots SET since = ?1, check_at = 0 WHERE driver_id = ?2`).bind(
          longAgo,
          driver.driverId,
        ),
      ]);
      await followPayments(["spots", "news"]);
      expect((await spotOf(driver)).spot?.status).toBe("left");
      await expect.poll(async () => (await textsTo(driver))[0]).toContain("no service for a week");
      const { spot } = await driver.client.fetchJson<SpotResponse>("POST", "/flex/v1/spot/join");
      expect(spot?.status).toBe("held");
    },
  );
});

describe("a driver who deletes the account", () => {
  it("leaves the spot to the next in line within a minute", async () => {
    await limit(1);
    const [holder, waiter] = [
      await createLinkedDriver({ serviceMs: 0 }),
      await createLinkedDriver({ serviceMs: 0 }),
    ];
    expect((await holder.client.call("DELETE", "/flex/v1/user")).status).toBe(204);
    await followPayments(["spots", "news"]);
    expect((await spotOf(waiter)).spot?.status).toBe("offered");
  });
});

describe("the public", () => {
  it("sees what is left in each city that has a limit", async () => {
    await limit(3);
    await createLinkedDriver();
    const { fetch, origin } = deployment({});
    const answer = await fetch(`${origin}/status/spots`);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=60");
    expect(await answer.json<CitySpotsResponse>()).toEqual({
      cities: [{ city: CITY, spots: 3, left: 2, waiting: 0 }],
    });
  });
});
