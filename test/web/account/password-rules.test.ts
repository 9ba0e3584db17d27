import { expect, it } from "vitest";
import { isStrongPassword, PASSWORD_RULES } from "../../../web/features/account/field-validation.ts";

it.each([
  ["Abcdef1!", []],
  ["Abcde1!", ["length"]],
  ["abcdef1!", ["uppercase"]],
  ["ABCDEF1!", ["lowercase"]],
  ["Abcdefg!", ["number"]],
  ["Abcdefg1", ["special"]],
  ["Abcdef1 ", ["special"]],
  ["Abc def1", []],
  ["", ["length", "uppercase", "lowercase", "number", "special"]],
])("says of %j what it lacks", (password, lacks) => {
  const open = Object.entries(PASSWORD_RULES).filter(([, holds]) => !holds(password));
  expect(open.map(([rule]) => rule)).toEqual(lacks);
  expect(isStrongPassword(password)).toBe(lacks.length === 0);
});
