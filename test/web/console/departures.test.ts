import { expect, it } from "vitest";
import { departureOf, only, stack } from "../../../web/console/plots/departures.ts";

it.each([
  { value: 3, usual: 10, wrongWhen: "low", departure: "low" },
  { value: 4, usual: 10, wrongWhen: "low", departure: null },
  { value: 0, usual: 4, wrongWhen: "low", departure: null },
  { value: 99, usual: 10, wrongWhen: "low", departure: null },
  { value: 41, usual: 10, wrongWhen: "high", departure: "high" },
  { value: 40, usual: 10, wrongWhen: "high", departure: null },
  { value: 19, usual: 0, wrongWhen: "high", departure: null },
  { value: 20, usual: 0, wrongWhen: "high", departure: "high" },
  { value: 0, usual: null, wrongWhen: "low", departure: null },
] as const)(
  "finds $value against $usual, wrong when $wrongWhen, to be $departure",
  ({ departure, ...given }) => {
    expect(departureOf(given.value, given.usual, given.wrongWhen)).toBe(departure);
  },
);

it("leaves gaps where nothing stands out", () => {
  expect(only([5, 6, 7], (index) => index === 1)).toEqual([null, 6, null]);
});

it("stacks rows so that the lowest is drawn last", () => {
  expect(
    stack([
      [1, 2],
      [3, 0],
      [5, 5],
    ]),
  ).toEqual([
    [9, 7],
    [4, 2],
    [1, 2],
  ]);
});
