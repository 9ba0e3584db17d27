import { expect, it } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { withNotified, type Told } from "../../../durable/driver/notify/told.ts";
import type { DriverNotification } from "../../../durable/engine/state/types.ts";
import { makeBlock, makeOffer, NOON } from "../fixtures.ts";

const verification: DriverNotification = { kind: "verification_required" };
const captured = (name: string): DriverNotification => ({
  kind: "captured",
  block: makeBlock(makeOffer(name)),
  place: null,
});

/** Which of these are sent, each so many minutes after noon. */
function sent(...given: [DriverNotification, number][]): boolean[] {
  let told: Told = {};
  return given.map(([notification, minutes]) => {
    const next = withNotified(told, notification, NOON + minutes * MINUTE_MS);
    told = next ?? told;
    return next !== null;
  });
}

it("sends no kind of notification twice within ten minutes, however often it becomes true", () => {
  expect(sent([verification, 0], [verification, 1], [verification, 9.9], [verification, 10])).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

it("sends one for each block, and other kinds beside it", () => {
  expect(sent([captured("a"), 0], [captured("b"), 0], [captured("a"), 1], [verification, 1])).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

it("forgets what was told longer ago, and what a clock that went back will tell", () => {
  const told = { verification_required: NOON + MINUTE_MS, unreadable: NOON - 11 * MINUTE_MS };
  expect(withNotified(told, verification, NOON)).toEqual({ verification_required: NOON });
});
