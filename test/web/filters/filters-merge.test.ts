import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  DEFAULT_DAY_SCHEDULE,
  filters,
  INITIAL_RULE,
  type DateException,
} from "../../../db/shapes/work/filters.ts";
import { warehouseId } from "../../../db/shapes/units.ts";
import { replaceDate } from "../../../web/features/filters/dates/dates.ts";
import {
  newRule,
  toDraft,
  withDay,
  withLimit,
  withRule,
  type Draft,
} from "../../../web/features/filters/draft.ts";
import { findDifferences, mergeDrafts, proposeSide, type Side } from "../../../web/features/filters/merge.ts";

const [first, second] = [z.parse(warehouseId, "w1"), z.parse(warehouseId, "w2")];
const saved = z.parse(filters, {
  minHourlyCents: null,
  schedule: Array.from({ length: 7 }, () => DEFAULT_DAY_SCHEDULE),
  warehouses: [{ ...newRule(first), selected: true }],
});
const base = toDraft(saved, [first, second]);
const dearer = (draft: Draft, minPriceCents: number) =>
  withRule(draft, { ...newRule(first), selected: true, minPriceCents });
const dayOff = (draft: Draft, index: number) =>
  withDay(draft, index, { ...DEFAULT_DAY_SCHEDULE, active: false });
const merge = (mine: Draft, theirs: Draft, side?: Side) => {
  const differences = findDifferences({ base, mine, theirs });
  return mergeDrafts(mine, differences, (difference) => side ?? proposeSide(difference));
};

describe("filters that two tabs changed", () => {
  it("differ by warehouse, day and minimum, each with who changed it, the contested first", () => {
    const mine = dayOff(dearer(base, 9000), 6);
    const theirs = { ...dearer(base, 7000), general: { isOn: true, cents: 2500 } };
    const found = findDifferences({ base, mine, theirs }).map(({ key, changedBy }) => [key, changedBy]);
    expect(found).toEqual([
      ["warehouse w1", "both"],
      ["day 6", "mine"],
      ["general", "theirs"],
    ]);
  });

  it("differ by limit and by date, so that a vacation here and a week there are both kept", () => {
    const vacation: DateException = { kind: "off", from: "2026-11-26", to: "2026-11-29" };
    const evening: DateException = { kind: "hours", date: "2026-12-01", start: 1020, end: 1320 };
    const limited = withLimit(base, "blocksPerDay", { isOn: true, figure: 3 });
    const mine = replaceDate(limited, vacation);
    const theirs = replaceDate(withLimit(base, "minutesPerWeek", { isOn: true, figure: 2400 }), evening);
    expect(findDifferences({ base, mine, theirs }).map(({ key, changedBy }) => [key, changedBy])).toEqual([
      ["limit blocksPerDay", "mine"],
      ["off 2026-11-26 2026-11-29", "mine"],
      ["limit minutesPerWeek", "theirs"],
      ["hours 2026-12-01 2026-12-01", "theirs"],
    ]);
    const merged = merge(mine, theirs);
    expect(merged.dates).toEqual([vacation, evening]);
    expect([merged.limits.blocksPerDay, merged.limits.minutesPerWeek]).toEqual([
      { isOn: true, figure: 3 },
      { isOn: true, figure: 2400 },
    ]);
    expect(merge(mine, theirs, "theirs")).toEqual(theirs);
    const takenBack = { ...replaceDate(base, vacation), dates: [] };
    const [gone] = findDifferences({ base: mine, mine, theirs: { ...mine, dates: takenBack.dates } });
    expect(gone).toMatchObject({ changedBy: "theirs", theirs: { kind: "date", value: null } });
  });

  it("do not differ by a limit that is off on both sides, whatever figure it keeps", () => {
    const mine = withLimit(base, "restMinutes", { isOn: false, figure: 30 });
    expect(findDifferences({ base, mine, theirs: base })).toEqual([]);
  });

  it("keep a warehouse's further rules with it, whatever the order of their keys", () => {
    const extra = { ruleId: "a", name: "Sundays", hours: null, ...INITIAL_RULE };
    const turned = { hours: null, name: "Sundays", ...INITIAL_RULE, ruleId: "a" };
    const withExtra = (rule: typeof extra) =>
      withRule(base, { ...newRule(first), selected: true, extraRules: [rule] });
    expect(findDifferences({ base, mine: withExtra(extra), theirs: withExtra(turned) })).toEqual([]);
    expect(merge(withExtra(extra), dayOff(base, 6))).toEqual(dayOff(withExtra(extra), 6));
  });

  it("need a decision on everything where it is not known what they grew from", () => {
    const found = findDifferences({ base: null, mine: dayOff(base, 6), theirs: dearer(base, 7000) });
    expect(found.map(({ key, changedBy }) => [key, changedBy])).toEqual([
      ["warehouse w1", "both"],
      ["day 6", "both"],
    ]);
  });

  it("do not differ where both made the same change, or where a minimum is off anyway", () => {
    const mine = { ...dearer(base, 9000), general: { isOn: false, cents: 100 } };
    const theirs = { ...dearer(base, 9000), general: { isOn: false, cents: 200 } };
    expect(findDifferences({ base, mine, theirs })).toEqual([]);
  });

  it("merge so that neither side's change is lost; where both changed a part, one's own is proposed", () => {
    const mine = dayOff(dearer(base, 9000), 6);
    const theirs = dayOff({ ...dearer(base, 7000), general: { isOn: true, cents: 2500 } }, 0);
    const merged = merge(mine, theirs);
    expect(merged).toEqual({
      ...dayOff(dayOff(dearer(base, 9000), 6), 0),
      general: { isOn: true, cents: 2500 },
    });
  });

  it("are one side's whole where that is chosen throughout", () => {
    const mine = dayOff(dearer(base, 9000), 6);
    const theirs = withRule(dearer(base, 7000), { ...newRule(second), selected: true });
    expect(merge(mine, theirs, "theirs")).toEqual(theirs);
    expect(merge(mine, theirs, "mine")).toEqual(mine);
  });

  it("take over a figure that can't be read where it stands against theirs, to be mended here", () => {
    const mine = withRule(base, { ...newRule(first), selected: true, minPriceCents: null });
    expect(merge(mine, dearer(base, 7000)).warehouses[0]?.minPriceCents).toBeNull();
    expect(merge(mine, dearer(base, 7000), "theirs").warehouses[0]?.minPriceCents).toBe(7000);
  });
});
