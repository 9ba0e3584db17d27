import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import type { RuleHours } from "../../../db/shapes/work/filters.ts";
import { RuleHoursField } from "../../../web/features/filters/rules/rule-hours-field.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

/** The field's texts without its times of day, and the days that are on. */
async function readField(hours: RuleHours | null, error?: string) {
  const html = await htmlOfPart(createElement(RuleHoursField, { hours, error, onChange: () => undefined }));
  const days = [...html.matchAll(/<input[^>]*>/gu)].filter(([input]) => input.includes("checked"));
  const chosen = [...html.matchAll(/<option[^>]*selected[^>]*>(.*?)<\/option>/gu)].flatMap(([, text = ""]) =>
    textsIn(text),
  );
  const isOn = html.includes('aria-checked="true"');
  return {
    isOn,
    texts: textsIn(html.replaceAll(/<option.*?<\/option>/gu, "")),
    days: days.map(([input]) => /aria-label="([^"]*)"/u.exec(input)?.[1]),
    chosen,
  };
}

it("says that a rule without its own hours has those of the week", async () => {
  expect(await readField(null)).toEqual({
    isOn: false,
    texts: ["Its own days and hours", "Right now it follows your schedule."],
    days: [],
    chosen: [],
  });
});

const OWN = [
  "Its own days and hours",
  "These count instead of your schedule.",
  "Days",
  "Mon",
  "Tue",
  "Wed",
  "Thu",
  "Fri",
  "Sat",
  "Sun",
];

it("has the days and hours of a rule, and says how far they reach", async () => {
  expect(await readField({ days: [6, 7], start: 480, end: 1080 })).toEqual({
    isOn: true,
    texts: [...OWN, "–"],
    days: ["Saturday", "Sunday"],
    chosen: ["8:00 AM", "6:00 PM"],
  });
  const overnight = await readField({ days: [6], start: 1080, end: 120 });
  expect([overnight.chosen, overnight.texts.at(-1)]).toEqual([
    ["6:00 PM", "2:00 AM"],
    "until 2:00 AM the next day",
  ]);
  const whole = await readField({ days: [6], start: 480, end: 480 });
  expect([whole.chosen, whole.texts.at(-1)]).toEqual([["8:00 AM", "8:00 AM"], "all 24 hours"]);
});

it("says what is wrong beside the days", async () => {
  const { texts, days } = await readField({ days: [], start: 480, end: 1080 }, "Choose a day.");
  expect([texts, days]).toEqual([[...OWN, "Choose a day.", "–"], []]);
});
