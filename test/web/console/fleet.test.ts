import { QueryClient } from "@tanstack/react-query";
import { createElement } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { fleetState } from "../../../db/shapes/fleet.ts";
import { driverId, HOUR_MS } from "../../../db/shapes/units.ts";
import type { CityHoursResponse, FleetListName } from "../../../worker/contract/console/fleet.ts";
import { cityHoursQuery, fleetDriversQuery, fleetQuery } from "../../../web/console/calls/fleet.ts";
import { FleetAnswers } from "../../../web/console/fleet/fleet-calls.tsx";
import { FleetCities } from "../../../web/console/fleet/fleet-cities.tsx";
import { answersOf, capturesOf, failuresOf } from "../../../web/console/fleet/fleet-hours.tsx";
import { FleetList } from "../../../web/console/fleet/fleet-list.tsx";
import { layersOf } from "../../../web/console/fleet/fleet-screen.tsx";
import { FigureTable, type FigureSeries } from "../../../web/console/plots/plot-figure.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { clockAt, htmlOf, readPart } from "../../support/console-part.ts";
import { rowsOf } from "../../support/html-text.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const usual = { captures: 40, losses: 4, errors: 5 };
const usualHour = { captures: 38, losses: 3, answers: 9_000, refusals: 12, errors: 6, usual };
const HOURS = [
  { ...usualHour, at: 0 },
  { ...usualHour, at: HOUR_MS, captures: 2, errors: 90 },
  // The running hour.
  { ...usualHour, at: 2 * HOUR_MS, captures: 1 },
];
const AT = [0, HOUR_MS, 2 * HOUR_MS];

/** The values of a part's series, by their names. */
const valuesOf = ({ series }: ReturnType<typeof capturesOf>) =>
  Object.fromEntries(series.map(({ label, values }) => [label, values]));

it("marks an hour with far fewer captures than usual, but not the one that runs", () => {
  const part = capturesOf(HOURS);
  expect([part.at, [...part.wrong]]).toEqual([AT, [[1, "Far below usual"]]]);
  expect(valuesOf(part)).toEqual({
    "Far below usual": [null, 40, null],
    Captured: [38, 2, 1],
    "Tried, not won": [3, 3, 3],
    "Usual for this hour": [40, 40, 40],
  });
});

it("marks an hour with far more failures than usual, beside the refusals", () => {
  const part = failuresOf(HOURS);
  expect([part.at, [...part.wrong]]).toEqual([AT, [[1, "Far above usual"]]]);
  expect(valuesOf(part)).toEqual({
    "Failed calls": [6, 90, 6],
    "Far above usual": [null, 90, null],
    "Refused or slowed (401, 403, 429)": [12, 12, 12],
    "Usual for this hour": [5, 5, 5],
  });
});

it("shows every hour's answers, and marks none", () => {
  const part = answersOf(HOURS);
  expect([part.at, [...part.wrong], Object.values(valuesOf(part))]).toEqual([
    AT,
    [],
    [[9_000, 9_000, 9_000]],
  ]);
});

it("counts every state of a driver's system in one layer of the picture", () => {
  const states = fleetState.options;
  const { at, series } = layersOf(states.map((state, index) => ({ at: index, drivers: { [state]: 1 } })));
  expect(at).toEqual(states.map((_, index) => index));
  expect(
    series.map(({ label, shown }) => [label, states.filter((_, index) => shown?.[index] === 1)]),
  ).toEqual([
    ["Stopped until somebody acts", ["verification_required", "signed_out", "not_linked", "no_service"]],
    [
      "Waiting for the platform",
      ["throttled", "quota_used_up", "weekly_limit", "unreachable", "unreadable", "blocks_unreadable"],
    ],
    ["Asleep until the schedule opens", ["asleep"]],
    ["Looking for blocks", ["polling"]],
  ]);
});

it("gives each kind of answer its share of all calls", () => {
  const cells = readPart(createElement(FleetAnswers, { answers: { answered: 75, limited: 25 } }));
  expect(cells.filter((text) => text.endsWith("%") && text !== "0%")).toEqual(["75%", "25%"]);
});

it("draws what was counted in bars, what is usual in dashes, and marks what stands out", () => {
  const drawn = [capturesOf(HOURS), answersOf(HOURS), failuresOf(HOURS)].map(({ series }) =>
    series.map(({ color, kind, isMark = false }) => [color, kind, isMark]),
  );
  const [counted, usually] = [
    ["edge", "bars", false],
    ["ink", "dashes", false],
  ];
  expect(drawn).toEqual([
    [["bad", "bars", true], ["good", "bars", false], ["ink-soft", "line", false], usually],
    [counted],
    [counted, ["bad", "bars", true], ["warn", "line", false], usually],
  ]);
});

it("has the figures of a picture as a table, the latest first, by hours or by days", () => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  const series: FigureSeries[] = [
    { label: "Sums", color: "good", kind: "bars", values: [1_000, null] },
    { label: "Tops", color: "bad", kind: "area", values: [9, 9], shown: [-1, 0] },
  ];
  const table = (span: number) =>
    rowsOf(
      htmlOf(
        createElement(FigureTable, {
          label: "Figures",
          at: [NOON - span, NOON],
          span,
          series,
          formatValue: String,
          toCell: (value) => value,
          wrong: new Map([[0, "Far below usual"]]),
        }),
      ),
      "Figures",
    );
  expect(table(HOUR_MS)).toEqual([
    ["Hour", "Sums", "Tops"],
    [clockAt(NOON), "–", "0"],
    [`${clockAt(NOON - HOUR_MS)}Far below usual`, "1000", "-1"],
  ]);
  expect(table(24 * HOUR_MS)).toEqual([
    ["Day", "Sums", "Tops"],
    ["Wed, Jun 10", "–", "0"],
    ["Tue, Jun 9Far below usual", "1000", "-1"],
  ]);
});

it("says of each city why nothing is captured, or how many of its hours stand out", () => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  vi.stubGlobal("location", new URL("https://jornada.test/ops/fleet"));
  vi.stubGlobal("document", { documentElement: { dataset: {} }, cookie: "" });
  const counts = { looking: 1, matches: 0, losses: 0, refused: 0, failed: 0, softBlocks: 0 };
  const usually = { looking: 1, offers: 1_040, matches: 0, captures: 0, losses: 0, answered: 0 };
  const hoursOf = (offers: readonly number[], isCompared = true) =>
    offers.map((count, index) => ({
      ...counts,
      at: NOON + (index + 1 - offers.length) * HOUR_MS,
      offers: count,
      captures: 0,
      answered: 0,
      usual: isCompared ? usually : null,
    }));
  type City = CityHoursResponse["cities"][number];
  const city = (name: string, hours: City["hours"], fields: Partial<City> = {}): City => ({
    silence: null,
    cause: null,
    lastOfferAt: null,
    lastCaptureAt: null,
    city: name,
    hours,
    ...fields,
  });
  const silence = { what: "offers" as const, since: NOON, expected: 1_200, cause: "refused" as const };
  const causes = Object.entries({
    nobody_looked: "Nobody looked.",
    refused: "The platform refuses us, or hides its offers.",
    nothing_published: "Nothing was published.",
    suspected: "Nobody saw any: nothing was published, or the platform hides its offers from everyone.",
    no_match: "The filters match nothing.",
    others_faster: "Others were faster.",
    unknown: "Wanted offers were there, and nobody tried one.",
  } satisfies Record<NonNullable<City["cause"]>, string>);
  const usual = hoursOf([1_040, 0]);
  const cities = [
    city("offers", usual, { silence }),
    city("captures", usual, { silence: { ...silence, what: "captures", cause: "no_match" } }),
    city("suspected", usual, { silence: { ...silence, expected: 0, cause: "suspected" } }),
    city("low", hoursOf([0, 0, 1_040, 0])),
    city("low for an hour", hoursOf([1_040, 0, 1_040])),
    city("usual", usual),
    city("new", hoursOf([3, 4], false)),
    ...causes.map(([cause]) => city(cause, usual, { cause: cause as NonNullable<City["cause"]> })),
  ];
  const html = htmlOf(createElement(FleetCities, { span: "day" }), [
    [cityHoursQuery("day").queryKey, { at: NOON, cities }],
  ]);
  const states = html
    .split("<h3")
    .slice(1)
    .map((part) =>
      [...part.matchAll(/<p[^>]*>(.*?)<\/p>/gsu)].map(([, text]) => text?.replaceAll(/\s/gu, " ")),
    );
  const sums = "1,040, usually 2,080";
  const none = (what: string) => `No ${what} since ${clockAt(NOON)}, where at least 1,200 are usual.`;
  expect(states).toEqual([
    [sums, `${none("offers")} The platform refuses us, or hides its offers.`],
    [sums, `${none("captures")} The filters match nothing.`],
    [
      sums,
      "Many drivers have seen no offers for far longer than they usually wait. Nobody saw any: nothing was published, or the platform hides its offers from everyone.",
    ],
    [
      "1,040, usually 4,160",
      `2 hours stand out, the last one at ${clockAt(NOON - 2 * HOUR_MS)}: Far below usual.`,
    ],
    ["2,080, usually 3,120", `1 hour stands out, at ${clockAt(NOON - HOUR_MS)}: Far below usual.`],
    [sums, "As usual for these hours."],
    ["7", "As usual for these hours."],
    ...causes.map(([, words]) => [sums, `Nothing was captured in the last hour. ${words}`]),
  ]);
  expect(
    [...html.matchAll(/aria-pressed="(true|false)"[^>]*>([^<]*)/gu)].map(([, is, what]) => [what, is]),
  ).toEqual([
    ["Offers seen", "true"],
    ["Captured", "false"],
    ["Answered (2xx, or the offer is gone)", "false"],
  ]);
});

it("lists the drivers behind a count, with the error of those whose object fails", () => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  vi.stubGlobal("location", new URL("https://jornada.test/ops/fleet"));
  const driver = {
    id: driverId.parse("driver-1"),
    name: "Ana",
    phone: "+15550100100",
    state: "polling" as const,
    since: NOON - HOUR_MS,
    reportedAt: NOON,
    failure: "TypeError at wake",
  };
  const drivers = [driver, { ...driver, id: driverId.parse("driver-2"), state: null, reportedAt: null }];
  const listOf = (list: FleetListName, hasMore = false) =>
    htmlOf(createElement(FleetList, { list }), [[fleetDriversQuery(list).queryKey, { drivers, hasMore }]]);
  const rows = (list: FleetListName, label: string) => rowsOf(listOf(list), label);
  const [since, at] = [clockAt(NOON - HOUR_MS), clockAt(NOON)];
  const who = ["Ana", "+1 (555) 010-0100"];
  expect(rows("looking", "Looking for blocks")).toEqual([
    ["Name", "Phone", "State", "Since", "Last report"],
    [...who, "Looking for blocks", since, at],
    [...who, "", since, ""],
  ]);
  expect(listOf("failing")).toContain("TypeError at wake");
  expect([listOf("stale"), listOf("failing"), listOf("off")].map((html) => html.includes("Was due"))).toEqual(
    [true, true, false],
  );
  expect(
    [listOf("off"), listOf("off", true)].map((html) => html.includes("Only the first 2 are listed.")),
  ).toEqual([false, true]);
});

it("asks for the span that the operator chose", async () => {
  const asked: string[] = [];
  vi.stubGlobal("location", new URL("https://jornada.test/ops/fleet"));
  vi.stubGlobal("fetch", async (input: RequestInfo | URL) => {
    asked.push(String(input));
    return Response.json({ at: 0, cities: [] });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await client.fetchQuery(cityHoursQuery("week"));
  await expect(client.fetchQuery(fleetQuery("month"))).rejects.toThrow();
  expect(asked).toEqual(["/ops/v1/fleet/cities?span=week", "/ops/v1/fleet?span=month"]);
});
