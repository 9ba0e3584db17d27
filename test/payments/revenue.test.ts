import { expect, it } from "vitest";
import { DAY_MS } from "../../db/shapes/units.ts";
import { loadJournal } from "../../worker/console/books.ts";
import { NOW, openCheckout } from "./checkout-harness.ts";

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
