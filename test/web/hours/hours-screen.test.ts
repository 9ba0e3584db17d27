import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { INITIAL_RULE } from "../../../db/shapes/work/filters.ts";
import { WEEK_HOURS, type OfferHour, type WarehouseHours } from "../../../db/shapes/work/offer-hours.ts";
import type { CityOfferHoursResponse, OfferHoursResponse } from "../../../worker/contract/work/statistics.ts";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { cityHoursQuery, offerHoursQuery } from "../../../web/api/queries/statistics.ts";
import { hoursCsv } from "../../../web/features/hours/hours-csv.ts";
import { HoursScreen } from "../../../web/features/hours/hours-screen.tsx";
import { StartingMinimum } from "../../../web/features/hours/starting-minimum.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { BETHPAGE, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const figures = { medianHourlyCents: 2_700, bestHourlyCents: 3_150, halfGoneMs: 40_500, captured: 2 };
const HOUR: OfferHour = { ...figures, hour: 30, offers: 8, startHour: 58 };
const WEEK: WarehouseHours = {
  warehouseId: BETHPAGE,
  offers: 13,
  unplaced: 1,
  best: { ...figures, from: 30, hours: 2, offers: 12 },
  hours: [HOUR, { ...HOUR, hour: 31, offers: 4, captured: 1, halfGoneMs: null }],
};
const RESPONSE = {
  knownFrom: NOON - 2 * DAY_MS,
  currency: "USD",
  warehouses: [WEEK],
} as OfferHoursResponse;
const CITY = { currency: "USD", warehouses: [] } as unknown as CityOfferHoursResponse;
const cityOf = (hours: object[]) =>
  ({
    currency: "USD",
    warehouses: [{ warehouseId: BETHPAGE, medianHourlyCents: 2_600, hours }],
  }) as unknown as CityOfferHoursResponse;

/** The texts of the screen, without the cells of its tables. */
async function read(response: Partial<OfferHoursResponse>, city = CITY): Promise<string[]> {
  const html = await htmlOfPart(createElement(HoursScreen), {
    answered: [
      [offerHoursQuery(28).queryKey, { ...RESPONSE, ...response }],
      [warehousesQuery.queryKey, { warehouses: [makeWarehouse()] }],
      [cityHoursQuery.queryKey, city],
    ],
  });
  return textsIn(html.replaceAll(/<table.*?<\/table>/gsu, "")).slice(5);
}

const PLACE = "Bethpage (DNY4)";
const SOON = "Your best hours show up here after 10 offers and 2 days of watching, from";

it("has the best hours in words, and each warehouse's week with its sums", async () => {
  expect(await read({})).toEqual([
    `Most at ${PLACE}: Tuesday, 6:00 AM to 8:00 AM, around $27/hr, half gone within 41 sec`,
    PLACE,
    "12 offers · 3 captured",
    "Fewer",
    "More",
    expect.stringMatching(/^1 /u),
    "Download as CSV",
  ]);
  const placed = await read({ warehouses: [{ ...WEEK, offers: 12, unplaced: 0, best: null }] });
  expect(placed).toEqual([PLACE, "12 offers · 3 captured", "Fewer", "More", "Download as CSV"]);
});

it("says what is missing until there is enough to say something about the next week", async () => {
  const [empty] = await read({ knownFrom: null });
  expect(empty).toBe("No offers yet");
  expect((await read({ warehouses: [] }))[0]).toBe("No offers yet");
  const day = (date: string) => `${SOON} ${date} at the earliest.`;
  const soon = async (response: Partial<OfferHoursResponse>) => (await read(response))[1];
  expect([
    await soon({ knownFrom: NOON - 2 * DAY_MS + 1 }),
    await soon({ knownFrom: NOON - DAY_MS }),
    await soon({ warehouses: [{ ...WEEK, offers: 9 }] }),
    await soon({ warehouses: [{ ...WEEK, hours: [] }] }),
  ]).toEqual([day("Wed, Jun 10"), day("Thu, Jun 11"), day("Wed, Jun 10"), day("Wed, Jun 10")]);
  expect((await read({ warehouses: [{ ...WEEK, offers: 10 }] })).at(-1)).toBe("Download as CSV");
});

it("shows those of all drivers until then, with the fullest hour whose pay is known", async () => {
  const hours = [
    { hour: 3, offers: 9 },
    { hour: 8, offers: 5, medianHourlyCents: 2_500 },
    { hour: 9, offers: 5, medianHourlyCents: 2_900 },
    { hour: 10, offers: 4, medianHourlyCents: 3_500 },
  ];
  const half = `Half of the offers at ${PLACE} pay $26/hr or more.`;
  const best = `Most at ${PLACE}: Monday, 9:00 AM to 10:00 AM, around $29/hr`;
  const shown = async (city: CityOfferHoursResponse) => (await read({ knownFrom: null }, city)).slice(2);
  expect((await shown(cityOf(hours))).slice(2)).toEqual([PLACE, half, best, "Fewer", "More"]);
  expect((await shown(cityOf(hours.slice(0, 1)))).slice(2)).toEqual([PLACE, half, "Fewer", "More"]);
  expect(await shown(CITY)).toEqual([]);
});

it("has a line of the file for each hour with offers, and for each that was watched without any", () => {
  const file = (warehouse: WarehouseHours) =>
    hoursCsv({ ...RESPONSE, warehouses: [warehouse] }, () => "Maspeth")
      .split("\r\n")
      .slice(1, -1);
  const lines = [
    'Maspeth,Tuesday,6:00 AM,8,27,31.5,41,2,"Wednesday, 10:00 AM to 11:00 AM"',
    'Maspeth,Tuesday,7:00 AM,4,27,31.5,,1,"Wednesday, 10:00 AM to 11:00 AM"',
  ];
  expect(file(WEEK)).toEqual(lines.map((line) => `${line},`));
  const watchedMinutes = Array.from({ length: WEEK_HOURS }, () => 0)
    .with(0, 25)
    .with(30, 60);
  expect(file({ ...WEEK, watchedMinutes })).toEqual([
    "Maspeth,Monday,12:00 AM,0,,,,0,,25",
    `${lines[0]},60`,
    `${lines[1]},0`,
  ]);
});

it("proposes what half of the offers pay as a minimum until the driver has chosen one", async () => {
  const propose = async (minHourlyCents: number | null, city = cityOf([])) => {
    const part = createElement(StartingMinimum, {
      warehouseId: BETHPAGE,
      minHourlyCents,
      currency: "USD",
      onChoose: () => undefined,
    });
    const answered = [
      [warehousesQuery.queryKey, { warehouses: [makeWarehouse()] }],
      [cityHoursQuery.queryKey, city],
    ] as const;
    return textsIn(await htmlOfPart(part, { answered: answered.map(([key, data]) => [key, data]) }));
  };
  const { minHourlyCents: unchosen } = INITIAL_RULE;
  expect(await propose(unchosen)).toEqual([
    `Half of the offers at ${PLACE} pay $26/hr or more.`,
    "Set $26/hr as my hourly minimum",
  ]);
  expect([await propose(unchosen + 1), await propose(null), await propose(unchosen, CITY)]).toEqual([
    [],
    [],
    [],
  ]);
});
