import { expect, it } from "vitest";
import { validateCode, validateName, validatePhone } from "../../../web/features/account/field-validation.ts";
import { m } from "../../../web/messages/messages.js";

it.each<[name: string, validate: (typed: string) => string | undefined, faults: Record<string, unknown>]>([
  [
    "number",
    validatePhone,
    {
      "": m.account_phone_required(),
      " ": m.account_phone_required(),
      "555": m.account_phone_invalid(),
      "+1 (212) 555-0144": undefined,
    },
  ],
  [
    "name",
    validateName,
    {
      "": m.account_name_required(),
      "  ": m.account_name_required(),
      " A ": m.account_name_short(),
      Al: undefined,
    },
  ],
  [
    "code",
    validateCode,
    {
      "": m.code_required(),
      "12345": m.code_six(),
      "123456": undefined,
      "1234567": m.code_six(),
      "123456789": m.code_six(),
      "1234567890": undefined,
      "12345678901": m.code_six(),
      "12345a": m.code_six(),
    },
  ],
])("says what is wrong with a %s as it is typed", (_name, validate, faults) => {
  const found = Object.keys(faults).map((typed) => [typed, validate(typed)]);
  expect(found).toEqual(Object.entries(faults));
});
