import { expect, it } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { loadJournal } from "../../../worker/console/books.ts";
import { loadMoneyReport } from "../../../worker/console/money.ts";
import { DRIVER, NOW, openCheckout } from "../checkout-harness.ts";

const TODAY = Math.floor(NOW / DAY_MS);
const dayOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

it("has the revenue of each day, less what was given back, and never adds two currencies", async () => {
  const at = openCheckout();
  const earn = (entry: string, { day, unit, cents }: { day: number; unit: string; cents: number }) => {
    for (const [account, amount] of [
      ["service_owed", cents],
      ["revenue", -cents],
    ] as const)
      at.run(
        `INSERT INTO journal (entry, account, unit, amount, day, at) VALUES (?, ?, ?, ?, ?, ?)`,
        entry,
        account,
        unit,
        amount,
        day,
        NOW,
      );
  };
  earn("before", { day: TODAY - 3, unit: "USD", cents: 1 });
  earn("first", { day: TODAY - 2, unit: "USD", cents: 717 });
  earn("second", { day: TODAY - 1, unit: "USD", cents: 717 });
  earn("returned", { day: TODAY - 1, unit: "USD", cents: -900 });
  earn("pesos", { day: TODAY - 1, unit: "MXN", cents: 9062 });
  earn("after", { day: TODAY, unit: "USD", cents: 1 });
  const span = { from: dayOf(TODAY - 2), to: dayOf(TODAY - 1) };
  const { revenue } = await loadJournal({ ...at.checkout } as never, span);
  expect(revenue).toEqual([
    { day: dayOf(TODAY - 1), currency: "MXN", cents: 9062 },
    { day: dayOf(TODAY - 2), currency: "USD", cents: 717 },
    { day: dayOf(TODAY - 1), currency: "USD", cents: -183 },
  ]);
});

it("has what was paid and given back in currencies of before apart, with their fees", async () => {
  const at = openCheckout();
  at.addDriver(DRIVER);
  for (const [id, currency, cents, fee] of [
    ["dollars", "USD", 5022, 176],
    ["pesos", "MXN", 99_900, 3300],
    ["older pesos", "MXN", 50_000, null],
  ] as const)
    at.run(
      `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, processor_fee_cents, created_at, settled_at, revision)
        VALUES (?, ?, '7days', 'paid', ?, ?, 0, 0, 0, 0, ?, 0, ?, ?, ?, 1)`,
      id,
      DRIVER,
      currency,
      cents,
      cents,
      fee,
      NOW,
      NOW - (id === "older pesos" ? 40 * DAY_MS : 0),
    );
  at.run(
    `INSERT INTO payment_refunds (id, payment_id, kind, cents, at, took_at, is_effective, is_goodwill)
      VALUES ('re_1', 'older pesos', 'refund', 10000, ?, ?, 1, 0)`,
    NOW,
    NOW,
  );
  at.run(
    `INSERT INTO payment_disputes (id, payment_id, status, reason, cents, fee_cents, due_at, at)
      VALUES ('du_1', 'pesos', 'needs_response', 'fraudulent', 99900, 30000, NULL, ?)`,
    NOW,
  );
  const day = dayOf(TODAY);
  const found = await loadMoneyReport({ ...at.checkout } as never, { from: day, to: day, zone: "UTC" });
  const line = { day, plan: "7days", payments: 1, refundedCents: 0, disputedCents: 0 };
  expect(found).toMatchObject({
    currency: "USD",
    revenue: [{ ...line, grossCents: 5022 }],
    fees: { cents: 176, known: 1, payments: 1, disputeCents: 0 },
    drivers: { paying: 1, returning: 1 },
  });
  expect(found.others).toEqual([
    {
      currency: "MXN",
      revenue: [{ ...line, grossCents: 99_900, refundedCents: 10_000 }],
      fees: { cents: 3300, known: 1, payments: 1, disputeCents: 30_000 },
    },
  ]);
});
