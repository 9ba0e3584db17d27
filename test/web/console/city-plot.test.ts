import { expect, it } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { CityHoursResponse } from "../../../worker/contract/console/fleet.ts";
import { cityPlot } from "../../../web/console/fleet/fleet-cities.tsx";
import { NOON } from "../../engine/fixtures.ts";

type Hour = CityHoursResponse["cities"][number]["hours"][number];

const counts = { looking: 1, matches: 0, losses: 0, refused: 0, failed: 0, softBlocks: 0 };
const usually = { looking: 1, offers: 1_040, matches: 0, captures: 520, losses: 0, answered: 2_080 };
const hour = (index: number, fields: Partial<Hour>): Hour => ({
  ...counts,
  at: NOON + index * HOUR_MS,
  offers: 1_000,
  captures: 500,
  answered: 2_000,
  usual: usually,
  ...fields,
});

/** One hour as usual, one in which nothing came, one of a city of which nothing is known yet, and the running one. */
const HOURS = [
  hour(0, {}),
  hour(1, { offers: 0, captures: 0, answered: 0 }),
  hour(2, { usual: null }),
  hour(3, { offers: 0, captures: 0, answered: 0 }),
];

it.each([
  ["offers", "Offers seen", "edge", 1_000, 1_040],
  ["captures", "Captured", "good", 500, 520],
  ["answered", "Answered (2xx, or the offer is gone)", "edge", 2_000, 2_080],
] as const)(
  "draws the %s of a city by the hour beside the usual ones, which stand out where none came",
  (...row) => {
    const [measure, label, color, count, usual] = row;
    const { at, series, wrong } = cityPlot(HOURS, measure);
    expect(at).toEqual(HOURS.map((one) => one.at));
    expect([...wrong]).toEqual([[1, "Far below usual"]]);
    expect(series).toEqual([
      {
        label: "Far below usual",
        color: "bad",
        kind: "bars",
        values: [null, usual, null, null],
        isMark: true,
      },
      { label, color, kind: "bars", values: [count, 0, count, 0] },
      { label: "Usual for this hour", color: "ink", kind: "dashes", values: [usual, usual, null, usual] },
    ]);
  },
);
