import { expect, it } from "vitest";
import { shiftPush, shiftText } from "../../../durable/driver/notify/shift-messages.ts";
import { NOON } from "../fixtures.ts";

const CONTEXT = { language: "en", productName: "Jornada", publicUrl: "https://jornada.test" } as const;

/** The address in the message before a shift, as a text and as a push message. */
function addressesOf(more: number) {
  const shift = { kind: "before_shift", startsAt: NOON, timeZone: "UTC", need: "link_ended", more } as const;
  return [/https:\/\/\S+/.exec(shiftText(shift, CONTEXT))?.[0], shiftPush(shift, CONTEXT).url];
}

it("leads to the tap that mends the one thing that needs the driver, and to the list of several", () => {
  expect(addressesOf(0)).toEqual(["https://jornada.test/flex/login", "/flex/login"]);
  expect(addressesOf(1)).toEqual(["https://jornada.test/flex/checks", "/flex/checks"]);
});
