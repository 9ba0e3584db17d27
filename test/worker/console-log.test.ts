import { env } from "cloudflare:test";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SUPPORT, owner, support } from "./console-harness.ts";
import { createDriver, resetPlatform } from "./harness.ts";
import { callUnderSettings, createPayer, rows } from "./payments-harness.ts";

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
