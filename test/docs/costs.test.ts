import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { dayFigures } from "../bench/day.ts";
import { dollarsOf, dollarsOfFleet, pricePoll, TICKER_DOLLARS } from "../bench/price-list.ts";
import { scaleOf, scaleTable, SIZES } from "../bench/scale.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const { day: measured } = JSON.parse(read("test/bench/results.json")) as { day: unknown };
const day = dayFigures.parse(measured);
const dollars = (amount: number, digits = 2) => `$${amount.toFixed(digits)}`;
/** A table's or a paragraph's words, however they are laid out. */
const words = (text: string) => text.replaceAll(/[\s-]+/g, " ");

it("prices a driver-month by the counted operations, and the handbook says that price", () => {
  const month = dollarsOf(day);
  expect(month).toBeCloseTo(day.dollarsPerDriverMonth, 6);
  const byAlarms = day.byAlarms.dollarsPerDriverMonth;
  const handbook = words(read("worker/operators/HANDBOOK.md"));
  expect(handbook).toContain(`${dollars(month)} for a driver who is on for eight hours a day`);
  expect(handbook).toContain(`${day.polls.toLocaleString("en")} polls a day`);
  expect(handbook).toContain(`${dollars(3 * month)} around the clock`);
  expect(handbook).toContain(`${dollars(TICKER_DOLLARS)} for each ticker`);
  expect(handbook).toContain(`A hundred drivers cost some ${dollars(dollarsOfFleet(100, month), 0)}`);
  expect(handbook).toContain(`without a ticker a driver costs ${dollars(byAlarms)}`);
  const record = words(read("worker/decisions/13-what-a-driver-costs.md"));
  expect(record).toContain(`${dollars(month)} a driver month and a share of the ticker`);
  expect(record).toContain(`${dollars(byAlarms)} without one`);
  // Fewer drivers than these at work don't pay for a ticker.
  expect(Math.ceil(TICKER_DOLLARS / (byAlarms - month))).toBe(12);
});

it("wakes for a poll by an alarm where staying awake is dearer, from 850 ms up", () => {
  const handlerMs = day.handlerMs / day.polls;
  const at = (intervalMs: number) => pricePoll({ intervalMs, handlerMs });
  expect(at(1000).byAlarm).toBeLessThan(at(1000).awake);
  expect(at(700).byAlarm).toBeGreaterThan(at(700).awake);
});

it("has the model's figures in the decision record", () => {
  const record = words(read("worker/decisions/14-what-ends-first.md"));
  expect(record).toContain(words(scaleTable(day)));
  const [, some, many, most] = SIZES.map((drivers) => scaleOf(drivers, day).used);
  expect(Math.max(some?.statements ?? 9, some?.bytes ?? 9, some?.watcher ?? 9)).toBeLessThan(1);
  expect([(many?.statements ?? 9) < 1, (many?.bytes ?? 0) > 1, (many?.watcher ?? 9) < 1]).toEqual([
    true,
    true,
    true,
  ]);
  expect([(most?.statements ?? 0) > 1, (most?.bytes ?? 0) > 1, (most?.watcher ?? 0) > 1]).toEqual([
    true,
    true,
    true,
  ]);
});
