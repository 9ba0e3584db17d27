import { expect, it } from "vitest";
import { fullestHour } from "../../../web/features/hours/day-sheet.tsx";

it("opens a day at its fullest hour, the first of several, and at noon where none has an offer", () => {
  const hours = [
    { hour: 8, offers: 9 },
    { hour: 24, offers: 2 },
    { hour: 30, offers: 5 },
    { hour: 40, offers: 5 },
    { hour: 41, offers: 1 },
  ];
  expect([0, 1, 2].map((day) => fullestHour(hours, day))).toEqual([8, 30, 60]);
});
