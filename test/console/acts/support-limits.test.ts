import { factsOf, performAct, type ConsoleContext } from "../../../worker/console/acts.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { driverId, DAY_MS } from "../../../db/shapes/units.ts";
import type { DriverAct } from "../../../worker/contract/console/operator-acts.ts";
import { loadReachedLimits } from "../../../worker/console/act-log.ts";
import { actOnDriver, decideRequest } from "../../../worker/console/driver-acts.ts";
import { planOf } from "../../../worker/console/act-plans.ts";
import { exportTable } from "../../../worker/console/exports.ts";
import { worthOfPrice } from "../../../worker/console/worth.ts";
import { NOW, openCheckout, type Checkout } from "../../payments/checkout-harness.ts";

const SETTINGS = {
  ACCESS_TEAM_DOMAIN: "team.example.com",
  ACCESS_AUD: "aud",
  OPS_OWNERS: "owner@example.com",
  OPS_SUPPORT: "one@example.com,two@example.com",
  OPS_SUPPORT_SUM: "100",
  OPS_SUPPORT_LOOKS: "2",
  OPS_SUPPORT_NUMBERS: "2",
  OPS_SUPPORT_ACCESS: "3",
  IDENTITY: "embedded",
  OPS_EXPORTS: "2",
};
const DRIVERS = Array.from({ length: 5 }, (_one, index) =>
  driverId.parse(`6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a0${index}`),
);

let at: Checkout;
beforeEach(() => {
  at = openCheckout(SETTINGS);
  for (const id of DRIVERS) {
    at.addDriver(id);
    at.run(
      `INSERT INTO pool_users (id, phone_number, phone_verified, status, enabled, password, attributes, sms_mfa, software_token_mfa, totp_used_step, created_at) VALUES (?, ?, 1, 'CONFIRMED', 1, '', '{}', 0, 0, 0, 0)`,
      id,
      `+1555${id.slice(-7)}`,
    );
  }
});

function act(whose: number, input: DriverAct, { name = "one@example.com", role = "support" as const } = {}) {
  const context: ConsoleContext = { ...at.checkout, operator: { name, role } };
  const id = crypto.randomUUID();
  const driver = DRIVERS[whose] ?? driverId.parse("");
  const { act: kind, reason } = input;
  const what = factsOf(input);
  const plan = planOf({ context, driverId: driver, id }, input);
  return performAct(context, { id, act: kind, driverId: driver, what, reason }, plan).then(
    () => "done",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );
}

const reason = "a test";
const days: DriverAct = { act: "days", days: 4, reason };
const price = (lasts: number): DriverAct => {
  return { act: "special_price", plan: "30days", priceCents: 16_000, endsAt: NOW + lasts, reason };
};

describe("one operator of support", () => {
  it("gives so much to all drivers together in a day, and another operator as much again", async () => {
    expect([await act(0, days), await act(1, days), await act(2, days)]).toEqual([
      "done",
      "done",
      "forbidden",
    ]);
    expect(await act(2, days, { name: "two@example.com" })).toBe("done");
    at.clock.now += DAY_MS;
    expect(await act(3, days)).toBe("done");
  });

  it("gives by itself what it may also after an owner said yes to more", async () => {
    const context = (name: string, role: "owner" | "support"): ConsoleContext => ({
      ...at.checkout,
      operator: { name, role },
    });
    const id = crypto.randomUUID();
    const [driverOne = driverId.parse("")] = DRIVERS;
    const asked: DriverAct = { act: "days", days: 90, reason };
    await actOnDriver(context("one@example.com", "support"), { driverId: driverOne, id }, asked);
    await decideRequest(context("owner@example.com", "owner"), id, { approve: true, reason });
    expect(at.rows(`SELECT act FROM operator_acts WHERE id = ?`, id)).toEqual([{ act: "days" }]);
    expect(await act(0, days)).toBe("done");
    const { deps } = at.checkout;
    if (!deps.config.operators) throw new Error("no console");
    const reached = await loadReachedLimits(deps.db, { limits: deps.config.operators, now: deps.now() });
    expect(reached.map(({ kind }) => kind)).toEqual(["gifts"]);
  });

  it("looks at so many numbers in a day", async () => {
    const look: DriverAct = { act: "show_phone", reason };
    expect([await act(0, look), await act(1, look), await act(2, look)]).toEqual([
      "done",
      "done",
      "forbidden",
    ]);
    at.clock.now += DAY_MS;
    expect(await act(2, look)).toBe("done");
  });

  it("gives so many drivers another number in a day, and owners give more", async () => {
    const number = (last: number): DriverAct => ({
      act: "change_number",
      phoneNumber: `+1555019000${last}`,
      checks: ["last_payment", "last_block"],
      reason,
    });
    const given = [await act(0, number(0)), await act(1, number(1)), await act(2, number(2))];
    expect(given).toEqual(["done", "done", "forbidden"]);
    const [, , driver = driverId.parse("")] = DRIVERS;
    const one = { ...at.checkout, operator: { name: "one@example.com", role: "support" as const } };
    const asked = actOnDriver(one, { driverId: driver, id: crypto.randomUUID() }, number(2));
    await expect(asked).rejects.toMatchObject({ code: "forbidden" });
    // A request would keep the whole number.
    expect(at.rows(`SELECT * FROM operator_approvals`)).toEqual([]);
    const owner = { ...at.checkout, operator: { name: "owner@example.com", role: "owner" as const } };
    const done = await actOnDriver(owner, { driverId: driver, id: crypto.randomUUID() }, number(2));
    expect(done.status).toBe("done");
    at.clock.now += DAY_MS;
    expect(await act(3, number(3))).toBe("done");
  });

  it("shuts out so many drivers in a day, by whichever act, and asks an owner for more", async () => {
    const shut: DriverAct[] = [
      { act: "sign_out", reason },
      { act: "disable", reason },
      { act: "sign_out", reason },
    ];
    for (const [whose, input] of shut.entries()) expect(await act(whose, input)).toBe("done");
    expect(await act(3, { act: "disable", reason })).toBe("forbidden");
    const [one, owner] = [
      { ...at.checkout, operator: { name: "one@example.com", role: "support" as const } },
      { ...at.checkout, operator: { name: "owner@example.com", role: "owner" as const } },
    ];
    const [, , , driver = driverId.parse("")] = DRIVERS;
    const id = crypto.randomUUID();
    const asked = await actOnDriver(one, { driverId: driver, id }, { act: "disable", reason });
    expect(asked.status).toBe("waiting");
    const enabled = () => at.rows(`SELECT enabled FROM pool_users WHERE id = ?`, driver);
    expect(enabled()).toEqual([{ enabled: 1 }]);
    await decideRequest(owner, id, { approve: true, reason });
    expect(enabled()).toEqual([{ enabled: 0 }]);
    // No limit holds for letting a driver in again.
    expect(await act(1, { act: "enable", reason })).toBe("done");
  });

  it("exports so often in a day, owners too", async () => {
    for (const role of ["support", "owner"] as const) {
      const context: ConsoleContext = { ...at.checkout, operator: { name: `${role}@example.com`, role } };
      const order = { table: "acts", reason } as const;
      await exportTable(context, crypto.randomUUID(), order);
      const second = crypto.randomUUID();
      await exportTable(context, second, order);
      // One that is sent again is the same.
      await exportTable(context, second, order);
      await expect(exportTable(context, crypto.randomUUID(), order)).rejects.toMatchObject({
        code: "forbidden",
      });
    }
  });

  it("gives a price for 90 days at most, counted by each time that it can be used", async () => {
    expect(await act(0, price(90 * DAY_MS + 1))).toBe("invalid_request");
    expect(await act(0, price(90 * DAY_MS))).toBe("done");
    // Three times 9.99 for the first; a fourth would be above the day's 50 for this driver.
    expect(await act(0, price(60 * DAY_MS + 1))).toBe("forbidden");
    expect(await act(0, price(60 * DAY_MS))).toBe("done");
  });
});

it("values a price by how often its plan can be bought while it holds", () => {
  const cutCents = 100;
  expect(worthOfPrice({ plan: "30days", lastsMs: 1, cutCents })).toBe(100);
  expect(worthOfPrice({ plan: "30days", lastsMs: 30 * DAY_MS, cutCents })).toBe(100);
  expect(worthOfPrice({ plan: "3days", lastsMs: 90 * DAY_MS, cutCents })).toBe(3000);
});
