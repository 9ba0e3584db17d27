import { describe, expect, it } from "vitest";
import { mapWeek } from "../../../web/features/filters/draft.ts";
import { hasHour, withHour } from "../../../web/features/hours/add-hour.ts";
import { week } from "../../engine/fixtures.ts";

const OFF = { active: false, start: 0, end: 0 };
const on = (start: number, end: number) => ({ active: true, start: start * 60, end: (end % 24) * 60 });

describe("an hour that is added to a day", () => {
  it.each([
    ["a day off has that hour alone", OFF, 8, on(8, 9)],
    ["a day off has the last hour, to midnight", OFF, 23, on(23, 24)],
    ["a window begins earlier", on(9, 18), 6, on(6, 18)],
    ["a window ends later", on(9, 18), 20, on(9, 21)],
    ["a window ends at midnight", on(9, 18), 23, on(9, 24)],
    ["a window has it already", on(9, 18), 12, on(9, 18)],
    ["a window past midnight begins earlier", on(22, 2), 20, on(20, 2)],
    ["a window past midnight has 24 hours at most", on(22, 2), 1, on(1, 1)],
    ["a whole day stays as it is", on(6, 6), 12, on(6, 6)],
    ["a whole day from midnight stays as it is", on(0, 0), 23, on(0, 0)],
    ["half an hour is rounded out", { active: true, start: 570, end: 600 }, 9, on(9, 10)],
  ])("%s", (_name, day, hour, expected) => {
    expect(withHour(day, hour)).toEqual(expected);
    expect(
      hasHour(
        mapWeek(week(0, 0), (_day, index) => (index === 2 ? expected : OFF)),
        2 * 24 + hour,
      ),
    ).toBe(true);
  });

  it("is there where the night before reaches it, and on the day before Monday, which is Sunday", () => {
    const nights = mapWeek(week(0, 0), (_day, index) => (index === 6 ? on(22, 2) : OFF));
    expect([0, 1, 2, 6 * 24 + 22].map((hour) => hasHour(nights, hour))).toEqual([true, true, false, true]);
  });

  it("is not there in part", () => {
    const half = mapWeek(week(0, 0), () => ({ active: true, start: 570, end: 1_080 }));
    expect(hasHour(half, 9)).toBe(false);
  });
});
