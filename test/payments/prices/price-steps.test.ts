import { expect, it } from "vitest";
import { priceSteps } from "../../../worker/payments/prices/list-prices.ts";

const row = (validFrom: number, priceCents: number) => ({
  id: `p-${validFrom}`,
  plan: "7days" as const,
  priceCents,
  validFrom,
});
const sale = (startsAt: number, endsAt: number, priceCents: number) => ({
  id: `s-${startsAt}`,
  kind: "flash_sale" as const,
  plan: "7days" as const,
  priceCents,
  startsAt,
  endsAt,
});
const steps = (history: ReturnType<typeof row>[], discounts: ReturnType<typeof sale>[]) =>
  priceSteps({ plan: "7days", history, discounts, minChargeCents: 50 }, 100).map(
    ({ at, listCents, payCents }) => [at, listCents, payCents],
  );

it("says what is paid now and from each change on, past ones and those of other plans left out", () => {
  expect(steps([row(0, 4000), row(50, 5000), row(200, 6000)], [])).toEqual([
    [100, 5000, 5000],
    [200, 6000, 6000],
  ]);
  const others = { ...row(150, 1), plan: "3days" as const };
  expect(
    priceSteps({ plan: "7days", history: [row(0, 5000), others], discounts: [], minChargeCents: 50 }, 100),
  ).toEqual([{ at: 100, listCents: 5000, payCents: 5000 }]);
});

it("goes through sales, and ignores one that is no lower than the new price", () => {
  expect(steps([row(0, 5000), row(200, 4000)], [sale(150, 300, 4500), sale(250, 260, 3000)])).toEqual([
    [100, 5000, 5000],
    [150, 5000, 4500],
    [200, 4000, 4000],
    [250, 4000, 3000],
    [260, 4000, 4000],
  ]);
});
