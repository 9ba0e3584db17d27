import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, driverId, MINUTE_MS } from "../../../db/shapes/units.ts";
import { planOf } from "../../../worker/console/act-plans.ts";
import { performAct, type ConsoleContext, factsOf } from "../../../worker/console/acts.ts";
import { actOnDriver } from "../../../worker/console/driver-acts.ts";
import { exportTable } from "../../../worker/console/exports.ts";
import { loadReachedLimits } from "../../../worker/console/act-log.ts";
import type { DriverAct } from "../../../worker/contract/console/operator-acts.ts";
import { alertOperators } from "../../../worker/cron/alert-operators.ts";
import { NOW, openCheckout, type Checkout } from "../../payments/checkout-harness.ts";

const SETTINGS = {
  ACCESS_TEAM_DOMAIN: "team.example.com",
  ACCESS_AUD: "aud",
  OPS_OWNERS: "owner@example.com",
  OPS_SUPPORT: "one@example.com,two@example.com",
  OPS_SUPPORT_LOOKS: "2",
  OPS_SUPPORT_NUMBERS: "2",
  OPS_SUPPORT_ACCESS: "2",
  IDENTITY: "embedded",
  OPS_EXPORTS: "2",
  ALERT_URL: "https://alerts.test/",
  ALERT_FORM: "webhook",
  ALERT_KEY: "secret",
};
const DRIVER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a00");
const reason = "a test";

let at: Checkout;
let sent: { id: string; title: string; text: string; link: string }[];
beforeEach(() => {
  at = openCheckout(SETTINGS);
  at.addDriver(DRIVER);
  at.run(
    `INSERT INTO pool_users (id, phone_number, phone_verified, status, enabled, password, attributes, sms_mfa, software_token_mfa, totp_used_step, created_at) VALUES (?, '+15550100100', 1, 'CONFIRMED', 1, '', '{}', 0, 0, 0, 0)`,
    DRIVER,
  );
  sent = [];
});

const contextOf = (name: string, role: "support" | "owner" = "support"): ConsoleContext => ({
  ...at.checkout,
  operator: { name, role },
});
const look = async (name: string) => {
  const input: DriverAct = { act: "show_phone", reason };
  const [context, id] = [contextOf(name), crypto.randomUUID()];
  const asked = { id, act: input.act, driverId: DRIVER, what: factsOf(input), reason };
  await performAct(context, asked, planOf({ context, driverId: DRIVER, id }, input)).catch(() => {});
};
const ask = (name: string, input: DriverAct) =>
  actOnDriver(contextOf(name), { driverId: DRIVER, id: crypto.randomUUID() }, input);
const minutes = async (count: number) => {
  const { deps } = at.checkout;
  for (let minute = 0; minute < count; minute += 1) {
    await alertOperators({
      ...deps,
      send: async (request) => {
        sent.push(await request.clone().json());
        return new Response(null);
      },
    });
    at.clock.now += MINUTE_MS;
  }
};
const reached = async (changed: { supportSumCents?: number } = {}) => {
  const { deps } = at.checkout;
  if (!deps.config.operators) throw new Error("no console");
  return loadReachedLimits(deps.db, { limits: { ...deps.config.operators, ...changed }, now: deps.now() });
};

describe("a limit that an operator reaches", () => {
  it("of looks is listed and told once, however often the operator tries again, and the next day anew", async () => {
    await look("one@example.com");
    await minutes(3);
    expect([await reached(), sent]).toEqual([[], []]);
    await look("one@example.com");
    await look("two@example.com");
    await minutes(2);
    await look("one@example.com");
    await minutes(5);
    expect(await reached()).toEqual([
      { operator: "one@example.com", kind: "looks", acts: 2, at: NOW + 3 * MINUTE_MS },
    ]);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      event: "begins",
      reason: "one@example.com: 2",
      title: expect.stringContaining("An operator looked at as many numbers as a day allows"),
      text: expect.stringMatching(/\/ops\/requests$/),
    });
    // No name of an alert names an operator: logs have those names.
    expect(sent[0]?.id).toMatch(/^limits\.looks\.[0-9a-f]{12}:/);
    at.clock.now += DAY_MS;
    await minutes(5);
    expect(await reached()).toEqual([]);
    await look("one@example.com");
    await look("one@example.com");
    await minutes(5);
    expect(sent.map((message) => message.id.split(":").at(-1))).toEqual(["begins", "ends", "begins"]);
  });

  it("of exports is an owner's, too", async () => {
    for (const _time of [1, 2])
      await exportTable(contextOf("owner@example.com", "owner"), crypto.randomUUID(), {
        table: "acts",
        reason,
      });
    await minutes(3);
    expect(await reached()).toMatchObject([{ operator: "owner@example.com", kind: "exports", acts: 2 }]);
    expect(sent.map(({ title }) => title)).toEqual([expect.stringContaining("as many exports")]);
  });

  it("of numbers given and of drivers shut out is told", async () => {
    const number = (phoneNumber: string): DriverAct => ({
      act: "change_number",
      phoneNumber,
      checks: ["last_payment", "last_block"],
      reason,
    });
    await ask("one@example.com", number("+15550190001"));
    await ask("two@example.com", { act: "sign_out", reason });
    expect(await reached()).toEqual([]);
    await ask("one@example.com", number("+15550190002"));
    await ask("two@example.com", { act: "disable", reason });
    await minutes(3);
    expect(await reached()).toEqual([
      { operator: "one@example.com", kind: "numbers", acts: 2, at: NOW },
      { operator: "two@example.com", kind: "access", acts: 2, at: NOW },
    ]);
    const ofLimits = sent.filter(({ id }) => id.startsWith("limits."));
    expect(ofLimits.map(({ title }) => title).toSorted()).toEqual([
      expect.stringContaining("changed as many drivers' numbers as a day allows"),
      expect.stringContaining("shut out or let in as many drivers as a day allows"),
    ]);
  });

  it("of special prices and gifts is told apart, each once", async () => {
    const price: DriverAct = {
      act: "special_price",
      plan: "30days",
      priceCents: 1000,
      endsAt: NOW + DAY_MS,
      reason,
    };
    const days: DriverAct = { act: "days", days: 300, reason };
    for (const input of [price, days, { ...days, days: 301 }])
      expect((await ask("one@example.com", input)).status).toBe("waiting");
    await minutes(5);
    expect((await reached()).map(({ kind, acts }) => [kind, acts]).toSorted()).toEqual([
      ["gifts", 2],
      ["special_prices", 1],
    ]);
    expect(sent.map(({ title }) => title).toSorted()).toEqual([
      expect.stringContaining("a special price above the limits"),
      expect.stringContaining("days or points above the limits"),
    ]);
  });

  it("of what support gives is reached by its worth, not by the first gift", async () => {
    const given: DriverAct = { act: "days", days: 1, reason };
    expect((await ask("one@example.com", given)).status).toBe("done");
    expect(await reached()).toEqual([]);
    expect(await reached({ supportSumCents: 1 })).toMatchObject([
      { operator: "one@example.com", kind: "worth", acts: 1 },
    ]);
  });

  it("is not one that two decide in any case, nor what an owner gives", async () => {
    await ask("one@example.com", { act: "erase", reason });
    const input: DriverAct = { act: "days", days: 300, reason };
    await actOnDriver(
      contextOf("owner@example.com", "owner"),
      { driverId: DRIVER, id: crypto.randomUUID() },
      input,
    );
    await minutes(3);
    expect([await reached(), sent]).toEqual([[], []]);
  });
});
