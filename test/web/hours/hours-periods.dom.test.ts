import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { OfferHoursDays, WarehouseHours } from "../../../db/shapes/work/offer-hours.ts";
import type { OfferHoursResponse } from "../../../worker/contract/work/statistics.ts";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { offerHoursQuery } from "../../../web/api/queries/statistics.ts";
import { HoursScreen } from "../../../web/features/hours/hours-screen.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { BETHPAGE, makeWarehouse } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const WEEK = "GET /flex/v1/offer-hours?days=7";
const hour = { hour: 30, offers: 8, startHour: 58, captured: 0, halfGoneMs: null };

/** The hours of a period, with so many offers at Bethpage. */
function hoursOf(days: OfferHoursDays, offers: number): OfferHoursResponse {
  const pay = { medianHourlyCents: 2_700, bestHourlyCents: 3_150 };
  const warehouse: WarehouseHours = {
    warehouseId: BETHPAGE,
    offers,
    unplaced: 0,
    best: null,
    hours: [{ ...hour, ...pay, offers }],
  };
  return { days, knownFrom: Date.now() - 30 * DAY_MS, currency: "USD", warehouses: [warehouse] };
}

it("shows no other period's figures as those of the one that is pressed, where these can't be loaded", async () => {
  const { answer } = scriptNetwork();
  answer({ [WEEK]: ["lost", { body: hoursOf(7, 12) }] });
  const { user } = await renderPart(createElement(HoursScreen), {
    answered: [
      [offerHoursQuery(28).queryKey, hoursOf(28, 40)],
      [warehousesQuery.queryKey, { region: null, warehouses: [makeWarehouse()] }],
    ],
  });
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  await screen.findByText(/^40 offers/u);
  await press("Last 7 days");
  expect((await screen.findByRole("alert")).textContent).toContain("We couldn't load your best hours.");
  expect(screen.queryByText(/^40 offers/u)).toBeNull();
  await press("Try again");
  await screen.findByText(/^12 offers/u);
  await press("Last 28 days");
  await screen.findByText(/^40 offers/u);
  expect(screen.queryByRole("alert")).toBeNull();
});
