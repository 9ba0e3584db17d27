import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import {
  addWatched,
  countWatchedMinutes,
  watchedSpans,
} from "../../../durable/engine/statistics/watched-hours.ts";
import { weekHourOf } from "../../../durable/engine/statistics/offer-hours.ts";
import { createZone } from "../../../durable/engine/schedule/zone.ts";
import { at, idOf, makeWarehouse, NOON } from "../fixtures.ts";

const ZONE = createZone("America/New_York");
const change = (when: number, pausedFrom?: number, isAfterPause = pausedFrom !== undefined) => ({
  at: when,
  isAfterPause,
  ...(pausedFrom !== undefined && { pausedFrom }),
});

describe("the time in which offers were watched", () => {
  it("ends at the last answer before a pause, goes on after it, and lasts until the last answer of all", () => {
    const changes = [change(NOON), change(NOON + HOUR_MS), change(NOON + 9 * HOUR_MS, NOON + 2 * HOUR_MS)];
    expect(watchedSpans({ changes, knownFrom: NOON, lastAnswerAt: NOON + 10 * HOUR_MS })).toEqual([
      { from: NOON, to: NOON + 2 * HOUR_MS },
      { from: NOON + 9 * HOUR_MS, to: NOON + 10 * HOUR_MS },
    ]);
  });

  it("ends at the last change that a log of an earlier release has before a pause", () => {
    const changes = [change(NOON), change(NOON + HOUR_MS), change(NOON + 9 * HOUR_MS, undefined, true)];
    expect(watchedSpans({ changes, knownFrom: NOON, lastAnswerAt: null })).toEqual([
      { from: NOON, to: NOON + HOUR_MS },
    ]);
  });

  it("is none where nothing is known", () => {
    expect(watchedSpans({ changes: [], knownFrom: NOON, lastAnswerAt: null })).toEqual([]);
  });

  it.each([
    ["an hour that autumn repeats counts twice", "2026-11-01T00:00:00-04:00", 5, 1, 120],
    ["an hour that spring skips counts never", "2026-03-08T00:00:00-05:00", 5, 2, 0],
  ])("%s", (_case, from, hours, hour, expected) => {
    const span = { from: at(from), to: at(from) + hours * HOUR_MS };
    expect(countWatchedMinutes([span], ZONE, 0)[6 * 24 + hour]).toBe(expected);
  });

  it("is counted for each warehouse on its own clock", () => {
    const week = { offers: 0, unplaced: 0, best: null, hours: [] };
    const places = ["America/New_York", "America/Los_Angeles", "Mars/Base"].map((timeZone, index) =>
      makeWarehouse({ warehouseId: idOf.warehouse(`W${index}`), timeZone }),
    );
    const spans = [{ from: NOON, to: NOON + HOUR_MS }];
    const counted = addWatched(
      places.map(({ warehouseId }) => ({ ...week, warehouseId })),
      { spans, since: 0, warehouses: places },
    );
    const hoursOf = counted.map(({ watchedMinutes }) =>
      watchedMinutes?.flatMap((minutes, hour) => (minutes > 0 ? [[hour, minutes]] : [])),
    );
    expect(hoursOf).toEqual([[[2 * 24 + 12, 60]], [[2 * 24 + 9, 60]], undefined]);
  });

  it("agrees with a second count, quarter by quarter", () => {
    const length = fc.integer({ min: 1, max: 2_000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(length, length), { maxLength: 12 }), length, (steps, ago) => {
        let from = NOON;
        const spans = steps.map(([pause, watched]) => {
          const span = { from: from + pause * MINUTE_MS, to: from + (pause + watched) * MINUTE_MS };
          from = span.to;
          return span;
        });
        const since = NOON + ago * 10 * MINUTE_MS;
        const expected = Array.from({ length: 168 }, () => 0);
        for (let quarter = NOON; quarter < NOON + 60 * DAY_MS; quarter += 15 * MINUTE_MS) {
          const middle = quarter + 7.5 * MINUTE_MS;
          const isWatched = middle >= since && spans.some((span) => middle >= span.from && middle < span.to);
          const hour = weekHourOf(ZONE, quarter);
          if (isWatched) expected[hour] = (expected[hour] ?? 0) + 15;
        }
        expect(countWatchedMinutes(spans, ZONE, since)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});
