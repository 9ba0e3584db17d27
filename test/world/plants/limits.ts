import type { Plant } from "./plant.ts";

/** Of the limits of a driver's days and weeks. */
export const LIMIT_PLANTS: readonly Plant[] = [
  {
    name: "an accept that is under way counts toward no limit",
    isLimited: true,
    patches: [
      {
        file: "durable/engine/verdicts/counted-blocks.ts",
        find: `scope === "pending" || outcome.status === "unknown"`,
        replace: `outcome.status === "unknown"`,
      },
    ],
    expect: /never above a limit \/ /,
  },
  {
    name: "the blocks of earlier in the week are not read",
    isLimited: true,
    patches: [
      {
        file: "durable/engine/verdicts/counted-blocks.ts",
        find: `const WEEK_LOOKBACK_MS = 8 * DAY_MS;`,
        replace: `const WEEK_LOOKBACK_MS = DAY_MS;`,
      },
    ],
    expect: /never above a limit \/ (hours a week|goal)/,
  },
  {
    name: "a day is full one block too early",
    isLimited: true,
    patches: [
      {
        file: "durable/engine/verdicts/limit-book.ts",
        find: `use.blocks + 1 > limits.blocksPerDay)`,
        replace: `use.blocks + 1 >= limits.blocksPerDay)`,
      },
    ],
    expect: /wanted offer not tried/,
  },
  {
    name: "a block counts on the day of another clock",
    test: "test/engine/limits/limit-days.test.ts",
    patches: [
      {
        file: "durable/engine/verdicts/limit-book.ts",
        find: `  return dayOf(warehouse ? warehouse.calendar.zone.wallAt(startsAt) : startsAt);`,
        replace: `  return warehouse ? dayOf(startsAt) : dayOf(startsAt);`,
      },
    ],
    expect: /counts/,
  },
];
