import { expect, it } from "vitest";
import { toDraft } from "../../../web/features/filters/draft.ts";
import { findRefusals } from "../../../web/features/filters/draft-issues.ts";
import {
  dayPresetOf,
  hourPresetOf,
  withDays,
  withHours,
} from "../../../web/features/filters/week-editor.tsx";
import { makeFilters, week } from "../../engine/fixtures.ts";

const draft = toDraft(makeFilters({ schedule: week(540, 1_080, [1, 2, 6]) }), []);

it("sets the days of a preset, and each keeps its hours", () => {
  expect(dayPresetOf(draft)).toBe(null);
  const weekend = withDays(draft, "weekend");
  expect(weekend.schedule).toEqual(week(540, 1_080, [6, 7]));
  expect(dayPresetOf(weekend)).toBe("weekend");
});

it("sets the hours of active days only", () => {
  expect(hourPresetOf(draft)).toBe(null);
  const evenings = withHours(draft, "evenings");
  expect(evenings.schedule[0]).toEqual({ active: true, start: 1_020, end: 1_380 });
  expect(evenings.schedule[2]).toEqual(draft.schedule[2]);
  expect(hourPresetOf(evenings)).toBe("evenings");
});

it("sets the hours of every day of a week off, which is on from then on", () => {
  const off = toDraft(makeFilters({ schedule: week(540, 1_080, []) }), []);
  expect(withHours(off, "daytime").schedule).toEqual(week(480, 1_080));
});

it("knows all 24 hours whenever they begin, and no preset of a week off", () => {
  const filters = (schedule: ReturnType<typeof week>) => toDraft(makeFilters({ schedule }), []);
  expect(hourPresetOf(filters(week(300, 300)))).toBe("whole");
  expect([dayPresetOf(filters(week(0, 0, []))), hourPresetOf(filters(week(0, 0, [])))]).toEqual([null, null]);
});

it("marks the fields that the server refused", () => {
  expect(
    findRefusals(draft, {
      minHourlyCents: "invalid",
      "warehouses.0.minPriceCents": "invalid",
      "warehouses.9.x": "invalid",
    }),
  ).toEqual({ general: "refused", "DNY4.minPriceCents": "refused" });
});
