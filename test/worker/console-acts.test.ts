import { env } from "cloudflare:test";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UserResponse } from "../../worker/contract/user.ts";
import type { DriverAct } from "../../worker/contract/operators.ts";
import { addAccount, operatorClient, OWNER, SUPPORT, type OperatorClient } from "./console-harness.ts";
import {
  createDriver,
  createLinkedDriver,
  deployment,
  driverObject,
  resetPlatform,
  type TestDriver,
} from "./harness.ts";
import {
  callUnderSettings,
  codeOf,
  createPayer,
  DAY_MS,
  fetchTexts,
  pointBalanceOf,
  rows,
} from "./payments-harness.ts";

const reason = "the driver called";
const embedded = deployment({ IDENTITY: "embedded" });

let owner: OperatorClient;
let support: OperatorClient;
let pool: OperatorClient;

beforeAll(async () => {
  await resetPlatform();
  owner = await operatorClient(OWNER);
  support = await operatorClient(SUPPORT);
  pool = await operatorClient(OWNER, embedded);
});
beforeEach(() => resetPlatform());

const serviceUntil = async ({ client }: TestDriver) =>
  (await client.fetchJson<UserResponse>("GET", "/flex/v1/user")).Item.expirationDateTimestamp;

describe("days", () => {
  it("gives days of service, which the driver and their object have at once, and writes who and why", async () => {
    const driver = await createDriver({ serviceMs: 10 * DAY_MS });
    const before = await serviceUntil(driver);
    const { act, status } = await owner.do(driver, { act: "days", days: 3, reason });
    expect(status).toBe("done");
    expect(await serviceUntil(driver)).toBe(before + 3 * DAY_MS);
    expect((await driverObject(driver).snapshot()).serviceUntil).toBe(before + 3 * DAY_MS);
    expect(await owner.log(driver)).toEqual([act]);
    expect(act).toMatchObject({
      operator: OWNER,
      role: "owner",
      act: "days",
      driverId: driver.driverId,
      what: { days: 3 },
      reason,
      before: { serviceUntil: before },
      after: { serviceUntil: before + 3 * DAY_MS },
    });
  });

  it("takes days, but never more than are left", async () => {
    const driver = await createDriver({ serviceMs: 10 * DAY_MS });
    const before = await serviceUntil(driver);
    await owner.do(driver, { act: "days", days: -4, reason });
    expect(await serviceUntil(driver)).toBe(before - 4 * DAY_MS);
    const refused = await owner.act(driver, { act: "days", days: -7, reason });
    expect([refused.status, await refused.json()]).toMatchObject([400, { fields: { days: "too_large" } }]);
    expect(await owner.log(driver)).toHaveLength(1);
  });

  it("adds up what two operators give in the same moment, each line with what it found", async () => {
    const driver = await createDriver({ serviceMs: 10 * DAY_MS });
    const before = await serviceUntil(driver);
    const grants = [1, 2, 4].map((days) => owner.do(driver, { act: "days", days, reason }));
    await Promise.all(grants);
    expect(await serviceUntil(driver)).toBe(before + 7 * DAY_MS);
    const log = (await owner.log(driver)).map((line) => ({
      from: line.before["serviceUntil"],
      to: line.after["serviceUntil"],
    }));
    const chain = log.toSorted((one, other) => Number(one.from) - Number(other.from));
    expect(chain[0]?.from).toBe(before);
    expect(chain[1]?.from).toBe(chain[0]?.to);
    expect(chain[2]?.from).toBe(chain[1]?.to);
    expect(chain[2]?.to).toBe(before + 7 * DAY_MS);
  });

  it("happens once per key, and a key of another act is refused", async () => {
    const driver = await createDriver({ serviceMs: 10 * DAY_MS });
    const before = await serviceUntil(driver);
    const key = crypto.randomUUID();
    const give = (days: number) => owner.act(driver, { act: "days", days, reason }, key);
    const answers = await Promise.all([give(2), give(2), give(2)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await serviceUntil(driver)).toBe(before + 2 * DAY_MS);
    expect((await give(3)).status).toBe(409);
    expect((await support.act(driver, { act: "days", days: 2, reason }, key)).status).toBe(409);
    expect(await owner.log(driver)).toHaveLength(1);
  });
});

describe("points", () => {
  it("gives and takes points, with the balance before and after", async () => {
    const driver = await createPayer({ points: 100 });
    await owner.do(driver, { act: "points", points: 50, reason });
    await owner.do(driver, { act: "points", points: -120, reason });
    expect(await pointBalanceOf(driver)).toBe(30);
    const log = await owner.log(driver);
    expect(log.map(({ before, after }) => [before["points"], after["points"]])).toEqual([
      [150, 30],
      [100, 150],
    ]);
  });

  it("never takes more than there are, also when two take at once", async () => {
    const driver = await createPayer({ points: 100 });
    const answers = await Promise.all([
      owner.act(driver, { act: "points", points: -80, reason }),
      owner.act(driver, { act: "points", points: -80, reason }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused && (await codeOf(refused))).toBe("points_short");
    expect(await pointBalanceOf(driver)).toBe(20);
    expect(await owner.log(driver)).toHaveLength(1);
  });
});

describe("a price of the driver's own", () => {
  const special: DriverAct = {
    act: "special_price",
    plan: "30days",
    priceCents: 14_999,
    endsAt: Date.now() + 7 * DAY_MS,
    reason,
  };
  const priceOf = async ({ client }: TestDriver) => {
    const { plans } = await client.fetchJson<{ plans: { plan: string; payCents: number }[] }>(
      "GET",
      "/flex/v1/plans",
    );
    return plans.find(({ plan }) => plan === "30days")?.payCents;
  };

  it("is what the driver pays until it is ended, and nobody else does", async () => {
    const [driver, other] = [await createPayer(), await createPayer()];
    await owner.do(driver, special);
    expect([await priceOf(driver), await priceOf(other)]).toEqual([14_999, 16_999]);
    const { prices } = await owner.page(driver);
    expect(prices).toMatchObject([{ plan: "30days", priceCents: 14_999 }]);
    await owner.do(driver, { act: "end_price", discountId: prices[0]?.id ?? "", reason });
    expect(await priceOf(driver)).toBe(16_999);
    expect((await owner.log(driver)).map(({ act }) => act)).toEqual(["end_price", "special_price"]);
  });

  it.each([
    [{ priceCents: 16_999 }, "priceCents", "too_large"],
    [{ priceCents: 20 }, "priceCents", "too_small"],
    [{ endsAt: 1000 }, "endsAt", "too_small"],
  ])("is refused where it is none: %o", async (change, field, issue) => {
    const driver = await createPayer();
    const refused = await owner.act(driver, { ...special, ...change });
    expect([refused.status, await refused.json()]).toMatchObject([400, { fields: { [field]: issue } }]);
    expect(await owner.log(driver)).toEqual([]);
  });

  it("can't be ended by way of another driver", async () => {
    const [driver, other] = [await createPayer(), await createPayer()];
    await owner.do(driver, special);
    const discountId = (await owner.page(driver)).prices[0]?.id ?? "";
    expect((await owner.act(other, { act: "end_price", discountId, reason })).status).toBe(404);
    expect(await priceOf(driver)).toBe(14_999);
  });
});

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

it("tries the number again that a text didn't reach, and no other", async () => {
  const driver = await createDriver();
  const [arrived, failed] = [crypto.randomUUID(), crypto.randomUUID()];
  const send = (id: string, number: string, status: string, account: string) =>
    env.DB.prepare(
      `INSERT INTO sent_texts (id, phone_number, account, status, sent_at) VALUES (?, ?, ?, ?, ?)`,
    )
      .bind(id, number, account, status, Date.now())
      .run();
  await send(failed, driver.phoneNumber, "undelivered", driver.driverId);
  await send(arrived, driver.phoneNumber, "delivered", driver.driverId);
  const test = (textId: string) => owner.act(driver, { act: "test_text", textId, reason });
  expect((await test(failed)).status).toBe(200);
  expect(await fetchTexts(driver)).toHaveLength(1);
  expect(await owner.log(driver)).toMatchObject([{ act: "test_text", what: { textId: failed } }]);
  expect((await test(arrived)).status).toBe(409);
  const [other, old] = [crypto.randomUUID(), crypto.randomUUID()];
  await send(other, driver.phoneNumber, "failed", "somebody-else");
  await send(old, "+15559998877", "failed", driver.driverId);
  expect([(await test(other)).status, (await test(old)).status]).toEqual([404, 409]);
  expect(await fetchTexts(driver)).toHaveLength(1);
});

describe("support", () => {
  it("sees the ends of numbers until it asks, and the log says that it did", async () => {
    const driver = await createDriver();
    const masked = `••• ${driver.phoneNumber.slice(-4)}`;
    expect((await support.page(driver)).driver).toMatchObject({ phone: masked, isMasked: true });
    const { phones } = await support.do(driver, { act: "show_phone", reason });
    expect(phones).toEqual({ phoneNumber: driver.phoneNumber, preferredPhoneNumber: null });
    expect(await support.log(driver)).toMatchObject([{ act: "show_phone", operator: SUPPORT, reason }]);
    expect((await owner.page(driver)).driver).toMatchObject({ phone: driver.phoneNumber, isMasked: false });
  });

  it("moves money for a driver up to the limit of a day, in one act or in many, also at once", async () => {
    const driver = await createPayer();
    // A day is worth 11.66, the price of a day of the shortest plan, and the limit is 50.
    expect((await support.act(driver, { act: "days", days: 5, reason })).status).toBe(403);
    const answers = await Promise.all(
      [1, 2, 3].map(() => support.act(driver, { act: "days", days: 2, reason })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 403]);
    expect((await support.act(driver, { act: "points", points: 100, reason })).status).toBe(403);
    expect((await support.act(driver, { act: "points", points: 20, reason })).status).toBe(200);
    expect((await support.act(driver, { act: "show_phone", reason })).status).toBe(200);
    expect((await owner.act(driver, { act: "days", days: 30, reason })).status).toBe(200);
    const other = await createPayer();
    expect((await support.act(other, { act: "days", days: 4, reason })).status).toBe(200);
  });
});

describe("the log", () => {
  it("can't be changed or deleted, whoever asks the database", async () => {
    const driver = await createDriver();
    const { act } = await owner.do(driver, { act: "days", days: 1, reason });
    const change = env.DB.prepare(`UPDATE operator_acts SET reason = 'another' WHERE id = ?`).bind(act.id);
    const deletion = env.DB.prepare(`DELETE FROM operator_acts WHERE id = ?`).bind(act.id);
    await expect(change.run()).rejects.toThrow("acts are never changed");
    await expect(deletion.run()).rejects.toThrow("acts are never deleted");
    expect(await owner.log(driver)).toEqual([act]);
  });

  it("is in the export of the driver whom it concerns, and nobody else's", async () => {
    const [driver, other] = [await createDriver(), await createDriver()];
    await owner.do(driver, { act: "points", points: 10, reason });
    const { operatorActs } = await driver.client.fetchJson<{ operatorActs: unknown[] }>(
      "GET",
      "/flex/v1/user/export",
    );
    expect(operatorActs).toEqual([
      {
        at: expect.any(Number),
        act: "points",
        what: { points: 10 },
        reason,
        before: { points: 0 },
        after: { points: 10 },
        by: "owner",
      },
    ]);
    const theirs = await other.client.fetchJson<{ operatorActs: unknown[] }>("GET", "/flex/v1/user/export");
    expect(theirs.operatorActs).toEqual([]);
  });

  it("stays when the account is deleted, under the random id alone", async () => {
    const driver = await createDriver();
    await owner.do(driver, { act: "days", days: 1, reason });
    await callUnderSettings({}, driver, { method: "DELETE", path: "/flex/v1/user" });
    const kept = await rows(`SELECT * FROM operator_acts WHERE driver_id = ?`, driver.driverId);
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(driver.phoneNumber);
    expect((await owner.call("GET", `/drivers/${driver.driverId}`)).status).toBe(404);
  });

  it("goes on from page to page", async () => {
    const driver = await createPayer();
    for (let count = 0; count < 52; count += 1)
      await owner.do(driver, { act: "points", points: 1, reason: `number ${count}` });
    const read = async (cursor: string | null) => {
      const query = cursor === null ? "" : `&cursor=${cursor}`;
      const response = await owner.call("GET", `/acts?driver=${driver.driverId}${query}`);
      return response.json<{ acts: { reason: string }[]; cursor: string | null }>();
    };
    const first = await read(null);
    const second = await read(first.cursor);
    expect([first.acts.length, second.acts.length, second.cursor]).toEqual([50, 2, null]);
    expect(new Set([...first.acts, ...second.acts].map((act) => act.reason)).size).toBe(52);
  });
});

it.each([
  [{ act: "days", days: 0, reason }],
  [{ act: "days", days: 366, reason }],
  [{ act: "days", days: 1.5, reason }],
  [{ act: "days", days: 1, reason: "  " }],
  [{ act: "days", days: 1 }],
  [{ act: "points", points: 0, reason }],
  [{ act: "other", reason }],
  [{ act: "refund", paymentId: "a b", cents: 100, keepsDays: false, reason }],
])("refuses what is no act: %o", async (body) => {
  const driver = await createDriver();
  const refused = await owner.call("POST", `/drivers/${driver.driverId}/acts`, {
    body,
    key: crypto.randomUUID(),
  });
  expect(refused.status).toBe(400);
  expect(await owner.log(driver)).toEqual([]);
});

it("answers 404 for a driver whom nobody knows", async () => {
  const nobody = { driverId: (await createDriver()).driverId };
  await env.DB.prepare(`DELETE FROM users WHERE id = ?`).bind(nobody.driverId).run();
  expect((await owner.act(nobody, { act: "days", days: 1, reason })).status).toBe(404);
  expect((await owner.act(nobody, { act: "show_phone", reason })).status).toBe(404);
  expect((await owner.call("GET", `/drivers/${nobody.driverId}/live`)).status).toBe(404);
});
