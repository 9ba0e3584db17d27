import { expect, it } from "vitest";
import { GENEROUS } from "../../durable/platform/fields.ts";

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
