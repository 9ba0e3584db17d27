import { createScheduledController, env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import handbook from "../../worker/operators/HANDBOOK.md?raw";
import worker from "../../worker/index.ts";
import { callPool, signUpMember } from "./embedded-pool.ts";
import { linkPlatformAccount } from "../support/sandbox-client.ts";
import {
  apiTarget,
  createActiveDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "./harness.ts";
import { intentsOf, rows, runMinute } from "./payments-harness.ts";
import { comeToCharge, createRenewing, paymentsOf, RENEWED, PAID_BY_HAND } from "./renewal-harness.ts";

beforeEach(() => resetPlatform());

const statements = [...handbook.matchAll(/["`]((?:UPDATE|INSERT OR|DELETE FROM|SELECT) [^"`]+)["`]/g)].map(
  ([, sql = ""]) => sql,
);

/** The statement of the handbook that begins like this. */
function statement(beginning: string): string {
  const sql = statements.find((one) => one.startsWith(beginning));
  if (sql === undefined) throw new Error(`the handbook has no statement that begins with ${beginning}`);
  return sql;
}

async function beat(driver: TestDriver): Promise<void> {
  await expect
    .poll(async () => {
      await runAlarm(driver);
      return rows(`SELECT driver_id FROM heartbeats WHERE driver_id = ?`, driver.driverId);
    })
    .toHaveLength(1);
}

const execute = (sql: string) =>
  env.DB.batch(sql.split(";").map((part) => env.DB.prepare(part.trim()))).then(() => undefined);

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

describe("the handbook's statements", () => {
  it("fit the database", async () => {
    expect(statements.length).toBeGreaterThan(5);
    const plans = statements.flatMap((sql) => sql.split(";")).map((sql) => `EXPLAIN ${sql}`);
    for (const plan of plans) expect((await env.DB.prepare(plan).all()).success, plan).toBe(true);
  });
});

describe("a database that was restored, by the handbook's statements", () => {
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
    await execute(statement("UPDATE users"));

    await expect.poll(() => modeOf(driver)).toBe(former);
  });

  it("takes a link again that it lost, and the driver sees the blocks that were won by then", async () => {
    const driver = await createActiveDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await runAlarm(driver);
    await env.DB.prepare(`UPDATE users SET proxy_installed = 0, flex_email = NULL WHERE id = ?`)
      .bind(driver.driverId)
      .run();
    await execute(statement("UPDATE users"));

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

    await execute(statement("INSERT OR IGNORE INTO account_changes"));
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

    await execute(statement("DELETE FROM pool_users").replaceAll("<driverId>", driverId));
    await runMinute();

    expect(await rows(`SELECT id FROM users WHERE id = ?`, driverId)).toEqual([]);
    expect((await callPool("GetUser", { AccessToken })).status).not.toBe(200);
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
    await env.DB.prepare(`UPDATE heartbeats SET due_at = 1 WHERE driver_id = ?`).bind(driver.driverId).run();

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
