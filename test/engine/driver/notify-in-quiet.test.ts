import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { driverId, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { notifyDriver } from "../../../durable/driver/notify/notify.ts";
import type { DriverNotification } from "../../../durable/engine/state/types.ts";
import { openStore } from "../../support/runtime/node-store.ts";
import { activeState, makeBlock, makeOffer, NOON } from "../fixtures.ts";

const minuteOf = (at: number) => Math.floor(at / MINUTE_MS) % 1440;

const OWNER: DriverOwner = {
  driverId: driverId.parse("driver-1"),
  phoneNumber: "+15550100100",
  language: "en",
  timeZone: "UTC",
  notifications: {
    ...DEFAULT_NOTIFICATION_PREFERENCES,
    quietHours: { fromMinute: minuteOf(NOON - HOUR_MS), toMinute: minuteOf(NOON + HOUR_MS) },
  },
  reminders: DEFAULT_REMINDER_PREFERENCES,
};

const config = { productName: "P", publicUrl: "https://p.example", vapid: null, texts: { perDriver: 20 } };

const news = (kind: "raffle_won" | "spot_opened"): DriverNotification => ({
  kind: "news",
  news: { kind, subject: "june", until: null },
});

it.each<[DriverNotification, now: string[], later: string[]]>([
  [{ kind: "no_service", waitingForSpot: false }, [], ["quiet_over"]],
  [{ kind: "service_ending", endsAt: NOON + 9 * HOUR_MS, remainingMs: HOUR_MS }, [], ["quiet_over"]],
  [news("raffle_won"), [], ["quiet_over"]],
  [news("spot_opened"), ["text"], ["text"]],
  [{ kind: "captured", block: makeBlock(makeOffer("a")), place: null }, [], []],
])("%j in quiet hours is queued as %j then, and as %j at their end", (notification, now, later) => {
  const store = openStore(new DatabaseSync(":memory:"));
  const deps = { owner: OWNER, state: activeState(), store, config: config as never };
  notifyDriver(notification, { ...deps, now: NOON });
  const kinds = (at: number) => store.outbox.due(at).map(({ item }) => item.kind);
  expect([kinds(NOON + HOUR_MS - 1), kinds(NOON + HOUR_MS)]).toEqual([now, later]);
  // By day it is told at once.
  notifyDriver(notification, { ...deps, now: NOON + HOUR_MS });
  expect(kinds(NOON + HOUR_MS).at(-1)).toBe("text");
});
