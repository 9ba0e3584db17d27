import { expect, it } from "vitest";
import { LIMITS, NO_LIMITS } from "../../db/shapes/work/filters.ts";
import { readLimits } from "../../db/shapes/work/stored-filters.ts";

const STRICTEST = {
  blocksPerDay: 1,
  minutesPerDay: 1,
  minutesPerWeek: 1,
  restMinutes: 1_440,
  travelMinutes: 1_440,
  weekGoalCents: 1,
};

it.each([null, "{}", 7, []])("lets no block through where limits are no record: %j", (stored) => {
  expect(readLimits(stored)).toEqual(STRICTEST);
});

it.each(LIMITS)("lets no block through by %s alone where that is malformed", (limit) => {
  expect(readLimits({ ...NO_LIMITS, [limit]: -1 })).toEqual({ ...NO_LIMITS, [limit]: STRICTEST[limit] });
});
