import { expect, it } from "vitest";
import { LATENESS_BINS, LATENESS_EDGES_MS, latenessBin } from "../../../db/shapes/fleet.ts";

it("counts a poll in the first bin whose edge it kept, and in the last one where it kept none", () => {
  expect(LATENESS_EDGES_MS.map((edge) => latenessBin(edge))).toEqual(LATENESS_BINS.slice(0, -1));
  expect(LATENESS_EDGES_MS.map((edge) => latenessBin(edge + 1))).toEqual(LATENESS_BINS.slice(1));
  expect(latenessBin(0)).toBe(LATENESS_BINS[0]);
});
