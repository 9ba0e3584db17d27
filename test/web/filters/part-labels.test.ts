import { beforeAll, expect, it } from "vitest";
import type { DateException } from "../../../db/shapes/work/filters.ts";
import type { FilterPart } from "../../../web/features/filters/merge.ts";
import { newRule } from "../../../web/features/filters/draft.ts";
import { partLabel, partSummary } from "../../../web/features/filters/part-labels.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { BETHPAGE, clock, makeWarehouse, week } from "../../engine/fixtures.ts";

beforeAll(() => changeLocale("en"));

const NINE_TO_SIX = { start: clock("9:00"), end: clock("18:00") };
const off: DateException = { kind: "off", from: "2026-11-26", to: "2026-11-29" };
const hours: DateException = { kind: "hours", date: "2026-11-26", ...NINE_TO_SIX };
const special: DateException = { kind: "week", monday: "2026-11-23", schedule: week(540, 1080, [1]) };
const rule = newRule(BETHPAGE);

it.each<[label: string, summary: string, part: FilterPart]>([
  [
    "Hourly minimum for every warehouse",
    "at least $25/hr",
    { kind: "general", value: { isOn: true, cents: 2500 } },
  ],
  ["Hourly minimum for every warehouse", "off", { kind: "general", value: { isOn: false, cents: 2500 } }],
  ["Wednesday", "9:00 AM to 6:00 PM", { kind: "day", index: 2, value: { active: true, ...NINE_TO_SIX } }],
  ["Wednesday", "Off", { kind: "day", index: 2, value: { active: false, ...NINE_TO_SIX } }],
  [
    "Most blocks a day",
    "2 blocks a day",
    { kind: "limit", limit: "blocksPerDay", value: { isOn: true, figure: 2 } },
  ],
  [
    "Most hours a day",
    "8 hr a day",
    { kind: "limit", limit: "minutesPerDay", value: { isOn: true, figure: 480 } },
  ],
  [
    "Most hours a week",
    "40 hr a week",
    { kind: "limit", limit: "minutesPerWeek", value: { isOn: true, figure: 2400 } },
  ],
  [
    "Rest between blocks",
    "30 min rest",
    { kind: "limit", limit: "restMinutes", value: { isOn: true, figure: 30 } },
  ],
  [
    "Time between different warehouses",
    "45 min between warehouses",
    { kind: "limit", limit: "travelMinutes", value: { isOn: true, figure: 45 } },
  ],
  [
    "Pay goal for the week",
    "stop at $600 a week",
    { kind: "limit", limit: "weekGoalCents", value: { isOn: true, figure: 60_000 } },
  ],
  [
    "Pay goal for the week",
    "no limit",
    { kind: "limit", limit: "weekGoalCents", value: { isOn: false, figure: 60_000 } },
  ],
  ["Thu, Nov 26 to Sun, Nov 29", "Off", { kind: "date", date: off, value: off }],
  ["Thu, Nov 26", "9:00 AM to 6:00 PM", { kind: "date", date: hours, value: hours }],
  ["Thu, Nov 26", "as every week", { kind: "date", date: hours, value: null }],
  [
    "Mon, Nov 23 to Sun, Nov 29",
    "Mon: 9:00 AM to 6:00 PM; Tue: Off; Wed: Off; Thu: Off; Fri: Off; Sat: Off; Sun: Off",
    { kind: "date", date: special, value: special },
  ],
  [
    "Bethpage (DNY4)",
    "At least $50, $18 an hour, 45 min notice, any length.",
    { kind: "warehouse", value: { ...rule, selected: true } },
  ],
  [
    "Bethpage (DNY4)",
    "At least $50, $18 an hour, 0 min notice, any length.",
    { kind: "warehouse", value: { ...rule, selected: true, bufferMinutes: 0 } },
  ],
  ["Bethpage (DNY4)", "not selected", { kind: "warehouse", value: rule }],
])("names a part of the filters and says it: %s, %s", (label, summary, part) => {
  const plain = (text: string) => text.replaceAll(/\s/gu, " ");
  expect([partLabel(part, [makeWarehouse()]), plain(partSummary(part, "USD"))]).toEqual([label, summary]);
});
