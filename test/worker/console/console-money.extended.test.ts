import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { ExportOrder, ExportResponse } from "../../../worker/contract/console/operator-exports.ts";
import type {
  DisputesInList,
  MoneyResponse,
  PaymentsInList,
  RefundsInList,
} from "../../../worker/contract/console/operator-money.ts";
import type { ActsResponse } from "../../../worker/contract/console/operators.ts";
import { parseResponse } from "../../support/driver-client.ts";
import { SUPPORT, type OperatorClient, owner, support } from "../console-harness.ts";
import { createDriver, resetPlatform } from "../harness.ts";
import { callStripeSandbox, createSettled, deliverAll, rows } from "../payments-harness.ts";

const reason = "a test of the house";
const ZONE = "America/New_York";

beforeAll(() => resetPlatform());
beforeEach(() => resetPlatform());

const dayOf = (at: number) => new Intl.DateTimeFormat("en-CA", { timeZone: ZONE }).format(at);
const today = () => ({ from: dayOf(Date.now()), to: dayOf(Date.now()), zone: ZONE });
const read = async <Body>(path: string, query: Record<string, string> = today()): Promise<Body> =>
  parseResponse<Body>(await support.call("GET", `/money${path}?${new URLSearchParams(query)}`), path);
const take = (client: OperatorClient, order: ExportOrder, key: string = crypto.randomUUID()) =>
  client.call("POST", "/exports", { body: order, key });
const log = async () => (await parseResponse<ActsResponse>(await owner.call("GET", "/acts"), "log")).acts;

describe("money", () => {
  it("has what was paid today by plan, Stripe's fee, what went back, and who paid for the first time", async () => {
    const before = await read<MoneyResponse>("");
    const { driver, paymentId } = await createSettled();
    await owner.do(driver, { act: "refund", paymentId, cents: 1000, keepsDays: true, reason });
    const after = await read<MoneyResponse>("");
    const sums = ({ revenue }: MoneyResponse) => {
      const line = revenue.find(({ plan }) => plan === "7days");
      return [line?.payments ?? 0, line?.grossCents ?? 0, line?.refundedCents ?? 0];
    };
    const added = sums(after).map((sum, at) => sum - (sums(before)[at] ?? 0));
    expect(added).toEqual([1, 5022, 1000]);
    // 2.9 % and 30 cents, as the sandbox books it.
    expect(after.fees.cents - before.fees.cents).toBe(176);
    expect(after.fees.known - before.fees.known).toBe(1);
    expect(after.drivers.first - before.drivers.first).toBe(1);
    expect(after.drivers.returning).toBe(before.drivers.returning);
    const earned = ({ points }: MoneyResponse) => points.find(({ use }) => use === "earned")?.granted ?? 0;
    expect(earned(after) - earned(before)).toBe(70);
    const { rows: paid } = await read<PaymentsInList>("/payments");
    expect(paid[0]).toMatchObject({
      id: paymentId,
      driverId: driver.driverId,
      totalCents: 5022,
      refundedCents: 1000,
      processorFeeCents: 176,
      status: "partly_refunded",
    });
    const { rows: back } = await read<RefundsInList>("/refunds");
    expect(back.filter(({ driverId }) => driverId === driver.driverId)).toMatchObject([
      { kind: "refund", cents: 1000, isEffective: true },
    ]);
  });

  it("has each driver whose service ended and who did not come back", async () => {
    const { driver } = await createSettled();
    const [end] = await rows(`SELECT ends_at FROM service_ends WHERE driver_id = ?`, driver.driverId);
    expect(Number(end?.["ends_at"])).toBeGreaterThan(Date.now() + 6 * DAY_MS);
    await owner.do(driver, { act: "days", days: -6, reason });
    const [less] = await rows(`SELECT ends_at FROM service_ends WHERE driver_id = ?`, driver.driverId);
    expect(Number(less?.["ends_at"])).toBe(Number(end?.["ends_at"]) - 6 * DAY_MS);
    expect((await owner.page(driver)).service.until).toBe(less?.["ends_at"]);
  });

  it("has disputes with their deadline until they are decided", async () => {
    const { driver, intentId } = await createSettled();
    await callStripeSandbox(`intents/${intentId}/dispute`, {});
    await deliverAll(intentId);
    const disputeOf = async () =>
      (await read<DisputesInList>("/disputes")).rows.find(({ driverId }) => driverId === driver.driverId);
    expect(await disputeOf()).toMatchObject({
      status: "needs_response",
      cents: 5022,
      dueAt: expect.any(Number),
    });
    await callStripeSandbox(`intents/${intentId}/dispute`, { outcome: "lost" });
    await deliverAll(intentId);
    expect(await disputeOf()).toMatchObject({ status: "lost", dueAt: null });
    const { rows: back } = await read<RefundsInList>("/refunds");
    expect(back.filter(({ driverId }) => driverId === driver.driverId)).toMatchObject([
      { kind: "dispute", cents: 5022 },
    ]);
  });

  it.each([
    [{ from: "2026-13-01", to: "2026-01-01", zone: ZONE }, "from"],
    [{ from: "2026-01-02", to: "2026-01-01", zone: ZONE }, "to"],
    [{ from: "2020-01-01", to: "2026-01-01", zone: ZONE }, "from"],
    [{ from: "2026-01-01", to: "2026-01-01", zone: "Mars/Olympus" }, "zone"],
    [{ from: "1.1.2026", to: "2026-01-01", zone: ZONE }, "from"],
  ])("is requested for days that exist: %o", async (query, field) => {
    const response = await owner.call("GET", `/money?${new URLSearchParams(query)}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ fields: { [field]: expect.any(String) } });
  });
});

describe("a table for a file", () => {
  it("has the screen's rows, numbers masked as there, and a line in the log, once per key", async () => {
    const driver = await createDriver();
    const { phoneNumber, driverId } = driver;
    const order = { table: "drivers", q: phoneNumber, reason } as const;
    const taken = async (client: OperatorClient, key?: string) =>
      parseResponse<ExportResponse>(await take(client, order, key), "drivers");
    expect((await taken(owner)).drivers).toMatchObject([{ id: driverId, phone: phoneNumber }]);
    const key = crypto.randomUUID();
    expect((await taken(support, key)).drivers).toMatchObject([
      { id: driverId, phone: `••• ${phoneNumber.slice(-4)}` },
    ]);
    const before = (await log()).length;
    await taken(support, key);
    const acts = await log();
    expect(acts).toHaveLength(before);
    expect(acts[0]).toMatchObject({ act: "export", operator: SUPPORT, what: { table: "drivers" }, reason });
    expect(JSON.stringify(acts.slice(0, 2))).not.toContain(phoneNumber);
  });

  it("is each of the lists of money, the log and the cities; a driver's page stands in their own log", async () => {
    const { driver, paymentId } = await createSettled();
    const taken = async (order: ExportOrder) =>
      parseResponse<ExportResponse>(await take(owner, order), order.table);
    expect((await taken({ table: "payments", ...today(), reason })).payments[0]?.id).toBe(paymentId);
    expect((await taken({ table: "refunds", ...today(), reason })).isCut).toBe(false);
    expect((await taken({ table: "disputes", ...today(), reason })).isCut).toBe(false);
    expect((await taken({ table: "acts", reason })).acts[0]).toMatchObject({ what: { table: "disputes" } });
    expect(Array.isArray((await taken({ table: "cities", reason })).cities)).toBe(true);
    for (const part of ["filters", "sessions", "live"] as const)
      await taken({ table: "driver", driver: driver.driverId, part, reason });
    expect((await owner.log(driver)).map(({ act, what }) => [act, what])).toEqual(
      ["live", "sessions", "filters"].map((part) => ["export", { table: "driver", part }]),
    );
  });

  it("is the drivers in one of the fleet's states, and what drivers wrote, with numbers as on the screen", async () => {
    const driver = await createDriver();
    const { driverId, phoneNumber } = driver;
    await rows(
      `INSERT INTO driver_states (driver_id, state, since, reported_at) VALUES (?, 'signed_out', ?, ?)
       ON CONFLICT DO UPDATE SET state = excluded.state, since = excluded.since RETURNING driver_id`,
      driverId,
      Date.now() + DAY_MS,
      Date.now(),
    );
    await rows(
      `INSERT INTO feedback (id, driver_id, score, comment, at) VALUES (?, ?, 9, '=1+1', ?) RETURNING id`,
      crypto.randomUUID(),
      driverId,
      Date.now() + DAY_MS,
    );
    const taken = async (client: OperatorClient, order: ExportOrder) =>
      parseResponse<ExportResponse>(await take(client, order), order.table);
    const masked = `••• ${phoneNumber.slice(-4)}`;
    const fleet = { table: "fleet", in: "signedOut", reason } as const;
    expect((await taken(owner, fleet)).fleet[0]).toMatchObject({ id: driverId, phone: phoneNumber });
    expect((await taken(support, fleet)).fleet[0]).toMatchObject({ id: driverId, phone: masked });
    const comments = { table: "comments", reason } as const;
    for (const client of [owner, support])
      expect((await taken(client, comments)).comments[0]).toMatchObject({ driverId, phone: masked });
    expect((await log()).slice(0, 2).map(({ what }) => what)).toEqual([
      { table: "comments" },
      { table: "comments" },
    ]);
  });

  it("is not handed out without a reason", async () => {
    expect((await take(owner, { table: "acts", reason: " " })).status).toBe(400);
  });
});
