import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, expect, it, vi } from "vitest";
import { INITIAL_RULE } from "../../../db/shapes/work/filters.ts";
import { cityHoursQuery } from "../../../web/api/queries/statistics.ts";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { StartingMinimum } from "../../../web/features/hours/starting-minimum.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { BETHPAGE, makeWarehouse } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";

beforeAll(() => changeLocale("en"));

const { minHourlyCents: UNCHOSEN } = INITIAL_RULE;

async function openProposal(medianHourlyCents: number) {
  const onChoose = vi.fn();
  const minimum = { warehouseId: BETHPAGE, minHourlyCents: UNCHOSEN, currency: "USD", onChoose };
  const city = { warehouseId: BETHPAGE, medianHourlyCents };
  const { user } = await renderPart(createElement(StartingMinimum, minimum), {
    answered: [
      [warehousesQuery.queryKey, { warehouses: [makeWarehouse()] }],
      [cityHoursQuery.queryKey, { currency: "USD", warehouses: [city] }],
    ],
  });
  return { user, onChoose };
}

it("sets at a press what half of the offers pay", async () => {
  const { user, onChoose } = await openProposal(2_450);
  await user.click(screen.getByRole("button", { name: "Set $24.50/hr as my hourly minimum" }));
  expect(onChoose.mock.calls).toEqual([[2_450]]);
});

it.each([UNCHOSEN ?? 0, 1_200])(
  "proposes no minimum of %i cents, which keeps out nothing more",
  async (cents) => {
    await openProposal(cents);
    expect(screen.queryByRole("button")).toBeNull();
  },
);
