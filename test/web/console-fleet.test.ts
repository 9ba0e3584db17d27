import { QueryClient } from "@tanstack/react-query";
import { createElement } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { fleetState } from "../../db/shapes/fleet.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import { cityHoursQuery, fleetQuery } from "../../web/console/calls/fleet.ts";
import { FleetAnswers } from "../../web/console/fleet/fleet-calls.tsx";
import { answersOf, capturesOf, failuresOf } from "../../web/console/fleet/fleet-hours.tsx";
import { layersOf } from "../../web/console/fleet/fleet-screen.tsx";
import { readPart } from "../support/console-part.ts";

afterEach(() => void vi.unstubAllGlobals());

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
