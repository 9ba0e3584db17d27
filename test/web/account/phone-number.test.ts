import { expect, it } from "vitest";
import { reformatPhoneInput, formatPhone, toE164 } from "../../../locales/phone-number.ts";

it.each([
  ["3055550123", "+13055550123"],
  ["13055550123", "+13055550123"],
  ["+1 (305) 555-0123", "+13055550123"],
  ["  305.555.0123 ", "+13055550123"],
  ["1-305-555-0123", "+13055550123"],
  ["305555012", null],
  ["30555501234", null],
  ["1305555012", null],
  ["+52 305 555 0123", null],
  ["305-CALL-NOW", null],
  ["", null],
])("reads %j as %j", (typed, number) => {
  expect(toE164(typed)).toBe(number);
});

it.each([
  ["+13055550123", "+1 (305) 555-0123"],
  ["3055550123", "+1 (305) 555-0123"],
  ["525512345678", "525512345678"],
  ["305", "305"],
])("shows %j as %j", (number, shown) => {
  expect(formatPhone(number)).toBe(shown);
});

const type = (keys: string) =>
  [...keys].reduce(
    (field, key) => {
      const text = field.text.slice(0, field.caret) + key + field.text.slice(field.caret);
      return reformatPhoneInput(field.text, { text, caret: field.caret + 1 });
    },
    {
      text: "",
      caret: 0,
    },
  );

it.each([
  ["3055550123", "+1 (305) 555-0123"],
  ["13055550123", "+1 (305) 555-0123"],
  ["+13055550123", "+1 (305) 555-0123"],
  ["305", "+1 (305"],
  ["3055", "+1 (305) 5"],
])("gives %j its shape as it is typed", (keys, text) => {
  expect(type(keys)).toEqual({ text, caret: text.length });
});

it("takes a pasted number in any form", () => {
  const text = "tel: 305.555.0123";
  expect(reformatPhoneInput("", { text, caret: text.length }).text).toBe("+1 (305) 555-0123");
});

it("leaves a number with too many digits, or of another country, as it was given", () => {
  expect(reformatPhoneInput("", { text: "+525512345678", caret: 13 }).text).toBe("+525512345678");
  expect(reformatPhoneInput("", { text: "+1 (305) 555-01234", caret: 18 }).text).toBe("+1 (305) 555-01234");
});

it("deletes the digit before a bracket that is deleted", () => {
  expect(reformatPhoneInput("+1 (305) 5", { text: "+1 (305 5", caret: 7 })).toEqual({
    text: "+1 (305",
    caret: 6,
  });
});

it("keeps the caret at its digit in the middle of the number", () => {
  expect(reformatPhoneInput("+1 (305) 555-012", { text: "+1 (3905) 555-012", caret: 6 })).toEqual({
    text: "+1 (390) 555-5012",
    caret: 6,
  });
});

it("can be emptied from its end", () => {
  let field = { text: "+1 (305", caret: 7 };
  for (let times = 0; times < 3; times += 1) {
    const text = field.text.slice(0, -1);
    field = reformatPhoneInput(field.text, { text, caret: text.length });
  }
  expect(field.text).toBe("");
});
