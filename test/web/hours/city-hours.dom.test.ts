import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { cityHoursQuery } from "../../../web/api/queries/statistics.ts";
import { CityHours } from "../../../web/features/hours/city-hours.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { BETHPAGE, makeWarehouse } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const HOURS = [
  { hour: 24, offers: 3 },
  { hour: 30, offers: 12, medianHourlyCents: 2_700 },
];

it("shows of a city's hour its own figures, and of one without offers that it has none", async () => {
  scriptNetwork();
  const { user } = await renderPart(createElement(CityHours), {
    answered: [
      [
        cityHoursQuery.queryKey,
        { currency: "USD", warehouses: [{ warehouseId: BETHPAGE, hours: HOURS, medianHourlyCents: 2_500 }] },
      ],
      [warehousesQuery.queryKey, { region: null, warehouses: [makeWarehouse()] }],
    ],
  });
  await user.click(screen.getByRole("button", { name: "Tue" }));
  const sheet = within(screen.getByRole("dialog"));
  const shown = () => [
    ...[...sheet.getByRole("heading", { level: 3 }).children].map(({ textContent }) =>
      textContent?.replaceAll(/\s/gu, " "),
    ),
    sheet.queryByText(/^Half of them pay/u)?.textContent?.includes("$27"),
  ];
  expect(shown()).toEqual(["6:00 AM to 7:00 AM", "12 offers", true]);
  await user.click(sheet.getByRole("button", { name: /^The hour before/u }));
  expect(shown()).toEqual(["5:00 AM to 6:00 AM", "0 offers", undefined]);
});
