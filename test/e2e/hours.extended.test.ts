import { expect, it } from "vitest";
import type { CityOfferHoursResponse, OfferHoursResponse } from "../../worker/contract/work/statistics.ts";
import { DAY_MS, type WarehouseId } from "../../db/shapes/units.ts";
import { INITIAL_RULE } from "../../db/shapes/work/filters.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";
import { card } from "./day/day-harness.ts";
import { week } from "../engine/fixtures.ts";
import { findViolations } from "../support/accessibility.ts";
import { DESK, publishOffer } from "./harness.ts";
import { looksOfRun } from "./looks.ts";
import { openStories, type ActiveDriver } from "./story.ts";

const tell = openStories();

/** Sunday at 8 PM, and Monday at 6 AM. */
const SUNDAY_EVENING = 6 * 24 + 20;
const MONDAY_MORNING = 6;

/** Four weeks at a warehouse, of which only the API's answer is made up. */
const weeksAt = (warehouseId: WarehouseId): OfferHoursResponse => {
  const figures = { medianHourlyCents: 2_700, bestHourlyCents: 3_400, halfGoneMs: 40_000, captured: 0 };
  const evening = { ...figures, hour: SUNDAY_EVENING, offers: 12, startHour: MONDAY_MORNING };
  return {
    days: 28,
    currency: "USD",
    knownFrom: Date.now() - 20 * DAY_MS,
    warehouses: [
      {
        warehouseId,
        offers: 22,
        unplaced: 1,
        best: { ...figures, from: SUNDAY_EVENING, hours: 2, offers: 20, captured: 3 },
        // Nobody watched on Tuesday.
        watchedMinutes: Array.from({ length: 168 }, (_, hour) => (Math.floor(hour / 24) === 1 ? 0 : 90)),
        hours: [
          { ...figures, hour: 12, offers: 1, halfGoneMs: null, startHour: 12 },
          { ...evening, captured: 3 },
          { ...evening, hour: SUNDAY_EVENING + 1, offers: 8 },
        ],
      },
    ],
  };
};

async function workByDay({ client }: ActiveDriver): Promise<void> {
  const { filters } = await client.filters();
  await client.saveFilters({ ...filters, schedule: week(9 * 60, 18 * 60) });
}

it.each(
  looksOfRun([
    {
      locale: "en-US",
      viewport: { width: 390, height: 844 },
      scheme: "light",
      best: /Most at Bethpage \(DNY4\): Sunday, 8:00\sPM to 10:00\sPM, around \$27\/hr, half gone within 40\ssec/,
      look: "Add that to my schedule",
      unwatched: "You were off then",
      before: "The hour before",
    },
    {
      locale: "es-US",
      viewport: { width: 320, height: 640 },
      scheme: "dark",
      best: /Donde más hay es en Bethpage \(DNY4\): domingo, .*\$27/,
      look: "Agregar a mi horario",
      unwatched: "A esa hora estaba desactivado",
      before: "Una hora antes",
    },
    {
      locale: "pt-BR",
      ...DESK,
      scheme: "dark",
      best: /O melhor em Bethpage \(DNY4\): domingo, .*US\$\s27/,
      look: "Incluir na minha agenda",
      unwatched: "Nesse horário estava desligado",
      before: "Uma hora antes",
    },
  ] as const),
)(
  "says when and where offers show up, and takes an hour into the unsaved schedule: $locale",
  ({ locale, viewport, scheme, best, look, unwatched, before }) =>
    tell(
      { path: "/flex/filters", before: workByDay, locale, viewport, colorScheme: scheme },
      async ({ actor, page }) => {
        await page.route(/\/flex\/v1\/offer-hours\?/, (route) =>
          route.fulfill({ json: weeksAt(actor.warehouseIds[0]!) }),
        );
        const { filters } = await actor.client.filters();
        await page.locator('a[href="/flex/hours"]').first().click();
        await page.getByTestId("best-hours").getByText(best).waitFor();
        // A header of days and hours for each figure.
        const table = page.getByRole("table");
        const cells = table.getByRole("cell");
        expect(await cells.count()).toBe(7 * 24);
        expect(await cells.nth(SUNDAY_EVENING).innerText()).toMatch(/^12\b/);
        expect(await findViolations(page)).toEqual([]);
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("button", { name: /CSV/ }).click(),
        ]);
        expect(download.suggestedFilename()).toMatch(/^offer-hours-\d{4}-\d\d-\d\d\.csv$/);
        const details = page.getByTestId("hour-details");
        // A key opens a day's fullest hour, or noon: nobody watched on Tuesday.
        await table.getByRole("button").nth(1).press("Enter");
        await details.getByText(unwatched).waitFor();
        expect(await findViolations(page)).toEqual([]);
        await page.keyboard.press("Escape");
        // On Wednesday somebody did, and there was none.
        await table.getByRole("button").nth(2).press("Enter");
        await details.getByText(/^0 /).waitFor();
        await page.reload();
        // A pointer opens the hour under it.
        await cells.nth(SUNDAY_EVENING + 1).click({ position: { x: 4, y: 20 }, force: true });
        await details.getByText(/^8 /).waitFor();
        const day = page.getByTestId("day-hours");
        expect(await day.getByRole("listitem").count()).toBe(2);
        await page.getByRole("dialog").getByRole("button", { name: before }).click();
        await details.getByText(/^12 /).waitFor();
        await day.getByRole("button").last().click();
        await details.getByText(/^8 /).waitFor();
        await day.getByRole("button").first().click();
        await details.getByText(/^12 /).waitFor();
        expect(await findViolations(page)).toEqual([]);
        await details.getByRole("button", { name: look }).click();
        await page.getByTestId("open-replay").waitFor();
        // Below the warehouses, the schedule is where the driver looks now.
        const top = async () => (await page.locator("#week").boundingBox())?.y;
        await expect.poll(top).toBeLessThan(viewport.height);
        const draft = await page.evaluate(() => sessionStorage.getItem("filters-draft"));
        expect(draft).toContain(
          `"schedule":[{"active":true,"start":${MONDAY_MORNING * 60},"end":${18 * 60}}`,
        );
        expect((await actor.client.filters()).filters).toEqual(filters);
      },
    ),
);

it("says what will be there to a driver of no day, and to one of the first day", () =>
  tell({ path: "/flex/hours" }, async ({ harness, actor, page }) => {
    await page.getByTestId("empty-list").getByText("No offers yet").waitFor();
    await publishOffer(harness, actor.warehouseIds[0]!, { payCents: 50 });
    const known = () => actor.client.fetchJson<OfferHoursResponse>("GET", "/flex/v1/offer-hours");
    await expect.poll(async () => (await known()).warehouses.length, { timeout: 20_000 }).toBe(1);
    await page.reload();
    await page.getByTestId("empty-list").getByText("1 offer so far").waitFor();
    expect(await findViolations(page)).toEqual([]);
  }));

it("says that the hours could not be loaded, and loads them at a tap", () =>
  tell({ path: "/flex/filters", logsFailure: true }, async ({ page }) => {
    await page.route(/\/flex\/v1\/offer-hours\?/, (route) => route.abort());
    await page.locator('a[href="/flex/hours"]').first().click();
    await page.getByText("We couldn't load your best hours.").waitFor({ timeout: 60_000 });
    await page.unroute(/\/flex\/v1\/offer-hours\?/);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No offers yet").waitFor();
  }));

it("has the figures of all drivers for one without a log, and an hourly minimum to begin with", () =>
  tell({ path: "/flex/blocks?type=disliked" }, async ({ actor, page }) => {
    const [warehouseId] = actor.warehouseIds;
    const city: CityOfferHoursResponse = {
      currency: "USD",
      warehouses: [
        {
          warehouseId: warehouseId!,
          hours: [
            { hour: SUNDAY_EVENING - 1, offers: 12 },
            { hour: SUNDAY_EVENING, offers: 40, medianHourlyCents: 2_700 },
          ],
          medianHourlyCents: 2_400,
        },
      ],
    };
    await page.route("**/flex/v1/offer-hours/city", (route) => route.fulfill({ json: city }));
    await actor.client.saveFilters(
      permissiveFilters([
        permissiveWarehouseFilter(warehouseId!, { minHourlyCents: INITIAL_RULE.minHourlyCents }),
      ]),
    );
    await page.locator('a[href="/flex/hours"]').first().click();
    await page
      .getByTestId("city-hours")
      .getByText("Half of the offers at Bethpage (DNY4) pay $24/hr or more.")
      .waitFor();
    await page
      .getByTestId("city-hours")
      .getByText(/^Most at Bethpage \(DNY4\): Sunday, 8:00\sPM to 9:00\sPM, around \$27\/hr$/)
      .waitFor();
    // A key opens the fullest hour of a day, a pointer the hour under it.
    const details = page.getByTestId("hour-details");
    await page.getByTestId("city-hours").getByRole("button").last().press("Enter");
    await details.getByText("Half of them pay $27/hr or more.").waitFor();
    await details.getByText(/^40 /).waitFor();
    await page.getByTestId("day-hours").getByRole("button").first().click();
    await details.getByText(/^12 /).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });
    await page
      .getByRole("table")
      .getByRole("cell")
      .nth(SUNDAY_EVENING)
      .click({ position: { x: 4, y: 20 }, force: true });
    await details.getByText(/^40 /).waitFor();
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });
    expect(await findViolations(page)).toEqual([]);
    await page.locator('a[href="/flex/filters"]:visible').first().click();
    await card(page, "Bethpage (DNY4)")
      .getByRole("button", { name: /^Edit filters/ })
      .click();
    const proposal = page.getByTestId("starting-minimum");
    await proposal.getByText("pay $24/hr or more").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await proposal.getByRole("button").click();
    await proposal.waitFor({ state: "detached" });
    expect(await card(page, "Bethpage (DNY4)").getByLabel("Minimum hourly pay").inputValue()).toBe("24");
  }));
