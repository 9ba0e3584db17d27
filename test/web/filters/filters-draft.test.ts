import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { minutesToDurations } from "../../../db/shapes/work/durations.ts";
import { DEFAULT_DAY_SCHEDULE, filters, INITIAL_RULE, NO_LIMITS } from "../../../db/shapes/work/filters.ts";
import { warehouseId } from "../../../db/shapes/units.ts";
import {
  copyDay,
  copyRule,
  newRule,
  toDraft,
  selectedDurations,
  withDay,
  withDuration,
  withLimit,
  withRule,
  withSelected,
  type DraftExtraRule,
} from "../../../web/features/filters/draft.ts";
import { draftToFilters, findIssues, findRefusals } from "../../../web/features/filters/draft-issues.ts";

const [first, second] = [z.parse(warehouseId, "w1"), z.parse(warehouseId, "w2")];
const saved = z.parse(filters, {
  minHourlyCents: null,
  schedule: Array.from({ length: 7 }, () => DEFAULT_DAY_SCHEDULE),
  warehouses: [{ ...newRule(first), selected: true }],
});
const draft = () => toDraft(saved, [first, second]);

describe("a draft of the filters", () => {
  it("has a rule for every known warehouse, and those without one are not selected", () => {
    expect(draft().warehouses.map((rule) => [rule.warehouseId, rule.selected])).toEqual([
      ["w1", true],
      ["w2", false],
    ]);
  });

  it("comes back as filters, the general minimum only where it is on", () => {
    expect(draftToFilters(draft())?.minHourlyCents).toBeNull();
    expect(draftToFilters({ ...draft(), general: { isOn: true, cents: 2000 } })?.minHourlyCents).toBe(2000);
  });

  it("can be saved where more warehouses are known than filters can have, and its issues stay in their places", () => {
    const ids = Array.from({ length: 700 }, (_, index) => z.parse(warehouseId, `w${index}`));
    const [early, late] = [z.parse(warehouseId, "w3"), z.parse(warehouseId, "w650")];
    const many = toDraft(saved, ids);
    const edited = withRule(withSelected(many, [late], true), { ...newRule(early), minPriceCents: 7000 });
    expect(draftToFilters(edited)?.warehouses).toEqual([
      { ...newRule(first), selected: true },
      { ...newRule(early), minPriceCents: 7000 },
      { ...newRule(late), selected: true },
    ]);
    const faulty = withRule(many, { ...newRule(late), selected: true, minPriceCents: 0 });
    expect(findIssues(faulty)).toEqual({ "w650.minPriceCents": "min_price_too_small" });
    expect(findRefusals(faulty, { "warehouses.1.bufferMinutes": "invalid" })).toEqual({
      "w650.bufferMinutes": "refused",
    });
  });

  it.each([
    ["minPriceCents", 0, "min_price_too_small"],
    ["minPriceCents", null, "required"],
    ["minPriceCents", 999_901, "money_too_large"],
    ["minHourlyCents", 999_901, "money_too_large"],
    ["bufferMinutes", 1441, "buffer_too_large"],
    ["bufferMinutes", null, "buffer_invalid"],
  ] as const)("names the fault of %s %s", (field, value, fault) => {
    const faulty = withRule(draft(), { ...newRule(first), [field]: value });
    expect(findIssues(faulty)).toEqual({ [`w1.${field}`]: fault });
    expect(draftToFilters(faulty)).toBeNull();
  });

  it.each([
    { minPriceCents: 1 },
    { minPriceCents: 999_900 },
    { minHourlyCents: 0 },
    { bufferMinutes: 0 },
    { bufferMinutes: 1440 },
  ])("takes the bound itself: %o", (part) => {
    const bounded = withRule(draft(), { ...newRule(first), ...part });
    expect(findIssues(bounded)).toEqual({});
    expect(draftToFilters(bounded)).not.toBeNull();
  });

  it("names the faults of further rules by rule and field, of all of them in a selected warehouse", () => {
    const extra = { ruleId: "a", name: "", hours: null, ...INITIAL_RULE };
    const noLength = { ...extra, durations: minutesToDurations([]) };
    const issuesOf = (changed: Partial<DraftExtraRule>, selected = true) =>
      findIssues(withRule(draft(), { ...newRule(first), selected, extraRules: [{ ...extra, ...changed }] }));
    expect(issuesOf({})).toEqual({});
    expect(issuesOf({ minPriceCents: null })).toEqual({ "w1.a.minPriceCents": "required" });
    expect(issuesOf({ hours: { days: [], start: 0, end: 0 } })).toEqual({ "w1.a.hours": "no_days" });
    expect(issuesOf(noLength)).toEqual({ "w1.a.durations": "no_durations" });
    expect(issuesOf(noLength, false)).toEqual({});
  });

  it.each([
    [null, "minutesPerDay"],
    [0, "minutesPerDay"],
    [1441, "minutesPerDay"],
  ] as const)(
    "names the fault of a limit of %s minutes that is on, and none of one that is off",
    (figure, fault) => {
      const limited = (isOn: boolean) => withLimit(draft(), "minutesPerDay", { isOn, figure });
      expect(findIssues(limited(true))).toEqual({ "limits.minutesPerDay": fault });
      expect(draftToFilters(limited(false))?.limits).toEqual(NO_LIMITS);
    },
  );

  it("says where the server refused a further rule or a limit", () => {
    const extra = { ruleId: "a", name: "", hours: null, ...INITIAL_RULE };
    const ruled = withRule(draft(), { ...newRule(first), extraRules: [extra] });
    const refused = {
      "warehouses.0.extraRules.0.minPriceCents": "x",
      "limits.blocksPerDay": "x",
      schedule: "x",
    };
    expect(findRefusals(ruled, refused)).toEqual({
      "w1.a.minPriceCents": "refused",
      "limits.blocksPerDay": "refused",
    });
  });

  it("copies a rule to the other selected warehouses and to no other", () => {
    const source = { ...newRule(first), selected: true, minPriceCents: 12_000 };
    const both = withRule(draft(), { ...newRule(second), selected: true });
    expect(copyRule(both, source).warehouses[1]).toMatchObject({ selected: true, minPriceCents: 12_000 });
    expect(copyRule(draft(), source).warehouses[1]).toMatchObject({ selected: false, minPriceCents: 5000 });
  });

  it("selects the warehouses that were chosen and no other", () => {
    const selected = (ids: Parameters<typeof withSelected>[1], isSelected: boolean) =>
      withSelected(draft(), ids, isSelected).warehouses.map((rule) => rule.selected);
    expect([selected([second], true), selected([first], false), selected([], false)]).toEqual([
      [true, true],
      [false, false],
      [true, false],
    ]);
  });

  it("copies a day's hours to the active days and leaves days off alone", () => {
    const off = withDay(draft(), 2, { active: false, start: 60, end: 120 });
    const copied = copyDay(withDay(off, 0, { active: true, start: 1320, end: 360 }), 0);
    expect(copied.schedule[1]).toEqual({ active: true, start: 1320, end: 360 });
    expect(copied.schedule[2]).toEqual({ active: false, start: 60, end: 120 });
  });

  it("knows lengths that stand side by side", () => {
    const all = newRule(first);
    const few = [60, 90, 120, 300, 360].reduce((rule, minutes) => withDuration(rule, minutes, false), all);
    expect(selectedDurations(few)).toEqual({ minutes: [150, 180, 210, 240, 270], isRange: true });
    expect(selectedDurations(withDuration(few, 180, false)).isRange).toBe(false);
    expect(selectedDurations(withDuration(few, 60, true)).minutes).toEqual([60, 150, 180, 210, 240, 270]);
    expect(withDuration(few, 150, true)).toEqual(few);
    const one = [180, 210, 240, 270].reduce((rule, minutes) => withDuration(rule, minutes, false), few);
    expect(selectedDurations(one)).toEqual({ minutes: [150], isRange: false });
  });
});
