import { beforeAll, expect, it } from "vitest";
import { formatRuleHours } from "../../../web/features/filters/rules/rule-labels.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";

beforeAll(() => changeLocale("en"));

it.each([
  ["every day", [1, 2, 3, 4, 5, 6, 7]],
  ["Mon to Fri", [1, 2, 3, 4, 5]],
  ["Fri to Sun", [5, 6, 7]],
  ["Sat & Sun", [6, 7]],
  ["Mon, Wed, & Fri", [1, 3, 5]],
])("a rule for certain hours says its days: %s", (expected, days) => {
  const hours = formatRuleHours({ days, start: 8 * 60, end: 18 * 60 }).replaceAll(/\s/g, " ");
  expect(hours).toBe(`${expected}, 8:00 AM to 6:00 PM`);
});
