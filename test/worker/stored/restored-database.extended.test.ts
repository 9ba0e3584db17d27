import { createScheduledController, env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import handbook from "../../../worker/operators/HANDBOOK.md?raw";
import worker from "../../../worker/index.ts";
import { callPool, signUpMember } from "../embedded-pool.ts";
import { setDeadline, watchedRows } from "../watched.ts";
import { linkPlatformAccount } from "../../support/sandbox-client.ts";
import {
  apiTarget,
  createActiveDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";
import type { ActResponse } from "../../../worker/contract/console/operators.ts";
import { parseResponse } from "../../support/driver-client.ts";
import { actOnAll, owner } from "../console-harness.ts";
import { callStripeSandbox, deliverAll, intentsOf, rows, runMinute } from "../payments-harness.ts";
import {
  agreeToRenewal,
  cardsOf,
  comeToCharge,
  createRenewing,
  createServedDriver,
  PAID_BY_HAND,
  paymentsOf,
  putRenewal,
  RENEWED,
  textsAbout,
} from "../renewal-harness.ts";

beforeEach(async () => {
  await resetPlatform();
  await env.RESTORE_RECORD?.getByName("all").releaseRenewals();
});

it("keeps an outage of the database beside the database, until operators know of its end", async () => {
  const record = env.RESTORE_RECORD?.getByName("all");
  if (!record) throw new Error("no record is bound");
  expect(await record.outage()).toBeNull();
  const outage = { since: 1_000, seenAt: 2_000, toldAt: null };
  await record.noteOutage(outage);
  expect(await record.outage()).toEqual(outage);
  const told = { since: 1_000, seenAt: 3_000, toldAt: 3_000 };
  await record.noteOutage(told);
  await record.holdRenewals(4_000);
  await record.releaseRenewals();
  await evictDurableObject(record);
  expect(await record.outage()).toEqual(told);
  await record.endOutage();
  expect(await record.outage()).toBeNull();
});

const statements = [...handbook.matchAll(/["`]((?:UPDATE|INSERT OR|DELETE FROM|SELECT) [^"`]+)["`]/g)].map(
  ([, sql = ""]) => sql,
);

async function beat(driver: TestDriver): Promise<void> {
  await expect
    .poll(async () => {
      await runAlarm(driver);
      return watchedRows(driver);
    })
    .toHaveLength(1);
}

/** The tables' rows about a driver, to put back as a restored database would have them. */
async function remember(driverId: string, tables: Readonly<Record<string, string>>) {
  const copies = await Promise.all(
    Object.entries(tables).map(async ([table, column]) => ({
      table,
      column,
      kept: await rows(`SELECT * FROM ${table} WHERE ${column} = ?`, driverId),
    })),
  );
  return async () => {
    for (const { table, column, kept } of copies) {
      await env.DB.prepare(`DELETE FROM ${table} WHERE ${column} = ?`).bind(driverId).run();
      for (const row of kept) {
        const [names, values] = [Object.keys(row), Object.values(row)];
        await env.DB.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`)
          .bind(...values)
          .run();
      }
    }
  };
}

/** After a start, when an object looks for a newer record. */
const modeOf = async (driver: TestDriver) => {
  await evictDurableObject(driverObject(driver));
  await runInDurableObject(driverObject(driver), (object) => object.wake());
  return (await driverObject(driver).snapshot()).mode;
};

it("is left to commands: the handbook has no statement for the database", () => {
  expect(statements).toEqual([]);
});

/** Follows the restored database, as `npm run ops -- after-restore` does. */
const afterRestore = async () =>
  parseResponse<ActResponse>(
    await actOnAll(owner, { act: "after_restore", reason: "Restored to noon" }),
    "after-restore",
  );

describe("a database that was restored, after npm run ops -- after-restore", () => {
  // A file before this one may have left objects that still beat.
  beforeAll(async () => {
    const isAlone = async () => {
      const { before } = (await afterRestore()).act;
      await runMinute();
      expect(before).toMatchObject({ strangers: 0 });
    };
    await vi.waitFor(isAlone, { timeout: 20_000 });
  });

  it("is followed by the objects, which were newer", async () => {
    const driver = await createActiveDriver();
    const former = await modeOf(driver);
    const restore = await remember(driver.driverId, { users: "id" });
    await env.DB.prepare(`UPDATE users SET mode = 'secure', revision = revision + 3 WHERE id = ?`)
      .bind(driver.driverId)
      .run();
    await expect.poll(() => modeOf(driver)).toBe("secure");

    await restore();
    expect(await modeOf(driver)).toBe("secure");
    await afterRestore();

    await expect.poll(() => modeOf(driver)).toBe(former);
  });

  it("takes a link again that it lost, and the driver sees the blocks that were won by then", async () => {
    const driver = await createActiveDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await runAlarm(driver);
    await env.DB.prepare(`UPDATE users SET proxy_installed = 0, flex_email = NULL WHERE id = ?`)
      .bind(driver.driverId)
      .run();
    await afterRestore();

    await linkPlatformAccount({ ...apiTarget, client: driver.client }, driver.email);

    const { Item } = await driver.client.fetchJson<{ Item: { proxyInstalled: boolean } }>(
      "GET",
      "/flex/v1/user",
    );
    expect(Item.proxyInstalled).toBe(true);
    await expect
      .poll(async () => {
        await runAlarm(driver);
        const { held } = await driverObject(driver).snapshot();
        return held.map((block) => block.offerId);
      })
      .toEqual([offerId]);
  });

  it("has the objects erased whose drivers it does not know", async () => {
    const [unknown, known] = [await createActiveDriver(), await createActiveDriver()];
    await env.DB.prepare(`DELETE FROM users WHERE id = ?`).bind(unknown.driverId).run();
    await beat(unknown);
    await beat(known);

    expect((await afterRestore()).act.before).toMatchObject({ strangers: 1 });
    await runMinute();

    const stored = (driver: TestDriver) =>
      runInDurableObject(driverObject(driver), (_object, { storage }) =>
        storage.sql.exec("SELECT key FROM state").toArray(),
      );
    expect(await stored(unknown)).toEqual([]);
    expect(await stored(known)).not.toEqual([]);
    expect(await rows(`SELECT * FROM account_changes WHERE user_id = ?`, unknown.driverId)).toEqual([]);
  });

  it("has an account deleted again that came back", async () => {
    const { driverId, accessToken: AccessToken, client, phoneNumber } = await signUpMember();
    await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
    const restore = await remember(driverId, { users: "id", pool_users: "id" });
    await env.DB.prepare(
      `INSERT INTO account_changes (user_id, revision, is_deleted, changed_at) VALUES (?, 1, 1, 0)`,
    )
      .bind(driverId)
      .run();
    await runMinute();
    expect(await rows(`SELECT id FROM users WHERE id = ?`, driverId)).toEqual([]);

    await restore();
    expect((await afterRestore()).act.before).toMatchObject({ returned: 1 });
    await runMinute();

    expect(await rows(`SELECT id FROM users WHERE id = ?`, driverId)).toEqual([]);
    expect(await rows(`SELECT id FROM pool_users WHERE id = ?`, driverId)).toEqual([]);
    expect((await callPool("GetUser", { AccessToken })).status).not.toBe(200);
  });

  it("keeps nothing of such an account in the pool", async () => {
    const { driverId, client, phoneNumber } = await signUpMember();
    await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
    await env.DB.prepare(
      `INSERT INTO pool_passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
       VALUES (?1, ?2, ?1, 'k', 0, '[]', 'Phone', 1)`,
    )
      .bind(`passkey of ${driverId}`, driverId)
      .run();
    const ofPool = { pool_users: "id", pool_sessions: "user_id", pool_passkeys: "user_id" };
    const restore = await remember(driverId, { users: "id", ...ofPool });
    expect((await client.call("DELETE", "/flex/v1/user")).status).toBe(204);

    await restore();
    expect((await afterRestore()).act.before).toMatchObject({ returned: 1 });
    await runMinute();
    for (const [table, column] of Object.entries(ofPool))
      expect(await rows(`SELECT * FROM ${table} WHERE ${column} = ?`, driverId)).toEqual([]);
  });

  it("keeps a driver who had deleted the account and registered again by then, under the same id", async () => {
    const { driverId, client, phoneNumber } = await createActiveDriver();
    expect((await client.call("DELETE", "/flex/v1/user")).status).toBe(204);
    await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });

    expect((await afterRestore()).act.before).toMatchObject({ returned: 0 });
    await runMinute();
    expect(await rows(`SELECT name FROM users WHERE id = ?`, driverId)).toEqual([{ name: "Ana" }]);
  });

  it("has a renewal off again that was turned off since, and charges nobody until an owner says go", async () => {
    const [stopped, other] = [await createRenewing(), await createRenewing()];
    const restore = await remember(stopped.driverId, { renewals: "driver_id" });
    expect((await putRenewal(stopped, { on: false })).status).toBe(200);
    await comeToCharge(other);
    await restore();

    expect((await afterRestore()).act.before).toMatchObject({ renewedAgain: 1 });
    await runMinute();
    expect(await rows(`SELECT status FROM renewals WHERE driver_id = ?`, stopped.driverId)).toEqual([
      { status: "off" },
    ]);
    expect([await paymentsOf(stopped), await paymentsOf(other)]).toEqual([[PAID_BY_HAND], [PAID_BY_HAND]]);
    expect(await rows(`SELECT reason FROM service_alerts WHERE name = 'renewals.held'`)).toHaveLength(1);

    const go = await actOnAll(owner, { act: "release_renewals", reason: "All is checked" });
    expect(go.status).toBe(200);
    await runMinute();
    expect([await paymentsOf(stopped), await paymentsOf(other)]).toEqual([
      [PAID_BY_HAND],
      [PAID_BY_HAND, RENEWED],
    ]);
    expect((await actOnAll(owner, { act: "release_renewals", reason: "Once more" })).status).toBe(409);
  });

  it("has a renewal off again whose card was removed since, or that support ended", async () => {
    const [removed, ended] = [await createRenewing(), await createRenewing()];
    const restores = await Promise.all(
      [removed, ended].map(({ driverId }) =>
        remember(driverId, { renewals: "driver_id", renewal_consents: "driver_id" }),
      ),
    );
    const [card] = (await cardsOf(removed)).cards;
    expect((await removed.client.call("DELETE", `/flex/v1/payments/cards/${card?.id}`)).status).toBe(204);
    await owner.do(ended, { act: "end_renewal", reason: "The driver called" });
    for (const restore of restores) await restore();

    expect((await afterRestore()).act.before).toMatchObject({ renewedAgain: 2 });
    for (const { driverId } of [removed, ended])
      expect(await rows(`SELECT status FROM renewals WHERE driver_id = ?`, driverId)).toEqual([
        { status: "off" },
      ]);
  });

  it("has a renewal off again that was ended by the link of its text since", async () => {
    const driver = await createServedDriver();
    await agreeToRenewal(driver);
    const link = /\/renewal#([\w-]{38})$/;
    await expect.poll(() => textsAbout(driver, link)).toHaveLength(1);
    const [, token = ""] = link.exec((await textsAbout(driver, link))[0] ?? "") ?? [];
    const restore = await remember(driver.driverId, { renewals: "driver_id", renewal_consents: "driver_id" });
    const headers = { authorization: `Link ${token}` };
    const pressed = await apiTarget.fetch(`${apiTarget.origin}/flex/v1/renewal-link`, {
      method: "POST",
      headers,
    });
    expect(pressed.status).toBe(204);
    await restore();

    expect((await afterRestore()).act.before).toMatchObject({ renewedAgain: 1 });
    expect(await rows(`SELECT status FROM renewals WHERE driver_id = ?`, driver.driverId)).toEqual([
      { status: "off" },
    ]);
  });

  it("has a renewal off that a dispute paused since, of a payment that nobody asks Stripe about again", async () => {
    const driver = await createServedDriver();
    const { intentId } = await agreeToRenewal(driver);
    const restore = await remember(driver.driverId, { renewals: "driver_id", renewal_consents: "driver_id" });
    await callStripeSandbox(`intents/${intentId}/dispute`, {});
    await deliverAll(intentId);
    expect(await rows(`SELECT pause FROM renewals WHERE driver_id = ?`, driver.driverId)).toEqual([
      { pause: "card_disputed" },
    ]);
    await restore();
    await env.DB.prepare(`DELETE FROM card_reports`).run();

    expect((await afterRestore()).act.before).toMatchObject({ renewedAgain: 1 });
    expect(await rows(`SELECT status FROM renewals WHERE driver_id = ?`, driver.driverId)).toEqual([
      { status: "off" },
    ]);
  });

  it("leaves a renewal on that was agreed to after it was turned off", async () => {
    const driver = await createRenewing();
    expect((await putRenewal(driver, { on: false })).status).toBe(200);
    await env.DB.batch([
      env.DB.prepare(`UPDATE renewals SET status = 'on' WHERE driver_id = ?`).bind(driver.driverId),
      env.DB.prepare(`UPDATE renewal_consents SET at = at + 60000 WHERE driver_id = ?`).bind(driver.driverId),
    ]);
    expect((await afterRestore()).act.before).toMatchObject({ renewedAgain: 0 });
    expect(await rows(`SELECT status FROM renewals WHERE driver_id = ?`, driver.driverId)).toEqual([
      { status: "on" },
    ]);
  });

  it("charges no renewal again that it does not know of", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    const restore = await remember(driver.driverId, {
      renewals: "driver_id",
      payments: "driver_id",
      service_credits: "driver_id",
      point_entries: "driver_id",
    });
    await runMinute();
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
    const intents = await intentsOf(driver);

    await restore();
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
    await runMinute();

    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
    expect(await intentsOf(driver)).toEqual(intents);
  });
});

describe("a deployment that is closed for maintenance", () => {
  const runClosed = (cron: string) =>
    worker.scheduled(createScheduledController({ cron }), { ...env, MAINTENANCE: "on" });

  it("wakes objects that lost their alarm", async () => {
    const driver = await createActiveDriver();
    await beat(driver);
    await runInDurableObject(driverObject(driver), (_object, { storage }) => storage.deleteAlarm());
    await setDeadline(driver, 1);

    await runClosed("* * * * *");

    expect(
      await runInDurableObject(driverObject(driver), (_object, { storage }) => storage.getAlarm()),
    ).not.toBeNull();
  });

  it("charges nobody until it is open", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);

    for (const cron of ["* * * * *", "7 * * * *"]) await runClosed(cron);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);

    await runMinute();
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
  });
});
