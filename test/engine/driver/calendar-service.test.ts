import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { CalendarService } from "../../../durable/driver/services/calendar-service.ts";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { driverId } from "../../../db/shapes/units.ts";
import { openStore } from "../../support/runtime/node-store.ts";
import { activeState, NOON } from "../fixtures.ts";

const FEED = "6f0c6f6e-5f0e-4c0c-9d56-0123456789ab";
const FORMER = "6f0c6f6e-5f0e-4c0c-9d56-0123456789ac";
const session = { id: "mine", expiresAt: NOON + 1 };

const OWNER: DriverOwner = {
  driverId: driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01"),
  phoneNumber: "+12125550100",
  language: "pt",
  timeZone: "America/Denver",
  notifications: DEFAULT_NOTIFICATION_PREFERENCES,
  reminders: DEFAULT_REMINDER_PREFERENCES,
};

function open() {
  const clock = { now: NOON };
  const store = openStore(new DatabaseSync(":memory:"), () => clock.now);
  const machine = { state: activeState(), owner: OWNER };
  const calendar = new CalendarService({ deps: { now: () => clock.now }, store, machine });
  calendar.change({ kind: "made", feedId: FEED, withPay: true, session });
  return { calendar, clock };
}

it("pauses an address when its sign-in expires, and goes on by another one for that address alone", () => {
  const { calendar, clock } = open();
  expect(calendar.feed()?.pausedAt).toBeNull();
  clock.now = session.expiresAt;
  expect(calendar.feed()?.pausedAt).toBe(session.expiresAt);
  const next = { id: "next", expiresAt: NOON + 100 };
  expect(calendar.change({ kind: "resumed", feedId: FORMER, session: next })?.pausedAt).not.toBeNull();
  expect(calendar.change({ kind: "resumed", feedId: FEED, session: next })).toMatchObject({
    session: next,
    pausedAt: null,
  });
});

it("pauses an address once, when its sign-in ended, and no other's", () => {
  const { calendar, clock } = open();
  calendar.keepSessions(["other", "mine"]);
  expect(calendar.feed()?.pausedAt).toBeNull();
  calendar.keepSessions(["other"]);
  expect(calendar.feed()?.pausedAt).toBe(NOON);
  const { language, timeZone } = OWNER;
  expect(calendar.read(FEED)).toEqual({ kind: "paused", language, timeZone, since: NOON });
  clock.now += 50;
  calendar.keepSessions([]);
  expect(calendar.feed()?.pausedAt).toBe(NOON);
});
