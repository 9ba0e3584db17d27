import { dollarsOf, dollarsOfFleet, type BilledDay } from "./price-list.ts";

/** The mixed day's hours. All drivers are on at once: the worst case. */
const HOURS = 8;
/** A statement of a millisecond on D1's one thread. */
export const DATABASE_STATEMENTS_A_SECOND = 1_000;
const DATABASE_BYTES = 10e9;
/** An object answers about as many calls a second. */
const OBJECT_CALLS_A_SECOND = 1_000;
/** The defaults of `WATCHERS` and of their reports: three statements each twenty seconds. */
const WATCHERS = 16;
const WATCHER_STATEMENTS_A_SECOND = (WATCHERS * 3) / 20;
/** Asserted by test/payments/books/database-growth.test.ts. */
export const BYTES_A_DRIVER_MONTH = 23_000;

export const SIZES = [1_000, 10_000, 100_000, 1_000_000] as const;

export type CountedDay = BilledDay & { polls: number; d1Statements: number };

export type ScaleRow = {
  drivers: number;
  pollsASecond: number;
  statementsASecond: number;
  beatsAWatcherSecond: number;
  gigabytesAMonth: number;
  dollarsAMonth: number;
  /**
   * The share of its limit that each engine has used up, after a year of growth for the size; the first to end is the
   * greatest.
   */
  used: { statements: number; bytes: number; watcher: number };
};

/** The load of so many drivers, by the operations that were counted of one. */
export function scaleOf(drivers: number, day: CountedDay): ScaleRow {
  const seconds = HOURS * 3600;
  const statementsASecond = (drivers * day.d1Statements) / seconds + WATCHER_STATEMENTS_A_SECOND;
  const beatsAWatcherSecond = drivers / 60 / WATCHERS;
  const bytesAMonth = drivers * BYTES_A_DRIVER_MONTH;
  return {
    drivers,
    pollsASecond: (drivers * day.polls) / seconds,
    statementsASecond,
    beatsAWatcherSecond,
    gigabytesAMonth: bytesAMonth / 1e9,
    dollarsAMonth: dollarsOfFleet(drivers, dollarsOf(day)),
    used: {
      statements: statementsASecond / DATABASE_STATEMENTS_A_SECOND,
      bytes: (12 * bytesAMonth) / DATABASE_BYTES,
      watcher: beatsAWatcherSecond / OBJECT_CALLS_A_SECOND,
    },
  };
}

/** The model as the decision record has it. */
export function scaleTable(day: CountedDay): string {
  const number = (value: number, digits = 0) =>
    value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits });
  const percent = (share: number) => `${number(100 * share, share < 0.1 ? 1 : 0)} %`;
  const rows = SIZES.map((drivers) => {
    const { used, ...load } = scaleOf(drivers, day);
    return [
      number(drivers),
      number(load.pollsASecond),
      `${number(load.statementsASecond)} (${percent(used.statements)})`,
      `${number(load.beatsAWatcherSecond, 1)} (${percent(used.watcher)})`,
      `${number(load.gigabytesAMonth, 3)} GB (${percent(used.bytes)} in a year)`,
      `$${number(load.dollarsAMonth)}`,
    ];
  });
  const head = [
    "drivers",
    "polls a second",
    "statements a second",
    "beats a watcher-second",
    "database a month",
    "a month",
  ];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** How long a drivers' growth takes to fill the database. */
export function monthsUntilFull(drivers: number): number {
  return DATABASE_BYTES / (drivers * BYTES_A_DRIVER_MONTH);
}
