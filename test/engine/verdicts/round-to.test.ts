import { expect, it } from "vitest";
import { roundTo } from "../../../db/shapes/round-to.ts";

it.each([
  [1.005, 2, 1.01],
  [2.345, 2, 2.35],
  [-1.5, 0, -1],
  [1234.5678, 0, 1235],
  [1234.5678, -2, 1200],
  [0.0000001234, 8, 0.00000012],
  [1e21, 2, 1e21],
  [0, 3, 0],
])("rounds %d to %d decimals: %d", (value, decimals, rounded) => {
  expect(roundTo(value, decimals)).toBe(rounded);
});
