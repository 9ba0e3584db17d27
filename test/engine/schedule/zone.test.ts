import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { createZone } from "../../../durable/engine/schedule/zone.ts";
import { at } from "../fixtures.ts";

/** A wall-clock time as the number that a zone works with. */
const wall = (text: string) => at(`${text}Z`);
const newYork = createZone("America/New_York");

describe("an instant of a wall clock", () => {
  it.each([
    ["just before the hour that is skipped", "2026-03-08T01:59", "2026-03-08T01:59-05:00"],
    ["where that hour begins", "2026-03-08T02:00", "2026-03-08T03:00-04:00"],
    ["inside it", "2026-03-08T02:30", "2026-03-08T03:00-04:00"],
    ["where it ends", "2026-03-08T03:00", "2026-03-08T03:00-04:00"],
    ["just before the hour that comes twice", "2026-11-01T00:59", "2026-11-01T00:59-04:00"],
    ["where it ended for the second time", "2026-11-01T02:00", "2026-11-01T02:00-05:00"],
    ["hours before a change", "2026-03-07T20:00", "2026-03-07T20:00-05:00"],
    ["hours after a change", "2026-03-08T08:00", "2026-03-08T08:00-04:00"],
  ])("is one and the same for both edges %s", (_when, shown, instant) => {
    expect(newYork.instantOf(wall(shown), "opening")).toBe(at(instant));
    expect(newYork.instantOf(wall(shown), "closing")).toBe(at(instant));
  });

  it.each(["2026-11-01T01:00", "2026-11-01T01:59"])(
    "is the earlier or the later one where %s comes twice",
    (shown) => {
      const opening = at(`${shown}-04:00`);
      expect(newYork.instantOf(wall(shown), "opening")).toBe(opening);
      expect(newYork.instantOf(wall(shown), "closing")).toBe(opening + HOUR_MS);
    },
  );

  it.each([
    ["UTC", "2026-06-10T12:00", "2026-06-10T12:00Z"],
    ["Pacific/Kiritimati", "2026-06-10T12:00", "2026-06-10T12:00+14:00"],
    ["Pacific/Pago_Pago", "2026-06-10T12:00", "2026-06-10T12:00-11:00"],
    // It left out a whole day.
    ["Pacific/Apia", "2011-12-30T12:00", "2011-12-31T00:00+14:00"],
  ])("is found far from Greenwich: %s", (timeZone, shown, instant) => {
    const zone = createZone(timeZone);
    expect(zone.instantOf(wall(shown), "opening")).toBe(at(instant));
  });

  it("is the same whatever was asked before, however often the clock has changed since", () => {
    const zone = createZone("America/New_York");
    const noons = Array.from({ length: 40 }, (_, year) => `${2000 + year}-01-10T12:00`);
    const first = noons.map((shown) => zone.instantOf(wall(shown), "opening"));
    expect(first).toEqual(noons.map((shown) => at(`${shown}-05:00`)));
    expect(noons.toReversed().map((shown) => zone.instantOf(wall(shown), "opening"))).toEqual(
      first.toReversed(),
    );
    expect(zone.wallAt(at("2026-07-01T12:00-04:00"))).toBe(wall("2026-07-01T12:00"));
    expect(zone.wallAt(at("2026-01-01T12:00-05:00"))).toBe(wall("2026-01-01T12:00"));
  });
});
