import { describe, expect, it } from "vitest";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
  type QuietHours,
} from "../../../db/shapes/notifications.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { driverId, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { daytimeAfter, LostDayMessage } from "../../../durable/driver/services/lost-day-message.ts";
import type { ReturnedDay } from "../../../durable/driver/storage/stored-shapes.ts";
import { at } from "../fixtures.ts";

const OWNER: DriverOwner = {
  driverId: driverId.parse("driver-1"),
  phoneNumber: "+15550100100",
  language: "en",
  timeZone: "America/New_York",
  notifications: DEFAULT_NOTIFICATION_PREFERENCES,
  reminders: DEFAULT_REMINDER_PREFERENCES,
};
const MIDNIGHT = at("2026-06-11T00:20:00-04:00");
const NINE = at("2026-06-11T09:00:00-04:00");
const day = (date: string): ReturnedDay => ({ date, lostMs: 2 * HOUR_MS, givenMs: 2 * HOUR_MS });

/** The message of a driver whose object lives on, or begins anew with what it stored. */
function open(given: { owner?: DriverOwner | null } = {}) {
  const { owner = OWNER } = given;
  const kept = { now: MIDNIGHT, days: [] as ReturnedDay[], sent: [] as string[] };
  const start = () =>
    new LostDayMessage({
      now: () => kept.now,
      machine: { owner },
      stored: {
        returnedDays: () => kept.days,
        write: (_field, value) => void (kept.days = value as ReturnedDay[]),
      },
      notify: ({ date }) => void kept.sent.push(date),
    });
  return { kept, start };
}

describe("a day that was given back", () => {
  it("waits for the driver's new quiet hours to end once these have changed", () => {
    const machine = { owner: OWNER };
    const message = new LostDayMessage({
      now: () => MIDNIGHT,
      machine,
      stored: { returnedDays: () => [day("2026-06-10")], write: () => {} },
      notify: () => {},
    });
    expect(message.nextAt()).toBe(NINE);
    machine.owner = {
      ...OWNER,
      notifications: { ...OWNER.notifications, quietHours: hours(22, 10) },
    };
    expect(message.nextAt()).toBe(NINE + HOUR_MS);
  });

  it("waits for the next morning in an object that slept until the evening", () => {
    const { kept, start } = open();
    const message = start();
    message.add(day("2026-06-10"));
    expect(message.nextAt()).toBe(NINE);
    kept.now = NINE + 12 * HOUR_MS + MINUTE_MS;
    expect([message.run(OWNER), kept.sent, message.nextAt()]).toEqual([false, [], NINE + 24 * HOUR_MS]);
    kept.now = NINE + 24 * HOUR_MS + MINUTE_MS;
    expect([message.run(OWNER), kept.sent]).toEqual([true, ["2026-06-10"]]);
  });

  it("is told in the morning, once whatever restarts", () => {
    const { kept, start } = open();
    const first = start();
    expect(first.nextAt()).toBeNull();
    first.add(day("2026-06-10"));
    expect([first.nextAt(), start().nextAt(), first.run(OWNER)]).toEqual([NINE, NINE, false]);
    kept.now = NINE + MINUTE_MS;
    expect([first.run(OWNER), first.run(OWNER), start().run(OWNER)]).toEqual([true, false, false]);
    expect([kept.sent, kept.days, first.nextAt()]).toEqual([["2026-06-10"], [], null]);
  });

  it("waits with the other days of a long outage, of which the last three are told", () => {
    const { kept, start } = open();
    const first = start();
    for (const date of ["2026-06-07", "2026-06-08", "2026-06-09", "2026-06-10"]) first.add(day(date));
    kept.now = NINE;
    expect(start().run(OWNER)).toBe(true);
    expect(kept.sent).toEqual(["2026-06-08", "2026-06-09", "2026-06-10"]);
  });

  it("is not told to a driver who is gone", () => {
    const gone = open({ owner: null });
    gone.kept.days = [day("2026-06-10")];
    const erased = open();
    erased.kept.days = [day("2026-06-10")];
    const message = erased.start();
    message.forget();
    expect([gone.start().nextAt(), message.nextAt(), message.run(OWNER)]).toEqual([null, null, false]);
  });
});

const hours = (from: number, to: number): QuietHours => ({ fromMinute: from * 60, toMinute: to * 60 });

it.each<[string, string, QuietHours | null, string, string]>([
  ["at once by day", "2026-06-11T15:00:00-04:00", null, "America/New_York", "2026-06-11T15:00:00-04:00"],
  ["in the morning", "2026-06-11T00:10:00-04:00", null, "America/New_York", "2026-06-11T09:00:00-04:00"],
  ["the next morning", "2026-06-11T21:00:00-04:00", null, "America/New_York", "2026-06-12T09:00:00-04:00"],
  [
    "after quiet hours",
    "2026-06-11T00:10:00-04:00",
    hours(22, 10),
    "America/New_York",
    "2026-06-11T10:00:00-04:00",
  ],
  [
    "to one who works at night, when they get up",
    "2026-06-11T10:00:00-07:00",
    hours(8, 17),
    "America/Los_Angeles",
    "2026-06-11T17:00:00-07:00",
  ],
  [
    "on the day of an hour less",
    "2026-03-08T00:10:00-05:00",
    null,
    "America/New_York",
    "2026-03-08T09:00:00-04:00",
  ],
  [
    "on the day of an hour more",
    "2026-11-01T00:10:00-07:00",
    null,
    "America/Los_Angeles",
    "2026-11-01T09:00:00-08:00",
  ],
])("tells %s", (_case, now, quietHours, timeZone, expected) => {
  expect(daytimeAfter(at(now), { timeZone, quietHours })).toBe(at(expected));
});
