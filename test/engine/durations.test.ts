import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  ALL_DURATIONS,
  DURATION_MINUTES,
  decodeDurations,
  durationsToMinutes,
  encodeDurations,
  minutesToDurations,
} from "../../db/shapes/durations.ts";

it("keeps a choice of block lengths through minutes and through the database's letters", () => {
  fc.assert(
    fc.property(fc.subarray([...DURATION_MINUTES]), (minutes) => {
      const chosen = minutesToDurations(minutes);
      expect(durationsToMinutes(chosen)).toEqual(minutes);
      expect(decodeDurations(encodeDurations(chosen))).toEqual(chosen);
    }),
  );
});

it("writes the letters that are stored already", () => {
  expect(encodeDurations(ALL_DURATIONS)).toBe("1111111111");
  expect(encodeDurations(minutesToDurations([60, 180, 360]))).toBe("1000100001");
  expect(decodeDurations("0100000000")).toEqual(minutesToDurations([90]));
});

it("takes no letters too few or too many, and leaves out a length that is none of the ten", () => {
  expect(() => decodeDurations("111")).toThrow();
  expect(() => decodeDurations("11111111111")).toThrow();
  expect(minutesToDurations([61, 90])).toEqual(minutesToDurations([90]));
});
