import { describe, expect, it } from "vitest";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { blocksByDay, weekOfBlocks } from "../../../web/features/offers/blocks-by-day.ts";
import { makeBlock, makeOffer } from "../../engine/fixtures.ts";

const timeZone = "America/New_York";
const at = (text: string) => Date.parse(text);
const blockAt = (startsAt: string): Block =>
  makeBlock(makeOffer("a", { startsAt: at(startsAt), endsAt: at(startsAt) + 3 * 3_600_000 }));
const shape = (blocks: Block[], options: { from: string; days: number }) =>
  blocksByDay(blocks, { timeZone, from: at(options.from), days: options.days }).map(
    ({ key, blocks: own }) => [key, own.length],
  );

describe("blocks by day", () => {
  it("counts a block to the day on which it starts where it is", () => {
    const late = blockAt("2026-11-21T23:30:00-05:00");
    expect(shape([late], { from: "2026-11-20T12:00:00-05:00", days: 3 })).toEqual([
      ["2026-11-20", 0],
      ["2026-11-21", 1],
      ["2026-11-22", 0],
    ]);
  });

  it("counts a block that is under way to today, and shows the days of later ones too", () => {
    const underWay = blockAt("2026-11-19T22:30:00-05:00");
    const later = blockAt("2026-12-01T08:00:00-05:00");
    expect(shape([later, underWay], { from: "2026-11-20T00:30:00-05:00", days: 0 })).toEqual([
      ["2026-11-20", 1],
      ["2026-12-01", 1],
    ]);
  });

  it.each([
    ["the hour that is skipped", "2026-03-07T23:30:00-05:00", ["2026-03-07", "2026-03-08", "2026-03-09"]],
    ["the hour that is repeated", "2026-11-01T00:30:00-04:00", ["2026-11-01", "2026-11-02", "2026-11-03"]],
    ["the day before that", "2026-10-31T23:30:00-04:00", ["2026-10-31", "2026-11-01", "2026-11-02"]],
  ])("has the requested number of dates, none left out: %s", (_name, from, dates) => {
    expect(shape([], { from, days: 3 }).map(([key]) => key)).toEqual(dates);
  });

  it("has a week of seven days, today the first, without a block of the same weekday a week on", () => {
    const today = blockAt("2026-11-20T17:00:00-05:00");
    const aWeekOn = blockAt("2026-11-27T08:00:00-05:00");
    const week = weekOfBlocks([today, aWeekOn], { timeZone, from: at("2026-11-20T15:00:00-05:00") });
    expect(week.map(({ key, blocks }) => [key, blocks.length])).toEqual([
      ["2026-11-20", 1],
      ["2026-11-21", 0],
      ["2026-11-22", 0],
      ["2026-11-23", 0],
      ["2026-11-24", 0],
      ["2026-11-25", 0],
      ["2026-11-26", 0],
    ]);
  });
});
