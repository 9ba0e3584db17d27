import { describe, expect, it } from "vitest";
import { exportTable } from "../../worker/console/exports.ts";
import { EXPORT_LIMIT, type ExportOrder } from "../../worker/contract/console/operator-exports.ts";
import { DAY_MS, NOW } from "../payments/checkout-harness.ts";
import { ANA, openDesk, outcomeOf, reason } from "./desk.ts";

const days = { from: "2026-11-20", to: "2026-11-21", zone: "UTC" };
const NUMBERED = `WITH RECURSIVE numbered (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbered WHERE n < ?)`;
const PAY = `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
  ${NUMBERED} SELECT 'p' || n, '${ANA}', 'pi' || n, '7days', 'settled', 'USD', 1, 0, 0, 0, 0, 1, 0, ${NOW}, ${NOW}, 1 FROM numbered`;
const DRIVERS = `INSERT INTO users (id, phone_number, name, language, mode, switched_on, waiting_for_spot, referral, human_timezone, proxy_installed, flex_email, revision, created_at)
  ${NUMBERED} SELECT 'd' || n, 'd' || n, 'Ana', 'en', 'lucrative', 0, 0, 'jornada', 'America/New_York', 0, 'd' || n || '@example.com', 1, ${NOW} FROM numbered`;

/** The statements that fill a table, each of so many rows. */
const tables: [ExportOrder, ...statements: string[]][] = [
  [{ table: "payments", ...days, reason }, PAY],
  [
    { table: "refunds", ...days, reason },
    PAY,
    `INSERT INTO payment_refunds (id, payment_id, kind, cents, at, is_effective)
     ${NUMBERED} SELECT 'r' || n, 'p' || n, 'refund', 1, ${NOW}, 1 FROM numbered`,
  ],
  [
    { table: "disputes", ...days, reason },
    PAY,
    `INSERT INTO payment_disputes (id, payment_id, status, reason, cents, fee_cents, at)
     ${NUMBERED} SELECT 'd' || n, 'p' || n, 'lost', 'fraudulent', 1, 1, ${NOW} FROM numbered`,
  ],
  [{ table: "drivers", q: "d@", reason }, DRIVERS.replaceAll(`'d' || n || '@`, `'d@' || n || '@`)],
  [
    { table: "acts", reason },
    `INSERT INTO operator_acts (id, operator, role, act, what, reason, before, after, worth_cents, attempt, at)
     ${NUMBERED} SELECT 'a' || n, 'owner@example.com', 'owner', 'pause', '{}', '', '{}', '{}', 0, 'a' || n, ${NOW} FROM numbered`,
  ],
  [
    { table: "fleet", in: "signedOut", reason },
    DRIVERS,
    `INSERT INTO driver_states (driver_id, state, since, reported_at)
     ${NUMBERED} SELECT 'd' || n, 'signed_out', ${NOW - DAY_MS}, ${NOW} FROM numbered`,
  ],
  [
    { table: "comments", reason },
    `INSERT INTO feedback (id, driver_id, score, comment, at)
     ${NUMBERED} SELECT 'f' || n, '${ANA}', 9, 'good', ${NOW} FROM numbered`,
  ],
];

describe("a file", () => {
  it.each(tables.map(([order, ...statements]) => [order.table, order, statements] as const))(
    "of %s has so many rows at most, and says that it is cut only where there are more",
    async (table, order, statements) => {
      for (const [rows, isCut] of [
        [EXPORT_LIMIT, false],
        [EXPORT_LIMIT + 1, true],
      ] as const) {
        const at = openDesk();
        for (const statement of statements) at.run(statement, rows);
        const file = await exportTable(at.as("owner"), crypto.randomUUID(), order);
        const lists = Object.entries(file).filter(([, list]) => Array.isArray(list) && list.length > 0);
        expect([file.isCut, lists.map(([name]) => name)]).toEqual([isCut, [table]]);
        expect(lists[0]?.[1]).toHaveLength(EXPORT_LIMIT);
      }
    },
  );
});

describe("a key of an export", () => {
  const order = (q: string): ExportOrder => ({ table: "drivers", q, reason });
  const lines = (at: ReturnType<typeof openDesk>) =>
    at.rows(`SELECT id, what FROM operator_acts WHERE act = 'export'`);

  it("gives the same file again with one line in the log, which names neither key nor search", async () => {
    const at = openDesk({ OPS_EXPORTS: "1" });
    const key = crypto.randomUUID();
    const first = await exportTable(at.as("one"), key, order("ana"));
    expect(await exportTable(at.as("one"), key, order("ana"))).toEqual(first);
    const [line, ...others] = lines(at);
    expect([others, line?.["what"]]).toEqual([[], `{"table":"drivers"}`]);
    expect(line?.["id"]).not.toContain(key);
  });

  it("lets nobody have another file past the limit of a day, and none of another day", async () => {
    const at = openDesk({ OPS_EXPORTS: "2" });
    const key = crypto.randomUUID();
    const get = (q: string) => outcomeOf(exportTable(at.as("one"), key, order(q)).then(() => "had"));
    expect([await get("ana"), await get("bia"), await get("carla"), await get("ana")]).toEqual([
      "had",
      "had",
      "forbidden",
      "had",
    ]);
    expect(lines(at)).toHaveLength(2);
    at.clock.now += 2 * DAY_MS;
    expect(await get("ana")).toBe("conflict");
  });
});
