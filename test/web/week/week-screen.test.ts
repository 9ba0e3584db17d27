import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import type { WeekResponse } from "../../../worker/contract/work/statistics.ts";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { weekQuery } from "../../../web/api/queries/statistics.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { WeekScreen } from "../../../web/features/week/week-screen.tsx";
import { BETHPAGE, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const NOTHING = { captured: { blocks: 0, payCents: 0 }, worked: { blocks: 0, minutes: 0, payCents: 0 } };
const WEEK: WeekResponse = {
  monday: "2026-06-01",
  currency: "USD",
  figures: {
    captured: { blocks: 3, payCents: 27_000 },
    worked: { blocks: 2, minutes: 390, payCents: 18_050 },
  },
  before: null,
  knownFrom: null,
  best: null,
  mondays: ["2026-06-01"],
};

/** The texts below the title, and the weeks that the screen leads to. */
async function read(fields: Partial<WeekResponse>) {
  const html = await htmlOfPart(createElement(WeekScreen, { date: undefined }), {
    answered: [
      [weekQuery().queryKey, { ...WEEK, ...fields }],
      [userQuery.queryKey, RECORD],
      [warehousesQuery.queryKey, { warehouses: [makeWarehouse()] }],
    ],
  });
  return {
    texts: textsIn(html).slice(2),
    weeks: [...html.matchAll(/href="\/flex\/week\?date=([^"]*)"/gu)].map(([, date]) => date),
  };
}

const DATES = "Mon, Jun 1 to Sun, Jun 7";

it("has a week in figures, each beside that of the week before", async () => {
  const before = { ...NOTHING, captured: { blocks: 1, payCents: 9_000 } };
  expect((await read({ before })).texts).toEqual([
    DATES,
    "Captured",
    "3 blocks",
    "$270.00",
    "Week before: 1 block",
    "Worked",
    "2 blocks",
    "6.5 hr",
    "Week before: 0 blocks",
    "Pay of worked blocks, without tips",
    "$180.50",
    "Week before: $0.00",
    "Hourly pay",
    "$27.77/hr",
    "Week before: –",
  ]);
  const { texts } = await read({});
  expect(texts.filter((text) => text.startsWith("Week before"))).toEqual([]);
});

it("says from when on blocks are known, and which one change would have brought the most", async () => {
  const change = { kind: "min_price", warehouseId: BETHPAGE, cents: 8_000 } as const;
  const { texts } = await read({ knownFrom: NOON, best: { change, offers: 2, payCents: 16_000 } });
  expect(texts[1]).toBe("We have your blocks from Wed, Jun 10 on. Earlier ones aren't in these numbers.");
  expect(texts.slice(-4)).toEqual([
    "The one change that would have brought the most",
    "Lower Bethpage (DNY4) to $80",
    "With it, 2 more offers would have matched, for $160. Somebody else may have been faster.",
    "Look at it in your filters",
  ]);
});

it("says that a week was empty where nothing was captured or worked", async () => {
  const EMPTY = "Nothing captured or worked";
  const isEmpty = async (figures: Partial<typeof NOTHING>) =>
    (await read({ figures: { ...NOTHING, ...figures } })).texts[1] === EMPTY;
  expect([
    await isEmpty({}),
    await isEmpty({ captured: { blocks: 1, payCents: 9_000 } }),
    await isEmpty({ worked: { blocks: 1, minutes: 60, payCents: 2_000 } }),
  ]).toEqual([true, false, false]);
});

it("leads to the weeks around it of which anything is known", async () => {
  const mondays = ["2026-06-08", "2026-06-01", "2026-05-25"] as const;
  const around = async (monday: string) => {
    const { texts, weeks } = await read({ monday, mondays: [...mondays] });
    return [texts.filter((text) => /^Week (?:before|after)$/u.test(text)), weeks];
  };
  expect([await around(mondays[0]), await around(mondays[1]), await around(mondays[2])]).toEqual([
    [["Week before"], [mondays[1]]],
    [
      ["Week before", "Week after"],
      [mondays[2], mondays[0]],
    ],
    [["Week after"], [mondays[1]]],
  ]);
});
