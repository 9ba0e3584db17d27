import { expect, it } from "vitest";
import {
  isStrongPassword,
  PASSWORD_RULES,
  validateNewPassword,
  validatePassword,
  validateRepeatedPassword,
} from "../../../web/features/account/field-validation.ts";
import { requests } from "../../../worker/identity/protocol/requests.ts";
import { m } from "../../../web/messages/messages.js";

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

it.each<[typed: string, ofNew: string | undefined, ofKnown: string | undefined]>([
  ["", m.account_password_required(), m.account_password_required()],
  ["weak", m.account_password_weak(), undefined],
  [" ", m.account_password_weak(), undefined],
  ["Abcdef1!", undefined, undefined],
  [" Abcdef1!", m.account_password_form(), undefined],
  ["Abcdef1! ", m.account_password_form(), undefined],
  [`Abcdef1!${"x".repeat(248)}`, undefined, undefined],
  [`Abcdef1!${"x".repeat(249)}`, m.account_password_form(), undefined],
])("asks of a new password %j to be strong, and of a known one to be there", (typed, ofNew, ofKnown) => {
  expect([validateNewPassword(typed), validatePassword(typed)]).toEqual([ofNew, ofKnown]);
});

it.each([
  "Abcdef1!",
  "Abc def1",
  " Abcdef1!",
  "Abcdef1!\u00a0",
  `Abcdef1!${"x".repeat(248)}`,
  `Abcdef1!${"x".repeat(249)}`,
])("takes of %j what the user pool reads", (Password) => {
  const input = { ClientId: "jornadaweb", Username: "+15550100123", Password };
  expect(validateNewPassword(Password) === undefined).toBe(requests.SignUp.safeParse(input).success);
});

it.each([
  ["Abcdef1!", undefined],
  ["Abcdef1! ", m.account_password_mismatch()],
  ["abcdef1!", m.account_password_mismatch()],
  ["", m.account_password_mismatch()],
])("takes %j for the repeated password or not", (repeated, fault) => {
  expect(validateRepeatedPassword(repeated, "Abcdef1!")).toBe(fault);
});

it("says of two empty passwords that they are missing, and not that they differ", () => {
  expect([validateNewPassword(""), validateRepeatedPassword("", "")]).toEqual([
    m.account_password_required(),
    m.account_password_required(),
  ]);
});
