import { expect, it } from "vitest";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import { DAY_MS, driverId, HOUR_MS } from "../../../db/shapes/units.ts";
import type { OutboxItem } from "../../../durable/driver/storage/stored-shapes.ts";
import type { TextDay } from "../../../durable/driver/notify/text-day.ts";
import {
  closeTextDay,
  digestDueAt,
  holdStoppedText,
  queueText,
} from "../../../durable/driver/notify/text-queue.ts";
import { parseConfig } from "../../../durable/runtime/config.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { NOON } from "../fixtures.ts";

const owner = {
  driverId: driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01"),
  phoneNumber: "+12125550100",
  language: "en",
  timeZone: "America/New_York",
  notifications: DEFAULT_NOTIFICATION_PREFERENCES,
  reminders: DEFAULT_REMINDER_PREFERENCES,
} as const;

/** A driver's queue of texts with a day that is as given. */
function openQueue(day: TextDay | null) {
  const queued: OutboxItem[] = [];
  const kept = { day };
  const store = {
    state: {
      textDay: () => kept.day,
      writeTextDay: (changed: TextDay | null) => void (kept.day = changed),
    },
    outbox: { add: (item: OutboxItem) => void queued.push(item) },
  };
  const config = parseConfig({ ...DEMO_SETTINGS, DB: {}, DRIVER: {}, ASSETS: {} });
  return { queued, kept, store, context: (now: number) => ({ owner, store, config, now }) };
}

it("keeps what a digest sums up for the next evening where the ceiling stops the digest", () => {
  const { queued, kept, store, context } = openQueue({ endsAt: NOON, sent: 20, held: 7, urgent: 0 });
  closeTextDay(context(NOON));
  expect([kept.day, queued]).toEqual([null, [expect.objectContaining({ kind: "text", notifications: 7 })]]);
  holdStoppedText(7, context(NOON));
  expect(kept.day).toMatchObject({ sent: 0, held: 7, urgent: 0 });
  const dueAt = digestDueAt(store) ?? 0;
  expect([dueAt > NOON, dueAt <= NOON + DAY_MS]).toEqual([true, true]);
  closeTextDay(context(dueAt));
  expect(queued.at(-1)).toMatchObject({ notifications: 7 });
});

it("keeps a text that the day's end came before, where the ceiling stops it", () => {
  const { queued, kept, context } = openQueue({ endsAt: NOON + HOUR_MS, sent: 3, held: 0, urgent: 0 });
  queueText({ body: "A block", about: { kind: "needs_link" }, isUrgent: false }, context(NOON));
  closeTextDay(context(NOON + HOUR_MS));
  expect([kept.day, queued.length]).toEqual([null, 1]);
  holdStoppedText(1, context(NOON + HOUR_MS));
  expect(kept.day).toMatchObject({ sent: 0, held: 1, urgent: 0 });
});

it("adds a text that the ceiling stops to the digest of its own day", () => {
  const { kept, context } = openQueue({ endsAt: NOON + HOUR_MS, sent: 3, held: 1, urgent: 0 });
  holdStoppedText(1, context(NOON));
  expect(kept.day).toEqual({ endsAt: NOON + HOUR_MS, sent: 3, held: 2, urgent: 0 });
});
