import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { HourSheet } from "../../../web/features/hours/day-sheet.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const HOURS = [
  { hour: 8, offers: 9 },
  { hour: 32, offers: 1, captured: 1 },
  { hour: 33, offers: 5 },
  { hour: 56, offers: 2 },
];

const sheetOf = (hour: number) =>
  htmlOfPart(
    createElement(HourSheet, {
      open: { name: "Maspeth", hour, hours: HOURS },
      onHour: () => undefined,
      onClose: () => undefined,
      // oxlint-disable-next-line react/no-children-prop -- the prop's type wants it there
      children: "the hour",
    }),
  );

it("opens an hour with the two beside it and the others of its day", async () => {
  expect(textsIn(await sheetOf(33))).toEqual([
    "Tuesday, Maspeth",
    "the hour",
    "The hour before",
    "8:00 AM",
    "The hour after",
    "10:00 AM",
    "8:00 AM to 9:00 AM",
    "1 offer · 1 captured",
    "9:00 AM to 10:00 AM",
    "5 offers",
  ]);
});

it.each([
  [24, "The hour before"],
  [47, "The hour after"],
])("goes from hour %i of the week to no other day", async (hour, neighbor) => {
  const html = await sheetOf(hour);
  const disabled = [...html.matchAll(/<button[^>]*disabled=""[^>]*>(.*?)<\/button>/gu)].map(
    ([, inner = ""]) => textsIn(inner),
  );
  expect(disabled).toEqual([[neighbor]]);
});
