import { expect, it } from "vitest";
import {
  validatePreferredPhone,
  parsePreferredPhone,
  formatPreferredPhone,
} from "../../../web/features/profile/personal-details.tsx";
import { m } from "../../../web/messages/messages.js";

it.each([
  ["", undefined],
  ["  ", undefined],
  ["+1 (555) 010-7788", undefined],
  ["5550107788", m.profile_phone_country()],
  ["15550107788", m.profile_phone_country()],
  ["+1", m.profile_phone_short()],
  ["+1 (555) 010", m.profile_phone_short()],
  ["+1555010778", m.profile_phone_short()],
  ["+1 555 010 77889", m.profile_phone_long()],
  ["+44 20 7946 0958", m.profile_phone_country()],
  ["555 010 7788 ext. 12", m.profile_phone_digits()],
])("finds in %j what is wrong, if anything", (typed, fault) => {
  expect(validatePreferredPhone(typed)).toBe(fault);
});

it("stores ten digits after +1, or nothing, and shows them laid out", () => {
  expect([parsePreferredPhone(" "), parsePreferredPhone("(555) 010-7788")]).toEqual([null, "+15550107788"]);
  expect([formatPreferredPhone(null), formatPreferredPhone("+15550107788")]).toEqual([
    "",
    "+1 (555) 010-7788",
  ]);
});
