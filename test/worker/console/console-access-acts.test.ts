import { env, runInDurableObject } from "cloudflare:test";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import type { UserResponse } from "../../../worker/contract/account/user.ts";
import { addAccount, operatorClient, OWNER, owner } from "../console-harness.ts";
import {
  createDriver,
  createLinkedDriver,
  deployment,
  driverObject,
  resetPlatform,
  type TestDriver,
} from "../harness.ts";
import { codeOf, createSettled, fetchTexts, rows } from "../payments-harness.ts";

const reason = "the driver called";
const embedded = deployment({ IDENTITY: "embedded" });

const pool = operatorClient(OWNER, embedded);

beforeAll(() => resetPlatform());
beforeEach(() => resetPlatform());

describe("sessions and accounts", () => {
  const liveSessions = async ({ driverId }: TestDriver) =>
    (await rows(`SELECT origin_jti FROM pool_sessions WHERE user_id = ? AND revoked_at IS NULL`, driverId))
      .length;
  const addSession = async ({ driverId }: TestDriver) =>
    env.DB.prepare(
      `INSERT INTO pool_sessions (origin_jti, user_id, created_at, expires_at, browser) VALUES (?, ?, ?, ?, 'Chrome')`,
    )
      .bind(crypto.randomUUID(), driverId, Date.now(), Date.now() + DAY_MS)
      .run();

  it("signs a driver out everywhere", async () => {
    const driver = await createDriver();
    await addAccount(driver);
    await Promise.all([addSession(driver), addSession(driver)]);
    expect((await pool.page(driver)).sessions).toMatchObject([{ browser: "Chrome" }, { browser: "Chrome" }]);
    const { act } = await pool.do(driver, { act: "sign_out", reason });
    expect(await liveSessions(driver)).toBe(0);
    expect([act.before, act.after]).toEqual([{ sessions: 2 }, { sessions: 0 }]);
    // A key that comes again ends nothing that was begun since.
    await addSession(driver);
    await pool.do(driver, { act: "sign_out", reason }, act.id);
    expect(await liveSessions(driver)).toBe(1);
  });

  it("disables an account and enables it again, each once", async () => {
    const driver = await createDriver();
    await addAccount(driver);
    await pool.do(driver, { act: "disable", reason });
    expect((await pool.page(driver)).driver.isEnabled).toBe(false);
    expect((await pool.act(driver, { act: "disable", reason })).status).toBe(409);
    await pool.do(driver, { act: "enable", reason });
    expect((await pool.page(driver)).driver.isEnabled).toBe(true);
    expect((await pool.log(driver)).map(({ act, after }) => [act, after])).toEqual([
      ["enable", { isEnabled: true }],
      ["disable", { isEnabled: false }],
    ]);
  });

  it("ends nothing in a pool that is not ours, and says so", async () => {
    const driver = await createDriver();
    for (const act of ["sign_out", "disable", "enable"] as const) {
      expect((await owner.act(driver, { act, reason })).status).toBe(409);
    }
    expect(await owner.log(driver)).toEqual([]);
  });
});

it("unlinks the platform account, once", async () => {
  const driver = await createLinkedDriver();
  const { status } = await owner.do(driver, { act: "unlink", reason });
  expect(status).toBe("done");
  const { Item } = await driver.client.fetchJson<UserResponse>("GET", "/flex/v1/user");
  expect([Item.proxyInstalled, (await driverObject(driver).snapshot()).phase.kind]).toEqual([false, "off"]);
  expect(await rows(`SELECT id FROM operator_orders`)).toEqual([]);
  const again = await owner.act(driver, { act: "unlink", reason });
  expect([again.status, await codeOf(again)]).toEqual([409, "not_linked"]);
});

it("texts the driver a test, once per key", async () => {
  const driver = await createDriver();
  const key = crypto.randomUUID();
  await owner.do(driver, { act: "test_text", reason }, key);
  await owner.do(driver, { act: "test_text", reason }, key);
  expect(await fetchTexts(driver)).toHaveLength(1);
  expect(await owner.log(driver)).toHaveLength(1);
});

describe("a text that did not arrive", () => {
  const resend = (driver: TestDriver, textId: string, key?: string) =>
    owner.act(driver, { act: "resend_text", textId, reason }, key);
  const setStatus = (id: string, status: string) =>
    env.DB.prepare(`UPDATE sent_texts SET status = ? WHERE id = ?`).bind(status, id).run();
  const textIdsOf = async ({ driverId }: TestDriver) =>
    (await rows(`SELECT id FROM sent_texts WHERE account = ? ORDER BY sent_at`, driverId)).map(({ id }) =>
      String(id),
    );

  it("is sent again, once per key, in the driver's present language, and again if that one fails, too", async () => {
    const { driver } = await createSettled();
    await expect.poll(() => fetchTexts(driver)).toHaveLength(1);
    const [before] = await fetchTexts(driver);
    const [first = ""] = await textIdsOf(driver);
    const { textsAbout } = await driver.client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
    expect(textsAbout).toMatchObject([{ id: first, about: { kind: "service_changed" } }]);
    expect((await resend(driver, first)).status).toBe(409);
    await setStatus(first, "undelivered");
    const key = crypto.randomUUID();
    expect((await resend(driver, first, key)).status).toBe(200);
    expect((await resend(driver, first, key)).status).toBe(200);
    expect(await fetchTexts(driver)).toEqual([before, before]);
    expect(await owner.log(driver)).toMatchObject([{ act: "resend_text", what: { textId: first }, reason }]);
    await driver.client.patchUser({ language: "es", updateLanguage: true });
    const [, second = ""] = await textIdsOf(driver);
    await setStatus(second, "failed");
    expect((await resend(driver, second)).status).toBe(200);
    const texts = await fetchTexts(driver);
    expect([texts.length, texts.filter((text) => text.includes("Servicio hasta")).length]).toEqual([3, 1]);
  });

  it("is refused where it was a code or an account notice, too old, somebody else's, or of a number that was given up", async () => {
    const driver = await createDriver();
    const send = async (change: { number?: string; account?: string }) => {
      const id = crypto.randomUUID();
      const { number = driver.phoneNumber, account = driver.driverId } = change;
      await env.DB.prepare(
        `INSERT INTO sent_texts (id, phone_number, account, status, sent_at) VALUES (?, ?, ?, 'undelivered', ?)`,
      )
        .bind(id, number, account, Date.now())
        .run();
      return id;
    };
    const code = await resend(driver, await send({}));
    expect([code.status, await code.json()]).toMatchObject([400, { fields: { textId: "invalid" } }]);
    expect((await resend(driver, await send({ account: "somebody-else" }))).status).toBe(404);
    expect((await resend(driver, await send({ number: "+15559998877" }))).status).toBe(409);
    expect([await fetchTexts(driver), await owner.log(driver)]).toEqual([[], []]);

    const { driver: payer } = await createSettled();
    await expect.poll(() => fetchTexts(payer)).toHaveLength(1);
    const [old = ""] = await textIdsOf(payer);
    await setStatus(old, "failed");
    await runInDurableObject(driverObject(payer), (_object, { storage }) => {
      storage.sql.exec(`UPDATE sent_texts SET at = at - ?`, 3 * DAY_MS);
    });
    expect((await resend(payer, old)).status).toBe(400);
  });
});
