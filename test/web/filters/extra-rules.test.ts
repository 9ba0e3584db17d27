import { expect, it } from "vitest";
import * as z from "zod/mini";
import { warehouseId } from "../../../db/shapes/units.ts";
import { minutesToDurations } from "../../../db/shapes/work/durations.ts";
import type { RuleHours } from "../../../db/shapes/work/filters.ts";
import {
  toDraft,
  withRule,
  type Draft,
  type DraftExtraRule,
  type DraftRule,
} from "../../../web/features/filters/draft.ts";
import {
  addRule,
  changeRule,
  copyExtraRule,
  insertRule,
  moveRule,
  removeRule,
} from "../../../web/features/filters/rules/extra-rules.ts";
import { findRuleNotices } from "../../../web/features/filters/rules/rule-notices.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../../support/sandbox-client.ts";

const [first, second, third] = ["w1", "w2", "w3"].map((id) => z.parse(warehouseId, id));
if (!first || !second || !third) throw new Error("three warehouses");

const draftOf = (...ids: (typeof first)[]) =>
  toDraft(permissiveFilters(ids.map((id) => permissiveWarehouseFilter(id))), []);
const ruleOf = ({ warehouses }: Draft, id = first): DraftRule => {
  const rule = warehouses.find((known) => known.warehouseId === id);
  if (!rule) throw new Error(`no rule of ${id}`);
  return rule;
};
const idsOf = (draft: Draft, id = first) => ruleOf(draft, id).extraRules.map(({ ruleId }) => ruleId);
const withRules = (...ruleIds: string[]) =>
  ruleIds.reduce((draft, ruleId) => addRule(draft, ruleOf(draft), ruleId), draftOf(first, second, third));
const extraOf = (draft: Draft, ruleId: string): DraftExtraRule => {
  const extra = ruleOf(draft).extraRules.find((known) => known.ruleId === ruleId);
  if (!extra) throw new Error(`no rule ${ruleId}`);
  return extra;
};
const change = (draft: Draft, ruleId: string, changed: Partial<DraftExtraRule>) =>
  changeRule(draft, ruleOf(draft), { ...extraOf(draft, ruleId), ...changed });

it("adds rules that require what the first does, four beside it at most", () => {
  const full = withRules("a", "b", "c", "d", "e");
  expect(idsOf(full)).toEqual(["a", "b", "c", "d"]);
  const { warehouseId: _id, selected: _selected, extraRules: _extras, ...values } = ruleOf(full);
  expect(extraOf(full, "a")).toEqual({ ruleId: "a", name: "", hours: null, ...values });
});

it("moves a rule among the others, not beyond their ends", () => {
  const draft = withRules("a", "b", "c");
  expect(idsOf(moveRule(draft, ruleOf(draft), { ruleId: "c", by: -1 }))).toEqual(["a", "c", "b"]);
  expect(idsOf(moveRule(draft, ruleOf(draft), { ruleId: "a", by: 1 }))).toEqual(["b", "a", "c"]);
  expect(moveRule(draft, ruleOf(draft), { ruleId: "a", by: -1 })).toBe(draft);
  expect(moveRule(draft, ruleOf(draft), { ruleId: "c", by: 1 })).toBe(draft);
});

it("puts a removed rule back where it was, unless five others are there by now", () => {
  const draft = withRules("a", "b", "c");
  const extra = extraOf(draft, "b");
  const removed = removeRule(draft, ruleOf(draft), "b");
  expect(idsOf(removed)).toEqual(["a", "c"]);
  expect(insertRule(removed, { rule: ruleOf(removed), extra, index: 1 })).toEqual(draft);
  const full = ["d", "e"].reduce((next, id) => addRule(next, ruleOf(next), id), removed);
  expect(insertRule(full, { rule: ruleOf(full), extra, index: 1 })).toBe(full);
});

it("copies a rule to the other selected warehouses, once, and counts those that are full", () => {
  const named = change(withRules("a"), "a", { name: "Sundays" });
  const full = ["b", "c", "d", "e"].reduce((next, id) => addRule(next, ruleOf(next, second), id), named);
  const once = copyExtraRule(full, ruleOf(full), extraOf(full, "a"));
  expect([once.copies, once.full]).toEqual([1, 1]);
  expect(idsOf(once.draft, second)).toEqual(["b", "c", "d", "e"]);
  const renamed = change(once.draft, "a", { name: "Sunday mornings" });
  const { draft } = copyExtraRule(renamed, ruleOf(renamed), extraOf(renamed, "a"));
  expect(ruleOf(draft, third).extraRules.map(({ ruleId, name }) => [ruleId, name])).toEqual([
    ["a", "Sunday mornings"],
  ]);
  const alone = withRule(withRule(named, { ...ruleOf(named, second), selected: false }), {
    ...ruleOf(named, third),
    selected: false,
  });
  expect(copyExtraRule(alone, ruleOf(alone), extraOf(alone, "a"))).toMatchObject({ copies: 0, full: 0 });
});

const SUNDAY: RuleHours = { days: [7], start: 480, end: 1200 };
const NEVER_FULL = { active: true, start: 570, end: 1080 };
/** A week of 9:30 to 18:00, whose first rule asks for $50 and $20 an hour. */
const plain = (() => {
  const draft = withRules("a", "b");
  const strict = { ...ruleOf(draft), minPriceCents: 5000, minHourlyCents: 2000, bufferMinutes: 30 };
  const [day] = [NEVER_FULL];
  return withRule({ ...draft, schedule: [day, day, day, day, day, day, day] }, strict);
})();
const noticesOf = (
  a: Partial<DraftExtraRule>,
  b: Partial<DraftExtraRule> = { minPriceCents: 1, hours: SUNDAY },
) => {
  const draft = change(change(plain, "a", { ...pay(5000, 2000), ...a }), "b", { ...pay(5000, 2000), ...b });
  return Object.fromEntries(findRuleNotices(draft, ruleOf(draft)));
};
const pay = (minPriceCents: number, minHourlyCents: number) => ({
  minPriceCents,
  minHourlyCents,
  bufferMinutes: 30,
});

it.each<[string, Partial<DraftExtraRule>, boolean]>([
  ["the same", {}, true],
  ["more pay", { minPriceCents: 9000 }, true],
  ["less pay", { minPriceCents: 4000 }, false],
  ["only a higher hourly pay, whatever the block pays", { minHourlyCents: 3000, onlyHourly: true }, false],
  ["less notice", { bufferMinutes: 0 }, false],
  ["hours within the week", { hours: { days: [1, 2], start: 600, end: 700 } }, true],
  ["hours beyond the week", { hours: { days: [1, 2], start: 600, end: 1100 } }, false],
  ["hours over midnight", { hours: { days: [1], start: 1000, end: 60 } }, false],
  ["a figure that is not typed yet", { minPriceCents: null }, false],
])("says whether the first rule covers one that asks for %s", (_name, changed, isCovered) => {
  expect(noticesOf(changed)["a"]).toEqual(isCovered ? { kind: "covered", by: ["first"] } : undefined);
});

it("says that the first rule is covered by a further one, and of two equal ones only the later", () => {
  expect(noticesOf({ minPriceCents: 4000 })).toEqual({ first: { kind: "covered", by: ["a"] } });
  expect(noticesOf({ minPriceCents: 4000, hours: SUNDAY }, { minPriceCents: 4000, hours: SUNDAY })).toEqual({
    b: { kind: "covered", by: ["a"] },
  });
});

const on = (...days: number[]): Partial<DraftExtraRule> => ({ hours: { days, start: 0, end: 0 } });
const lasting = (...minutes: number[]): Partial<DraftExtraRule> => ({
  ...pay(4000, 1000),
  durations: minutesToDurations(minutes),
});

it.each<[string, Partial<DraftExtraRule>, Partial<DraftExtraRule>, boolean]>([
  ["on some days each", on(1, 2, 3, 4), on(5, 6, 7), true],
  ["on all days but one", on(1, 2, 3), on(5, 6, 7), false],
  ["for some lengths each", lasting(60, 90, 120, 150, 180), lasting(180, 210, 240, 270, 300, 360), true],
  ["for all lengths but one", lasting(60, 90, 120, 150), lasting(210, 240, 270, 300, 360), false],
  ["on some days each, one that only tells", on(1, 2, 3, 4), { ...on(5, 6, 7), action: "tell" }, false],
])("says whether two rules cover the first together that take its offers %s", (_name, a, b, isCovered) => {
  const together = { first: { kind: "covered", by: ["a", "b"] } };
  expect(noticesOf(a, b)).toEqual(isCovered ? together : {});
});

it("names no more rules than cover another together", () => {
  const halves = change(change(plain, "a", { ...pay(5000, 2000), ...on(1, 2, 3, 4) }), "b", {
    ...pay(5000, 2000),
    ...on(5, 6, 7),
  });
  const third = change(addRule(halves, ruleOf(halves), "c"), "c", { ...pay(4000, 0), ...on(1) });
  expect(Object.fromEntries(findRuleNotices(third, ruleOf(third)))).toEqual({
    first: { kind: "covered", by: ["a", "b"] },
  });
});

it("knows the hourly pay that a block pay comes to at a length, and the reverse", () => {
  const byFirst = { kind: "covered", by: ["first"] };
  expect(noticesOf({ ...lasting(240), ...pay(1, 2500) })["a"]).toEqual(byFirst);
  expect(noticesOf({ ...lasting(60), ...pay(1, 2500) })["a"]).toBeUndefined();
  expect(noticesOf({ ...lasting(60), ...pay(9000, 0) })["a"]).toEqual(byFirst);
  expect(noticesOf({ ...lasting(360), ...pay(9000, 0) })["a"]).toBeUndefined();
});

it.each<[string, Partial<DraftExtraRule>, Partial<DraftExtraRule>, boolean]>([
  ["only tells, one that takes", { action: "tell" }, { action: "take" }, false],
  ["only tells, one that asks", { action: "tell" }, { action: "ask" }, false],
  ["asks, one that takes", { action: "ask" }, { action: "take" }, false],
  ["asks, one that only tells", { action: "ask" }, { action: "tell" }, true],
  ["takes, one that asks for longer", { askSeconds: 15 }, { action: "ask", askSeconds: 120 }, true],
  ["asks, one that asks for longer", { action: "ask", askSeconds: 15 }, { action: "ask" }, false],
  ["asks, one that asks as long", { action: "ask" }, { action: "ask" }, true],
])("says whether a rule covers a later one where it %s", (_name, one, other, isCovered) => {
  const alike = { minPriceCents: 4000, hours: SUNDAY };
  expect(noticesOf({ ...alike, ...one }, { ...alike, ...other })["b"]).toEqual(
    isCovered ? { kind: "covered", by: ["a"] } : undefined,
  );
});

it("calls no rule covered where a date's other hours are for one of the two alone", () => {
  const inside = change(plain, "a", { ...pay(5000, 2000), hours: { days: [1], start: 600, end: 700 } });
  const dated: Draft = { ...inside, dates: [{ kind: "hours", date: "2026-11-26", start: 600, end: 660 }] };
  expect(findRuleNotices(inside, ruleOf(inside)).get("a")).toEqual({ kind: "covered", by: ["first"] });
  expect(findRuleNotices(dated, ruleOf(dated)).get("a")).toBeUndefined();
});

it("tells the hours after midnight apart by their day, where that day may be off", () => {
  const night = { ...pay(4000, 1000), hours: { days: [1], start: 1080, end: 120 } };
  // The whole of them, the first minute, and the last.
  for (const [start, end] of [
    [0, 120],
    [0, 1],
    [119, 120],
  ] as const) {
    const draft = change(
      change(plain, "a", { ...pay(4000, 1000), hours: { days: [2], start, end } }),
      "b",
      night,
    );
    const off: Draft = { ...draft, dates: [{ kind: "off", from: "2026-11-30", to: "2026-11-30" }] };
    expect(findRuleNotices(draft, ruleOf(draft)).get("a")).toEqual({ kind: "covered", by: ["b"] });
    expect(findRuleNotices(off, ruleOf(off)).get("a")).toBeUndefined();
  }
});

it("says that a rule takes nothing where it is for a week in which no day is on", () => {
  const off = { ...NEVER_FULL, active: false };
  const draft: Draft = {
    ...change(plain, "b", { hours: SUNDAY }),
    schedule: [off, off, off, off, off, off, off],
  };
  const kinds = (of: Draft) => [...findRuleNotices(of, ruleOf(of))].map(([key, { kind }]) => [key, kind]);
  expect(kinds(draft)).toEqual([
    ["first", "never"],
    ["a", "never"],
  ]);
  const dated: Draft = { ...draft, dates: [{ kind: "hours", date: "2026-11-26", start: 600, end: 660 }] };
  expect(kinds(dated).filter(([, kind]) => kind === "never")).toEqual([]);
});
