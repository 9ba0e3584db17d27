import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { openDb } from "../../../db/client.ts";
import { loadDriver } from "../../../db/queries/accounts/drivers.ts";
import { findPoolUser, patchPoolAttributes } from "../../../db/queries/identity/pool-users.ts";
import { loadChangedDriver } from "../../../db/queries/payments/service-changes.ts";
import { extraRule, MAX_THRESHOLD_CENTS, NO_LIMITS } from "../../../db/shapes/work/filters.ts";
import { DEFAULT_NOTIFICATION_PREFERENCES } from "../../../db/shapes/notifications.ts";
import type { PaymentsResponse, PlansResponse } from "../../../worker/contract/money/payments.ts";
import schedules from "../../fixtures/stored/d1/filters.schedule.json";
import dates from "../../fixtures/stored/d1/filters.dates.json";
import limits from "../../fixtures/stored/d1/filters.limits.json";
import minHourly from "../../fixtures/stored/d1/filters.min_hourly_cents.json";
import cutKinds from "../../fixtures/stored/d1/payments.cut_kind.json";
import plans from "../../fixtures/stored/d1/payments.plan.json";
import statuses from "../../fixtures/stored/d1/payments.status.json";
import attributes from "../../fixtures/stored/d1/pool_users.attributes.json";
import preferredMfa from "../../fixtures/stored/d1/pool_users.preferred_mfa.json";
import poolStatuses from "../../fixtures/stored/d1/pool_users.status.json";
import discountKinds from "../../fixtures/stored/d1/price_cuts.kind.json";
import newsKinds from "../../fixtures/stored/d1/service_news.kind.json";
import languages from "../../fixtures/stored/d1/users.language.json";
import modes from "../../fixtures/stored/d1/users.mode.json";
import notifications from "../../fixtures/stored/d1/users.notifications.json";
import specialModes from "../../fixtures/stored/d1/users.special_mode.json";
import durations from "../../fixtures/stored/d1/warehouse_filters.durations.json";
import actions from "../../fixtures/stored/d1/warehouse_filters.action.json";
import askSeconds from "../../fixtures/stored/d1/warehouse_filters.ask_seconds.json";
import extraRules from "../../fixtures/stored/d1/warehouse_filters.extra_rules.json";
import {
  createActiveDriver,
  createDriver,
  driverObject,
  resetPlatform,
  type TestDriver,
} from "../harness.ts";

type Value = string | number | null;

const db = openDb(env.DB);
const run = (sql: string, ...bindings: Value[]) =>
  env.DB.prepare(sql)
    .bind(...bindings)
    .run();
const values = (golden: readonly { value: Value }[]) => golden.map(({ value }) => value);

beforeEach(() => resetPlatform());

async function loadRow(driver: TestDriver) {
  const record = await loadDriver(db, driver.driverId);
  if (!record) throw new Error("no record");
  return record;
}

/** Makes the request of every screen. */
async function expectAllAnswer(driver: TestDriver): Promise<void> {
  const paths = [
    "/flex/v1/user",
    "/flex/v1/user/notifications",
    "/flex/v1/user/export",
    "/flex/v1/filters",
    "/flex/v1/plans",
    "/flex/v1/payments",
    "/flex/v1/blocks",
    "/flex/v1/setup",
  ];
  for (const path of paths) {
    const answer = await driver.client.call("GET", path);
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.text();
  }
  const off = await driver.client.patchUser({ phoneNumber: driver.phoneNumber, userDisabled: 1 });
  expect(off.status).toBe(200);
}

describe("a driver's row", () => {
  it("parses every value of every version", async () => {
    const driver = await createDriver();
    const fields = [
      ["language", "language", languages],
      ["mode", "mode", modes],
      ["special_mode", "specialMode", specialModes],
    ] as const;
    for (const [column, field, golden] of fields) {
      for (const value of values(golden)) {
        await run(`UPDATE users SET ${column} = ? WHERE id = ?`, value, driver.driverId);
        expect((await loadRow(driver)).row[field]).toBe(value);
      }
    }
    for (const value of values(notifications)) {
      await run(`UPDATE users SET notifications = ? WHERE id = ?`, value, driver.driverId);
      const { question } = DEFAULT_NOTIFICATION_PREFERENCES;
      expect((await loadRow(driver)).row.notifications).toEqual(
        value === null ? null : { question, ...JSON.parse(String(value)) },
      );
    }
  });

  it("never blocks a screen, even with unknown enum values and malformed JSON", async () => {
    const driver = await createActiveDriver();
    await run(
      `UPDATE users SET language = 'fr', mode = 'zen', special_mode = 'fresh', notifications = '{"captured":', revision = revision + 1 WHERE id = ?`,
      driver.driverId,
    );
    const { row } = await loadRow(driver);
    expect(row).toMatchObject({
      language: "en",
      mode: "lucrative",
      specialMode: "wf",
      notifications: DEFAULT_NOTIFICATION_PREFERENCES,
    });
    await expectAllAnswer(driver);
  });

  it("keeps each valid preference", async () => {
    const driver = await createDriver();
    const stored = {
      captured: { text: false, push: true },
      service: "loud",
      weather: { text: true, push: true },
      quietHours: { fromMinute: 1320, toMinute: 9999 },
    };
    await run(`UPDATE users SET notifications = ? WHERE id = ?`, JSON.stringify(stored), driver.driverId);
    const answer = await driver.client.call("GET", "/flex/v1/user/notifications?questions=1");
    expect(await answer.json()).toEqual({
      ...DEFAULT_NOTIFICATION_PREFERENCES,
      captured: { text: false, push: true },
    });
  });

  it("takes a change of one preference where the others can't be read, and keeps those that a later release wrote", async () => {
    const driver = await createDriver();
    const change = { service: { text: false } };
    const changed = { ...DEFAULT_NOTIFICATION_PREFERENCES, service: { text: false, push: true } };
    const weather = { text: true, push: true };
    for (const stored of [`{"captured":`, "7", "null", JSON.stringify({ weather })]) {
      await run(`UPDATE users SET notifications = ? WHERE id = ?`, stored, driver.driverId);
      const answer = await driver.client.call("PUT", "/flex/v1/user/notifications?questions=1", {
        body: change,
      });
      expect(await answer.json()).toEqual(changed);
    }
    const { results } = await run(`SELECT notifications FROM users WHERE id = ?`, driver.driverId);
    // An earlier release reads an event whole or not at all.
    expect(JSON.parse(String(results[0]?.["notifications"]))).toEqual({ weather, ...changed });
  });
});

describe("a driver's filters", () => {
  it("parse every value of every version", async () => {
    const driver = await createActiveDriver();
    for (const value of values(schedules)) {
      await run(`UPDATE filters SET schedule = ? WHERE driver_id = ?`, value, driver.driverId);
      expect((await loadRow(driver)).profile.filters.schedule).toEqual(JSON.parse(String(value)));
    }
    for (const value of values(minHourly)) {
      await run(`UPDATE filters SET min_hourly_cents = ? WHERE driver_id = ?`, value, driver.driverId);
      expect((await loadRow(driver)).profile.filters.minHourlyCents).toBe(value);
    }
    for (const value of values(durations)) {
      await run(`UPDATE warehouse_filters SET durations = ? WHERE driver_id = ?`, value, driver.driverId);
      const [filter] = (await loadRow(driver)).profile.filters.warehouses;
      expect(filter?.durations.map((wanted) => (wanted ? "1" : "0")).join("")).toBe(value);
    }
    const jsonColumns = [
      ["filters", "limits", limits, NO_LIMITS],
      ["filters", "dates", dates, []],
      ["warehouse_filters", "extra_rules", extraRules, []],
    ] as const;
    for (const [table, column, golden, absent] of jsonColumns) {
      for (const value of values(golden)) {
        await run(`UPDATE ${table} SET ${column} = ? WHERE driver_id = ?`, value, driver.driverId);
        const { filters } = (await loadRow(driver)).profile;
        const [filter] = filters.warehouses;
        const read = { limits: filters.limits, dates: filters.dates, extra_rules: filter?.extraRules };
        if (value === null) expect(read[column]).toEqual(absent);
        // A former release's rules have the defaults of what was added since.
        else expect(read[column]).toMatchObject(JSON.parse(String(value)));
      }
    }
    for (const value of values(actions)) {
      await run(`UPDATE warehouse_filters SET action = ? WHERE driver_id = ?`, value, driver.driverId);
      const [filter] = (await loadRow(driver)).profile.filters.warehouses;
      expect(filter?.action).toBe(value ?? "take");
    }
    for (const value of values(askSeconds)) {
      await run(`UPDATE warehouse_filters SET ask_seconds = ? WHERE driver_id = ?`, value, driver.driverId);
      const [filter] = (await loadRow(driver)).profile.filters.warehouses;
      expect(filter?.askSeconds).toBe(value ?? 60);
    }
  });

  it("become stricter if they are malformed, never looser", async () => {
    const driver = await createActiveDriver();
    const week = Array.from({ length: 7 }, () => ({ active: true, start: 0, end: 0 }));
    const spoiled = JSON.stringify([{ active: "yes" }, ...week.slice(1, 6), null]);
    const [first] = driver.warehouseIds;
    await run(
      `UPDATE filters SET schedule = ?, min_hourly_cents = 'much' WHERE driver_id = ?`,
      spoiled,
      driver.driverId,
    );
    await run(
      `UPDATE warehouse_filters SET durations = '11' WHERE driver_id = ? AND warehouse_id = ?`,
      driver.driverId,
      first ?? "",
    );
    await run(
      `UPDATE warehouse_filters SET action = 'haggle' WHERE driver_id = ? AND warehouse_id = ?`,
      driver.driverId,
      driver.warehouseIds[1] ?? "",
    );
    await run(`UPDATE users SET revision = revision + 1 WHERE id = ?`, driver.driverId);
    const { filters } = (await loadRow(driver)).profile;
    expect(filters.schedule.map(({ active }) => active)).toEqual([
      false,
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(filters.minHourlyCents).toBe(MAX_THRESHOLD_CENTS);
    expect(filters.warehouses.map(({ warehouseId }) => warehouseId)).toEqual(driver.warehouseIds.slice(2, 3));
    await expectAllAnswer(driver);
  });

  it("with malformed limits, dates and further rules are stricter, and keep what is readable", async () => {
    const driver = await createActiveDriver();
    const [rule] = z.parse(z.array(extraRule), JSON.parse(String(values(extraRules)[2])));
    await run(
      `UPDATE filters SET limits = ?, dates = ? WHERE driver_id = ?`,
      JSON.stringify({ blocksPerDay: "two", restMinutes: 20, travelMinutes: -1, mood: 7 }),
      JSON.stringify([
        { kind: "off", from: "2026-12-24", to: "2026-12-26" },
        { kind: "hours", date: "2026-12-31", start: "late" },
        { kind: "moon", from: "2027-01-01", to: "2027-01-02" },
        { kind: "off", from: "soon", to: "later" },
        7,
      ]),
      driver.driverId,
    );
    await run(
      `UPDATE warehouse_filters SET extra_rules = ? WHERE driver_id = ?`,
      JSON.stringify([rule, rule, { ...rule, ruleId: "b2", minPriceCents: -1 }, null]),
      driver.driverId,
    );
    const { filters } = (await loadRow(driver)).profile;
    expect(filters.limits).toEqual({ ...NO_LIMITS, blocksPerDay: 1, restMinutes: 20, travelMinutes: 1440 });
    expect(filters.dates).toEqual([
      { kind: "off", from: "2026-12-24", to: "2026-12-26" },
      { kind: "off", from: "2026-12-31", to: "2026-12-31" },
      { kind: "off", from: "2027-01-01", to: "2027-01-02" },
    ]);
    expect(filters.warehouses[0]?.extraRules).toEqual([rule]);
    await run(`UPDATE filters SET limits = '{', dates = '[' WHERE driver_id = ?`, driver.driverId);
    const spoiled = (await loadRow(driver)).profile.filters;
    expect(Object.values(spoiled.limits)).toEqual([1, 1, 1, 1440, 1440, 1]);
    expect(spoiled.dates).toEqual([]);
    await expectAllAnswer(driver);
  });

  it("have no active day if the schedule is not JSON", async () => {
    const driver = await createActiveDriver();
    await run(`UPDATE filters SET schedule = '[{' WHERE driver_id = ?`, driver.driverId);
    await run(`UPDATE users SET revision = revision + 1 WHERE id = ?`, driver.driverId);
    await expectAllAnswer(driver);
    expect((await driverObject(driver).snapshot()).switchedOn).toBe(false);
  });
});

describe("payments and ledgers", () => {
  async function addPayment(driver: TestDriver, row: Partial<Record<"status" | "plan" | "cut_kind", Value>>) {
    const { status = "settled", plan = "7days", cut_kind: kind = null } = row;
    await run(
      `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_kind, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
       VALUES (?, ?, ?, ?, 'USD', 4987, ?, 0, 0, 0, 35, 5022, 0, 1, 1, 1)`,
      crypto.randomUUID(),
      driver.driverId,
      plan,
      status,
      kind,
    );
  }
  const history = async (driver: TestDriver) =>
    (await (await driver.client.call("GET", "/flex/v1/payments")).json<PaymentsResponse>()).items;

  it("list every payment of a known status, and ignore others", async () => {
    const driver = await createDriver();
    // At most one is in progress; unpaid ones are not in the history.
    const shown = values(statuses).filter((status) => status !== "open" && status !== "abandoned");
    for (const status of shown) await addPayment(driver, { status });
    for (const plan of values(plans)) await addPayment(driver, { plan });
    for (const kind of values(cutKinds)) await addPayment(driver, { cut_kind: kind });
    const known = shown.length + plans.length + cutKinds.length;
    await addPayment(driver, { status: "charged_twice" });
    await addPayment(driver, { plan: "90days" });
    await addPayment(driver, { cut_kind: "black_friday" });
    const items = await history(driver);
    expect(items.length).toBe(known + 1);
    expect(items.filter(({ discountKind }) => discountKind !== null).length).toBe(
      values(cutKinds).filter((kind) => kind !== null).length,
    );
    await expectAllAnswer(driver);
  });

  it("apply known discounts and ignore an operator's typo", async () => {
    const driver = await createDriver();
    const add = (kind: Value, plan: string, cents: number) =>
      run(
        `INSERT INTO price_cuts (id, kind, plan, price_cents, driver_id, starts_at, ends_at) VALUES (?, ?, ?, ?, ?, 0, 9000000000000)`,
        crypto.randomUUID(),
        kind,
        plan,
        cents,
        driver.driverId,
      );
    for (const kind of values(discountKinds)) await add(kind, "7days", 4000);
    await add("flash-sale", "7days", 100);
    await add("flash_sale", "sevendays", 100);
    const { plans: priced } = await (await driver.client.call("GET", "/flex/v1/plans")).json<PlansResponse>();
    expect(priced.find(({ plan }) => plan === "7days")?.discount?.priceCents).toBe(4000);
  });

  it("deliver service changes of a known kind", async () => {
    const driver = await createDriver();
    const kinds = [...values(newsKinds), "gifted"];
    for (const [index, kind] of kinds.entries())
      await run(
        `INSERT INTO service_news (source, driver_id, kind, at) VALUES (?, ?, ?, ?)`,
        `${driver.driverId}:${index}`,
        driver.driverId,
        kind,
        index,
      );
    const { serviceChanges } = await loadChangedDriver(db, driver.driverId);
    expect(serviceChanges.map(({ kind }) => kind)).toEqual(values(newsKinds));
    await run(`DELETE FROM service_news WHERE driver_id = ?`, driver.driverId);
  });
});

describe("an account of the user pool", () => {
  async function addAccount(row: { status: Value; attributes: Value; preferredMfa: Value }): Promise<string> {
    const id = crypto.randomUUID();
    await run(
      `INSERT INTO pool_users (id, phone_number, phone_verified, status, enabled, password, attributes, sms_mfa, software_token_mfa, preferred_mfa, totp_used_step, created_at)
       VALUES (?, ?, 1, ?, 1, '', ?, 0, 0, ?, 0, 0)`,
      id,
      `+1${id}`,
      row.status,
      row.attributes,
      row.preferredMfa,
    );
    return id;
  }

  it("parses every value of every version", async () => {
    const rows = [
      ...values(poolStatuses).map((status) => ({ status, attributes: "{}", preferredMfa: null })),
      ...values(attributes).map((own) => ({ status: "CONFIRMED", attributes: own, preferredMfa: null })),
      ...values(preferredMfa).map((own) => ({ status: "CONFIRMED", attributes: "{}", preferredMfa: own })),
    ];
    for (const row of rows) {
      expect(await findPoolUser(db, await addAccount(row))).toMatchObject({
        ...row,
        attributes: JSON.parse(String(row.attributes)),
      });
    }
  });

  it("rejects sign-ins for an unknown status, and ignores malformed values", async () => {
    const id = await addAccount({
      status: "COMPROMISED",
      attributes: `{"name":7,"locale":"es"}`,
      preferredMfa: "PIGEON",
    });
    expect(await findPoolUser(db, id)).toMatchObject({
      status: "RESET_REQUIRED",
      attributes: { locale: "es" },
      preferredMfa: null,
    });
  });

  it("can get new attributes if the stored ones are not JSON", async () => {
    const id = await addAccount({ status: "CONFIRMED", attributes: "{", preferredMfa: null });
    const user = await findPoolUser(db, id);
    if (!user) throw new Error("no account");
    expect(user.attributes).toEqual({});
    await patchPoolAttributes(db, user.id, { name: "Ana" });
    expect((await findPoolUser(db, id))?.attributes).toEqual({ name: "Ana" });
  });
});
