import { env } from "cloudflare:test";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OperatorClient, SUPPORT, owner, support } from "../console-harness.ts";
import { createDriver, deployment, resetPlatform } from "../harness.ts";
import { callUnderSettings, createPayer, rows } from "../payments-harness.ts";

const reason = "the driver called";

beforeAll(() => resetPlatform());
beforeEach(() => resetPlatform());

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

  it("reads no whole number of a driver on any screen, neither of the account nor of their texts", async () => {
    const driver = await createDriver();
    const preferred = `+1555444${driver.phoneNumber.slice(-4)}`;
    await env.DB.prepare(
      `UPDATE users SET preferred_phone_number = ?, preferred_phone_verified = 1 WHERE id = ?`,
    )
      .bind(preferred, driver.driverId)
      .run();
    for (const [id, to] of [
      ["a", driver.phoneNumber],
      ["b", preferred],
    ])
      await env.DB.prepare(
        `INSERT INTO sent_texts (id, account, phone_number, status, sent_at) VALUES (?, ?, ?, 'delivered', ?)`,
      )
        .bind(`${driver.driverId}-${id}`, driver.driverId, to, Date.now())
        .run();
    const paths = [
      `/drivers/${driver.driverId}`,
      `/drivers/${driver.driverId}/live`,
      `/drivers?q=${driver.phoneNumber.slice(-4)}`,
      `/acts?driver=${driver.driverId}`,
    ];
    const read = async (client: OperatorClient) =>
      Promise.all(paths.map(async (path) => (await client.call("GET", path)).text()));
    const digits = [driver.phoneNumber, preferred].map((number) => number.slice(2));
    const [page = "", ...others] = await read(support);
    for (const number of digits) expect([page, ...others].join()).not.toContain(number);
    expect(page.split(`••• ${preferred.slice(-4)}`)).toHaveLength(5);
    for (const number of digits) expect((await read(owner))[0]).toContain(number);
  });

  it("moves money for a driver up to the limit of a day, in one act or in many, also at once", async () => {
    const driver = await createPayer();
    // A day is worth 11.66, the price of a day of the shortest plan, and the limit is 50.
    expect((await support.do(driver, { act: "days", days: 5, reason })).status).toBe("waiting");
    const answers = await Promise.all(
      [1, 2, 3].map(() => support.do(driver, { act: "days", days: 2, reason })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["done", "done", "waiting"]);
    expect((await support.do(driver, { act: "points", points: 100, reason })).status).toBe("waiting");
    // Nothing that waits is done: four days, and no points yet.
    const page = await owner.page(driver);
    expect([Math.round(page.service.unusedMs / 86_400_000), page.points.balance]).toEqual([4, 0]);
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

describe("the log as a feed", () => {
  const LOG_TOKEN = "a-token-of-a-second-person-0123456789";
  const read = (authorization?: string, settings: Record<string, string> = { OPS_LOG_TOKEN: LOG_TOKEN }) => {
    const { fetch, origin } = deployment(settings);
    return fetch(`${origin}/ops/log`, { headers: authorization === undefined ? {} : { authorization } });
  };

  it("is read with a token of its own, without numbers, and opens nothing else", async () => {
    const driver = await createDriver();
    await support.do(driver, { act: "show_phone", reason });
    const response = await read(`Bearer ${LOG_TOKEN}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/feed+json"]);
    const text = await response.text();
    expect(JSON.parse(text).items[0]).toMatchObject({
      title: `${SUPPORT} (support): show_phone`,
      content_text: expect.stringContaining(driver.driverId),
    });
    expect(text).not.toContain(driver.phoneNumber);
    const { fetch, origin } = deployment({ OPS_LOG_TOKEN: LOG_TOKEN });
    const acts = await fetch(`${origin}/ops/v1/acts`, { headers: { authorization: `Bearer ${LOG_TOKEN}` } });
    expect(acts.status).toBe(401);
  });

  it("is closed to another token, and where there is none", async () => {
    const answers = [await read("Bearer another"), await read(), await read(`Bearer ${LOG_TOKEN}`, {})];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  });
});
