import { describe, expect, it } from "vitest";
import { notificationEventOf, channelsFor, quietEnd } from "../../../durable/driver/notify/channels.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { Question } from "../../../db/shapes/work/question.ts";
import type { DriverNotification } from "../../../durable/engine/state/types.ts";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
  type GiveBackReminder,
  type QuietHours,
} from "../../../db/shapes/notifications.ts";

const captured: DriverNotification = { kind: "captured", block: {} as Block, place: null };
const needsLink: DriverNotification = { kind: "needs_link" };
const silence: DriverNotification = { kind: "silence_suspected" };
const asked: DriverNotification = { kind: "asked", question: {} as Question };
const noService: DriverNotification = { kind: "no_service", waitingForSpot: false };

const reminder = (kind: GiveBackReminder): DriverNotification => ({
  kind: "give_back_ahead",
  block: {} as Block,
  reminder: kind,
  until: 0,
  others: 0,
});

const beforeShift: DriverNotification = {
  kind: "before_shift",
  startsAt: 0,
  timeZone: "UTC",
  need: "link_ended",
  more: 0,
};

const BOTH = { text: true, push: true };
const NONE = { text: false, push: false };

const channelsAt = (
  notification: DriverNotification,
  { at, quietHours, timeZone = "UTC" }: { at: string; quietHours: QuietHours | null; timeZone?: string },
) => {
  const settings = { ...DEFAULT_NOTIFICATION_PREFERENCES, quietHours };
  const reminders = DEFAULT_REMINDER_PREFERENCES;
  return channelsFor(notification, { settings, reminders, now: Date.parse(at), timeZone });
};

describe("a notification", () => {
  it.each([
    [captured, "captured"],
    [needsLink, "needs_you"],
    [{ kind: "verification_required" }, "needs_you"],
    [noService, "service"],
    [silence, "silence"],
    [reminder("give_back_90"), "give_back_90"],
    [reminder("give_back_60"), "give_back_60"],
    [beforeShift, "before_shift"],
  ] as const)("like %o belongs to %s", (notification, event) => {
    expect(notificationEventOf(notification)).toBe(event);
  });

  it("is sent by the channels chosen for its group", () => {
    const chosen = { ...DEFAULT_NOTIFICATION_PREFERENCES, captured: { text: false, push: true } };
    const decide = (notification: DriverNotification) =>
      channelsFor(notification, {
        settings: chosen,
        reminders: DEFAULT_REMINDER_PREFERENCES,
        now: 0,
        timeZone: "UTC",
      });
    expect([decide(captured), decide(needsLink), decide(noService), decide(silence)]).toEqual([
      { text: false, push: true },
      BOTH,
      BOTH,
      { text: false, push: true },
    ]);
  });
});

describe("quiet hours", () => {
  const night = { fromMinute: 22 * 60, toMinute: 6 * 60 };
  const noon = { fromMinute: 12 * 60, toMinute: 13 * 60 + 30 };

  it.each([
    ["before the night", night, "2026-11-21T21:59:59Z", "UTC", false],
    ["at its first minute", night, "2026-11-21T22:00:00Z", "UTC", true],
    ["at midnight", night, "2026-11-22T00:00:00Z", "UTC", true],
    ["in its last minute", night, "2026-11-22T05:59:59Z", "UTC", true],
    ["at its end", night, "2026-11-22T06:00:00Z", "UTC", false],
    ["at noon of the next day", night, "2026-11-22T12:00:00Z", "UTC", false],
    ["before a span within one day", noon, "2026-11-22T11:59:00Z", "UTC", false],
    ["within it", noon, "2026-11-22T13:29:00Z", "UTC", true],
    ["at its end", noon, "2026-11-22T13:30:00Z", "UTC", false],
    ["in the driver's time zone, at night there", night, "2026-11-22T03:30:00Z", "America/New_York", true],
    [
      "in the driver's time zone, during the day there",
      night,
      "2026-11-22T15:00:00Z",
      "America/Los_Angeles",
      false,
    ],
    ["after the clocks went forward in the night", night, "2026-03-08T09:59:00Z", "America/New_York", true],
    ["at six after that night", night, "2026-03-08T10:00:00Z", "America/New_York", false],
    ["after the clocks went back in the night", night, "2026-11-01T10:59:00Z", "America/New_York", true],
    ["at six after that night", night, "2026-11-01T11:00:00Z", "America/New_York", false],
    [
      "all day if start and end are equal",
      { fromMinute: 480, toMinute: 480 },
      "2026-11-22T07:59:00Z",
      "UTC",
      true,
    ],
  ] as const)("%s", (_when, quietHours, at, timeZone, isQuiet) => {
    expect(channelsAt(captured, { at, quietHours, timeZone })).toEqual(isQuiet ? NONE : BOTH);
  });

  it("allow only what needs the driver", () => {
    const at = "2026-11-22T02:00:00Z";
    const decide = (notification: DriverNotification) => channelsAt(notification, { at, quietHours: night });
    expect([decide(needsLink), decide({ kind: "verification_required" })]).toEqual([BOTH, BOTH]);
    expect([decide(captured), decide(noService), decide(silence)]).toEqual([NONE, NONE, NONE]);
  });

  it("let a question through by push alone, which nobody could answer at their end", () => {
    expect(channelsAt(asked, { at: "2026-11-22T02:00:00Z", quietHours: night })).toEqual({
      text: false,
      push: DEFAULT_NOTIFICATION_PREFERENCES.question.push,
    });
    expect(DEFAULT_NOTIFICATION_PREFERENCES.question.push).toBe(true);
  });
});

it.each([
  ["of a night, in the evening", "2026-11-21T23:00:00Z", "UTC", "2026-11-22T06:00:00Z"],
  ["of a night, in the morning", "2026-11-22T05:59:00Z", "UTC", "2026-11-22T06:00:00Z"],
  ["of the night that lacks an hour", "2026-03-08T03:30:00Z", "America/New_York", "2026-03-08T10:00:00Z"],
  ["of the night that has an hour twice", "2026-11-01T02:30:00Z", "America/New_York", "2026-11-01T11:00:00Z"],
  ["of no night by day", "2026-11-22T12:00:00Z", "UTC", null],
])("knows the end of quiet hours %s", (_when, at, timeZone, end) => {
  const found = quietEnd({ fromMinute: 22 * 60, toMinute: 6 * 60 }, Date.parse(at), timeZone);
  expect(found === null ? null : new Date(found).toISOString()).toBe(end?.replace("Z", ".000Z") ?? null);
});

it("knows no end of quiet hours that never end", () => {
  expect(quietEnd({ fromMinute: 480, toMinute: 480 }, 0, "UTC")).toBeNull();
  expect(quietEnd(null, 0, "UTC")).toBeNull();
});
