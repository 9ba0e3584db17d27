import { expect, it } from "vitest";
import { nextCodeAt } from "../../../web/features/account/account-store.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";

const TO = "+15550100144";
const SINCE = 1_000_000;
const AT = SINCE + 600_000;

it.each([
  ["at once after the first", 1, 0],
  ["half a minute after the second", 2, AT + 30_000],
  ["half a minute after the third", 3, AT + 30_000],
  ["an hour after the first, once four were sent", 4, SINCE + HOUR_MS],
])("another code is sent %s", (_when, count, at) => {
  expect(nextCodeAt({ codeSent: { to: TO, at: AT, since: SINCE, count } }, TO)).toBe(at);
});

it("a number that has had no code gets one at once", () => {
  const codeSent = { to: "+15550100145", at: AT, since: SINCE, count: 4 };
  expect([nextCodeAt({ codeSent }, TO), nextCodeAt({ codeSent: null }, TO)]).toEqual([0, 0]);
});
