import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  ALL_DURATIONS,
  DURATION_MINUTES,
  decodeDurations,
  leastLengthMs,
  durationsToMinutes,
  encodeDurations,
  minutesToDurations,
} from "../../../db/shapes/work/durations.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";

it("round-trips through minutes and through the database encoding", () => {
  fc.assert(
    fc.property(fc.subarray([...DURATION_MINUTES]), (minutes) => {
      const chosen = minutesToDurations(minutes);
      expect(durationsToMinutes(chosen)).toEqual(minutes);
      expect(decodeDurations(encodeDurations(chosen))).toEqual(chosen);
    }),
  );
});

it("encodes as in existing rows", () => {
  expect(encodeDurations(ALL_DURATIONS)).toBe("1111111111");
  expect(encodeDurations(minutesToDurations([60, 180, 360]))).toBe("1000100001");
  expect(decodeDurations("0100000000")).toEqual(minutesToDurations([90]));
});

it("can't decode another number of flags, and ignores lengths that are not one of the ten", () => {
  expect([decodeDurations("111"), decodeDurations("11111111111")]).toEqual([null, null]);
  expect(minutesToDurations([61, 90])).toEqual(minutesToDurations([90]));
});

it("tells the shortest block whose nearest length is among some", () => {
  const least = (...minutes: number[]) => leastLengthMs(minutes) / MINUTE_MS;
  expect([least(60), least(90), least(240, 180), least(360)]).toEqual([45, 75, 165, 330]);
  expect(least()).toBe(Infinity);
});
