import { expect, it } from "vitest";
import { DAY_MS } from "../../db/shapes/units.ts";
import { GENEROUS, readInstant } from "../../durable/platform/fields.ts";
import { isSpanOfWork } from "../../durable/platform/parse/words.ts";

const int = (given: unknown) => GENEROUS.int.safeParse(given).data ?? null;

it("reads a whole number also as text, in the one way that can't mean another", () => {
  expect([int(7), int("7"), int(" -7 "), int("7.00")]).toEqual([7, 7, -7, 7]);
});

it.each(["", " ", "0x10", "1e3", "7.5", "7,00", "seven", null, true, [7]])(
  "reads no number in %j",
  (given) => {
    expect(int(given)).toBeNull();
  },
);

const AT = Date.UTC(2026, 10, 21, 12, 30, 5, 250);
it.each([
  "2026-11-21T12:30:05.250Z",
  "2026-11-21t12:30:05,25z",
  " 2026-11-21 12:30:05.250999 UTC ",
  "2026-11-21_12:30:05.25GMT",
  "2026-11-21T09:30:05.25-03",
  "2026-11-21T09:30:05.25-0300",
  "2026-11-21T18:00:05.25+05:30",
  AT,
  ` ${AT} `,
])("reads %j as the instant that it is", (given) => {
  expect(readInstant(given)).toBe(AT);
});

it("reads an instant without seconds, and one in seconds", () => {
  expect([readInstant("2026-11-21T12:30Z"), readInstant(String(AT).slice(0, 10))]).toEqual([
    AT - 5_250,
    AT - 250,
  ]);
});

it.each([
  "2026-11-21T12:30:05.250",
  "on 2026-11-21T12:30:05Z",
  "2026-11-21T12:30:05Z or later",
  "2026-11-21",
  "2026-13-01T12:30:05Z",
  "1969-12-31T23:59:59Z",
  `n${AT}`,
  `${AT}0`,
  AT / 1000,
  null,
])("reads no instant in %j", (given) => {
  expect(readInstant(given)).toBeNull();
});

it("refuses a field whose instant can't be read", () => {
  expect([GENEROUS.instant.safeParse(AT).data, GENEROUS.instant.safeParse("soon").success]).toEqual([
    AT,
    false,
  ]);
});

it("takes a block of a day at most for one", () => {
  const spans = [0, 1, DAY_MS, DAY_MS + 1];
  expect(spans.map((length) => isSpanOfWork({ startsAt: AT, endsAt: AT + length }))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
