import { describe, expect, it } from "vitest";
import { scheduleSegments, windowKind } from "../../../web/features/filters/schedule-window.ts";

const day = (start: number, end: number) => ({ active: true, start, end });

describe("a day's window", () => {
  it.each([
    [570, 1080, "same", [{ from: 570, to: 1080 }]],
    [
      1320,
      360,
      "overnight",
      [
        { from: 1320, to: 1440 },
        { from: 0, to: 360 },
      ],
    ],
    [1320, 0, "overnight", [{ from: 1320, to: 1440 }]],
    [300, 300, "whole", [{ from: 0, to: 1440 }]],
  ] as const)("from %i to %i is %s", (start, end, kind, stretches) => {
    expect(windowKind(day(start, end))).toBe(kind);
    expect(scheduleSegments(day(start, end))).toEqual(stretches);
  });
});
