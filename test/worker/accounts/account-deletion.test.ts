import { env, runDurableObjectAlarm, runInDurableObject, SELF } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { openDb } from "../../../db/client.ts";
import { loadDriver, toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import { driverId } from "../../../db/shapes/units.ts";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import { LIVE_CLOSE_REVOKED, LIVE_PROTOCOL } from "../../../db/shapes/work/live.ts";
import { callPool, signInMember, signUpMember } from "../embedded-pool.ts";
import {
  publishOffer,
  driverObject,
  apiTarget,
  platformWorld,
  resetPlatform,
  createDriver,
  runAlarm,
  createActiveDriver,
  type TestDriver,
} from "../harness.ts";
import { watchedRows } from "../watched.ts";

beforeEach(() => resetPlatform());

/** The column that names a row's owner, where it isn't `driver_id`. */
const OWNER_COLUMNS: Record<string, string> = { users: "id", invitations: "inviter_id" };
const OF_THE_BOOKS = ["payments", "point_entries", "service_credits"] as const;
const OF_THE_DRIVER = [
  "users",
  "filters",
  "warehouse_filters",
  "won_days",
  "heartbeats",
  "driver_objects",
  "driver_states",
  "error_group_drivers",
  "raffle_entries",
  "price_cuts",
  "service_news",
  "spots",
  "driver_news",
  "stripe_customers",
  "invitations",
  "invite_codes",
  "reward_redemptions",
  "feedback",
] as const;

/** The number of rows per table for a driver. */
async function rowsOf(driverId: string): Promise<Record<string, number>> {
  const tables = [...OF_THE_DRIVER, ...OF_THE_BOOKS];
  const counts = await env.DB.batch<{ rows: number }>(
    tables.map((table) =>
      env.DB.prepare(
        `SELECT count(*) AS rows FROM ${table} WHERE ${OWNER_COLUMNS[table] ?? "driver_id"} = ?`,
      ).bind(driverId),
    ),
  );
  return Object.fromEntries(tables.map((table, index) => [table, counts[index]?.results[0]?.rows ?? 0]));
}

/** A driver with a row in every table: active, with a won block, a payment, points and a raffle entry. */
async function veteran(): Promise<TestDriver> {
  const driver = await createActiveDriver();
  await publishOffer(driver.warehouseIds[0]!);
  await publishOffer(driver.warehouseIds[0]!, { payCents: 50 });
  await runAlarm(driver);
  const { driverId } = driver;
  const insert = (statement: string) => env.DB.prepare(statement).bind(driverId);
  await env.DB.batch([
    insert(
      `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, revision, created_at)
       VALUES ('p-' || ?1, ?1, '14days', 'settled', 'USD', 8999, 0, 0, 0, 63, 9062, 0, 1, 1)`,
    ),
    insert(
      `INSERT INTO payment_disputes (id, payment_id, status, reason, cents, fee_cents, at)
       VALUES ('dp-' || ?1, 'p-' || ?1, 'won', 'fraudulent', 9062, 1500, 1)`,
    ),
    insert(`INSERT INTO point_entries (source, driver_id, points, at) VALUES ('e-' || ?1, ?1, 140, 1)`),
    insert(
      `INSERT INTO raffle_entries (promotion_id, payment_id, driver_id, at) VALUES ('r', 'p-' || ?1, ?1, 1)`,
    ),
    insert(`INSERT INTO stripe_customers (driver_id, customer_id) VALUES (?1, 'cus_' || ?1)`),
    insert(
      `INSERT INTO price_cuts (id, kind, plan, price_cents, driver_id, starts_at, ends_at) VALUES ('c-' || ?1, 'special_price', '7days', 1, ?1, 1, 2)`,
    ),
    insert(`INSERT INTO driver_devices (driver_id, device_hash, at) VALUES (?1, 'hash', 1)`),
    insert(`INSERT INTO invite_codes (driver_id, code) VALUES (?1, 'code-' || ?1)`),
    insert(
      `INSERT INTO reward_redemptions (id, driver_id, reward, points, at) VALUES (?1 || ':key', ?1, '3days', 300, 1)`,
    ),
    insert(
      `INSERT INTO invitations (id, inviter_id, phone_number, friend_id, has_trial, payment_id, completed_at, revoked_at, revocations, created_at)
       VALUES ('i-' || ?1, ?1, '+15550199999', 'friend-of-' || ?1, 0, 'payment-of-' || ?1, 2, 3, 1, 1)`,
    ),
    insert(
      `INSERT INTO invited_numbers (phone_number, texted_at, trial_at, rewarded_at)
       SELECT phone_number, 4, NULL, 5 FROM users WHERE id = ?1`,
    ),
    insert(`INSERT INTO feedback (id, driver_id, score, at) VALUES ('f-' || ?1, ?1, 9, 1)`),
    insert(`INSERT INTO error_group_drivers (group_id, driver_id) VALUES ('g', ?1)`),
    insert(`INSERT INTO heartbeats (driver_id, object_name, due_at) VALUES (?1, 'o', 9000000000000)`),
    insert(`INSERT INTO service_news (source, driver_id, kind, at) VALUES ('n-' || ?1, ?1, 'paid', 1)`),
    insert(
      `INSERT INTO driver_news (source, driver_id, kind, subject, at) VALUES ('w-' || ?1, ?1, 'later', 'r', 1)`,
    ),
  ]);
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    const browser = { endpoint: "https://push.example.com/secret-address", keys: { p256dh: "p", auth: "a" } };
    storage.sql.exec(
      `INSERT INTO push_subscriptions (endpoint, value) VALUES (?, ?)`,
      browser.endpoint,
      JSON.stringify(browser),
    );
  });
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const rows = await rowsOf(driverId);
    if (rows["won_days"] && (await watchedRows(driver)).length > 0) return driver;
    await runAlarm(driver);
  }
  throw new Error("the copies never reached D1");
}

async function isLinkedAtPlatform(driver: TestDriver): Promise<boolean> {
  const { drivers } = await platformWorld(apiTarget);
  return drivers.some(({ email, linked }) => email === driver.email && linked);
}

describe("the export", () => {
  it("is one JSON file of everything that is stored, without secrets", async () => {
    const driver = await veteran();
    const answer = await driver.client.call("GET", "/flex/v1/user/export");
    const text = await answer.text();
    const file: DriverExport = JSON.parse(text);

    expect(answer.headers.get("content-disposition")).toMatch(
      /^attachment; filename="jornada-\d{4}-\d\d-\d\d\.json"$/,
    );
    expect(file.user).toMatchObject({
      name: "Ana",
      phoneNumber: driver.phoneNumber,
      flexEmail: driver.email,
    });
    expect(file.filters.filters.warehouses).toHaveLength(3);
    expect(file.warehouses.map(({ warehouseId }) => warehouseId)).toEqual(driver.warehouseIds);
    const { service, points, payments, paymentDisputes, blocksWon, wonDays, raffleEntries } = file;
    const { ownPrices, spot } = file;
    const ofMoney = { service, points, payments, paymentDisputes, ownPrices };
    const ledgers = { ...ofMoney, blocksWon, wonDays, raffleEntries, spot };
    expect(Object.entries(ledgers).map(([name, rows]) => [name, rows.length])).toEqual(
      Object.keys(ledgers).map((name) => [name, 1]),
    );
    expect([file.invitations, file.redemptions, file.inviteCode]).toEqual([
      [
        {
          id: `i-${driver.driverId}`,
          inviterId: driver.driverId,
          phoneNumber: "+15550199999",
          isRegistered: true,
          hasTrial: false,
          completedAt: 2,
          revokedAt: 3,
          revocations: 1,
          createdAt: 1,
        },
      ],
      [{ id: `${driver.driverId}:key`, driverId: driver.driverId, reward: "3days", points: 300, at: 1 }],
      `code-${driver.driverId}`,
    ]);
    expect(file.ownInvitation).toEqual([
      { phoneNumber: driver.phoneNumber, textedAt: 4, trialAt: null, rewardedAt: 5 },
    ]);
    expect(text).not.toMatch(/friend-of-|payment-of-/);
    expect(file.log.map(({ seq }) => seq)).toEqual(file.log.map((_line, index) => index + 1));
    expect(new Set(file.log.map(({ event }) => event.kind))).toEqual(
      new Set(["phase_changed", "offer_judged", "attempt_started", "attempt_settled"]),
    );
    expect(file.browsersListening).toBe(1);
    expect(text).not.toMatch(/sealed|secret-address|"tokens?"|saveId|keyPrefix|v1\.test\./);
  });

  it("includes a log of many pages", async () => {
    const driver = await createDriver();
    await runInDurableObject(driverObject(driver), (_object, { storage }) => {
      const line = JSON.stringify({ kind: "silence_suspected", at: 1, lastNewAt: 1 });
      for (let count = 0; count < 1500; count += 1)
        storage.sql.exec(`INSERT INTO events (at, value) VALUES (1, ?)`, line);
    });
    const { log } = await driver.client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
    expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: 1500 }, (_, index) => index + 1));
  });

  it("includes the account of the embedded pool, without its password", async () => {
    const { phoneNumber, client } = await signUpMember();
    await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
    const { account } = await client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
    expect(account).toEqual({
      phoneNumber,
      phoneVerified: true,
      attributes: {},
      status: "CONFIRMED",
      createdAt: expect.any(Number),
      signIns: [
        {
          createdAt: expect.any(Number),
          expiresAt: expect.any(Number),
          revokedAt: null,
          lastSeenAt: expect.any(Number),
          browser: null,
          system: null,
          country: null,
        },
      ],
      passkeys: [],
    });
  });
});

describe("deleting the account", () => {
  it("erases record and object, ends the platform session, and keeps the ledgers", async () => {
    const driver = await veteran();
    const { ticket } = await driver.client.ticket();
    const { webSocket } = await SELF.fetch(`${apiTarget.origin}/flex/v1/live`, {
      headers: { upgrade: "websocket", "sec-websocket-protocol": `${LIVE_PROTOCOL}, ticket.${ticket}` },
    });
    if (!webSocket) throw new Error("no WebSocket");
    const closed = new Promise<number>((resolve) =>
      webSocket.addEventListener("close", ({ code }) => resolve(code)),
    );
    webSocket.accept();
    const wasLinked = await isLinkedAtPlatform(driver);

    const answer = await driver.client.call("DELETE", "/flex/v1/user");

    expect([answer.status, await closed]).toEqual([204, LIVE_CLOSE_REVOKED]);
    expect([wasLinked, await isLinkedAtPlatform(driver)]).toEqual([true, false]);
    expect(await rowsOf(driver.driverId)).toEqual({
      ...Object.fromEntries(OF_THE_DRIVER.map((table) => [table, 0])),
      ...Object.fromEntries(OF_THE_BOOKS.map((table) => [table, 1])),
    });
    expect(await runDurableObjectAlarm(driverObject(driver))).toBe(false);
    expect(await watchedRows(driver)).toEqual([]);
    const kept = await runInDurableObject(driverObject(driver), (_object, { storage }) =>
      ["state", "verdicts", "attempts", "events", "outbox", "push_subscriptions", "sent_texts"].map(
        (table) => storage.sql.exec<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`).one().rows,
      ),
    );
    expect(kept).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect((await driver.client.call("GET", "/flex/v1/user")).status).toBe(404);
  });

  it("can be repeated, and completes an interrupted deletion", async () => {
    const driver = await veteran();
    // The state after a crash halfway: the object is erased, D1 is not.
    await driverObject(driver).deleteAccount();
    const again = await driver.client.call("DELETE", "/flex/v1/user");
    const onceMore = await driver.client.call("DELETE", "/flex/v1/user");
    expect([again.status, onceMore.status]).toEqual([204, 204]);
    expect((await rowsOf(driver.driverId))["users"]).toBe(0);
  });

  it("is not undone by what was sent to the object before it and arrives after it", async () => {
    const driver = await veteran();
    const record = await loadDriver(openDb(env.DB), z.parse(driverId, driver.driverId));
    if (!record) throw new Error("there is no record");
    const owner = toDriverOwner(record);
    expect((await driver.client.call("DELETE", "/flex/v1/user")).status).toBe(204);

    const object = driverObject(driver);
    const late = [
      () => object.configure(owner, record.profile),
      () => object.startLink(owner, { email: "ana@example.com", password: "right" }),
      () => object.linkStatus(owner),
      () =>
        object.addPushSubscription(
          owner,
          { endpoint: "https://push.example.com/1", keys: { p256dh: "key", auth: "secret" } },
          null,
        ),
      () => object.wake(),
      () => object.unlink(),
    ];
    for (const call of late) await Promise.resolve(call()).catch(() => {});
    expect(await runDurableObjectAlarm(object)).toBe(false);
    const kept = await runInDurableObject(object, (_object, { storage }) =>
      ["state", "outbox", "push_subscriptions"].map(
        (table) => storage.sql.exec<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`).one().rows,
      ),
    );
    expect(kept).toEqual([0, 0, 0]);
  });

  it("succeeds while the platform is down", async () => {
    const driver = await veteran();
    await apiTarget.fetch(`${apiTarget.origin}/sandbox/faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ operation: "endSession", fault: "500" }),
    });
    expect((await driver.client.call("DELETE", "/flex/v1/user")).status).toBe(204);
  });

  it("doesn't affect other drivers, and the same driver can register again", async () => {
    const [leaver, other] = [await veteran(), await veteran()];
    const before = await rowsOf(other.driverId);
    await leaver.client.call("DELETE", "/flex/v1/user");
    expect(await rowsOf(other.driverId)).toEqual(before);
    expect((await driverObject(other).snapshot()).held).toHaveLength(1);

    const back = await leaver.client.sealed("PUT", "/flex/v1/user", {
      name: "Ana",
      phoneNumber: leaver.phoneNumber,
    });
    const { held, feed, switchedOn } = await driverObject(leaver).snapshot();
    expect([back.status, held, feed, switchedOn]).toEqual([200, [], [], false]);
  });

  it("deletes the account of the embedded pool, whose tokens are refused from then on", async () => {
    const { phoneNumber, accessToken, client } = await signUpMember();
    await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
    const answer = await client.call("DELETE", "/flex/v1/user");
    const after = await client.call("GET", "/flex/v1/user");
    const attribute = await callPool("GetUser", { AccessToken: accessToken });
    expect([answer.status, after.status, attribute.status]).toEqual([204, 401, 400]);
    expect(await signInMember(phoneNumber)).toEqual({
      idToken: "undefined",
      accessToken: "undefined",
      refreshToken: "undefined",
    });
  });
});
