import { env } from "cloudflare:test";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UserResponse } from "../../../worker/contract/account/user.ts";
import type { DriverAct } from "../../../worker/contract/console/operator-acts.ts";
import { OWNER, owner, support } from "../console-harness.ts";
import { createDriver, driverObject, resetPlatform, type TestDriver } from "../harness.ts";
import { codeOf, createPayer, pointBalanceOf } from "../payments-harness.ts";

const reason = "the driver called";

beforeAll(() => resetPlatform());
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
    const other = await createDriver({ serviceMs: DAY_MS });
    expect((await owner.act(other, { act: "days", days: 2, reason }, key)).status).toBe(409);
    expect(await owner.log(other)).toEqual([]);
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

it("answers 404 for a driver whom nobody knows", async () => {
  const nobody = { driverId: (await createDriver()).driverId };
  await env.DB.prepare(`DELETE FROM users WHERE id = ?`).bind(nobody.driverId).run();
  expect((await owner.act(nobody, { act: "days", days: 1, reason })).status).toBe(404);
  expect((await owner.act(nobody, { act: "show_phone", reason })).status).toBe(404);
  expect((await owner.call("GET", `/drivers/${nobody.driverId}/live`)).status).toBe(404);
});
