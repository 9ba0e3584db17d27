import * as fc from "fast-check";
import { expect, it } from "vitest";
import { LANGUAGES } from "../../../db/shapes/language.ts";
import { DAY_MS, driverId, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { isQuiet } from "../../../durable/driver/notify/channels.ts";
import {
  addToTextDay,
  digestText,
  eveningDelayOf,
  isTextDayOver,
  isUrgentText,
  textDayEnd,
  type TextDay,
} from "../../../durable/driver/notify/text-day.ts";
import type { DriverNotification } from "../../../durable/engine/state/types.ts";
import { segmentsOf } from "../../../durable/texts/segments.ts";
import { at, makeBlock, makeOffer, NOON } from "../fixtures.ts";

const NEW_YORK = "America/New_York";
const end = (now: string, quietHours: Parameters<typeof textDayEnd>[0]["quietHours"] = null) =>
  new Date(textDayEnd({ now: at(now), timeZone: NEW_YORK, quietHours, eveningDelayMs: 0 })).toISOString();

it.each([
  ["in the morning", "2026-06-10T08:00:00-04:00", null, "2026-06-11T00:00:00.000Z"],
  ["in the evening", "2026-06-10T20:00:00-04:00", null, "2026-06-12T00:00:00.000Z"],
  ["over the spring change", "2026-03-08T01:00:00-05:00", null, "2026-03-09T00:00:00.000Z"],
  ["over the autumn change", "2026-11-01T00:30:00-04:00", null, "2026-11-02T01:00:00.000Z"],
  [
    "before quiet hours that include it",
    "2026-06-10T12:00:00-04:00",
    { fromMinute: 19 * 60, toMinute: 6 * 60 + 30 },
    "2026-06-11T10:30:00.000Z",
  ],
  [
    "before quiet hours that end on the same day",
    "2026-06-10T12:00:00-04:00",
    { fromMinute: 18 * 60, toMinute: 21 * 60 },
    "2026-06-11T01:00:00.000Z",
  ],
  [
    "before quiet hours that begin later",
    "2026-06-10T12:00:00-04:00",
    { fromMinute: 22 * 60, toMinute: 6 * 60 },
    "2026-06-11T00:00:00.000Z",
  ],
])(
  "ends a day of texts that begins %s at eight in the evening, or when quiet hours end",
  (_when, now, quiet, ends) => {
    expect(end(now, quiet)).toBe(ends);
  },
);

it("ends every day of texts within two days, and outside quiet hours unless they never end", () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 800 * DAY_MS }),
      minute,
      minute,
      fc.uuid(),
      (offset, fromMinute, toMinute, id) => {
        const now = NOON + offset;
        const quietHours = { fromMinute, toMinute };
        const eveningDelayMs = eveningDelayOf(driverId.parse(id));
        const endsAt = textDayEnd({ now, timeZone: NEW_YORK, quietHours, eveningDelayMs });
        expect(endsAt - now).toBeGreaterThan(0);
        expect(endsAt - now).toBeLessThanOrEqual(2 * DAY_MS);
        if (fromMinute !== toMinute) expect(isQuiet(quietHours, endsAt, NEW_YORK)).toBe(false);
      },
    ),
  );
});

const clock = { now: NOON, timeZone: NEW_YORK, quietHours: null, eveningDelayMs: 0 };

it("spreads the evenings of drivers evenly over half an hour, each driver's at the same time every day", () => {
  const ids = Array.from({ length: 3000 }, (_, n) =>
    driverId.parse(`6f1f8a52-6d0e-4a26-9d3e-${String(n).padStart(12, "0")}`),
  );
  const delays = ids.map(eveningDelayOf);
  const ofMinute = Array.from(
    { length: 30 },
    (_, minute) => delays.filter((ms) => Math.floor(ms / MINUTE_MS) === minute).length,
  );
  expect(ofMinute.reduce((sum, drivers) => sum + drivers, 0)).toBe(ids.length);
  expect([Math.min(...ofMinute) > 50, Math.max(...ofMinute) < 200]).toEqual([true, true]);
  const ends = ["2026-06-10T12:00:00-04:00", "2026-06-10T20:10:00-04:00", "2026-06-10T20:20:00-04:00"].map(
    (now) => new Date(textDayEnd({ ...clock, now: at(now), eveningDelayMs: 20 * MINUTE_MS })).toISOString(),
  );
  expect(ends).toEqual(["2026-06-11T00:20:00.000Z", "2026-06-11T00:20:00.000Z", "2026-06-12T00:20:00.000Z"]);
});

it("holds back what is above the limit of its kind and loses none of it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (urgent, limit) => {
        let day: TextDay | null = null;
        let held = 0;
        for (const isUrgent of urgent) {
          const counted: ReturnType<typeof addToTextDay> = addToTextDay(day, { clock, limit, isUrgent });
          day = counted.day;
          held += counted.isHeld ? 1 : 0;
        }
        const { sent, held: kept, urgent: pressing } = day ?? { sent: 0, held: 0, urgent: 0 };
        expect([sent + pressing + kept, kept]).toEqual([urgent.length, held]);
        const wanted = urgent.filter((isUrgent) => isUrgent).length;
        expect([pressing, sent]).toEqual([Math.min(limit, wanted), Math.min(limit, urgent.length - wanted)]);
      },
    ),
  );
});

it("is over at its end, and where the clock went back", () => {
  const day = { endsAt: NOON, sent: 1, held: 1, urgent: 0 };
  expect([NOON - 1, NOON, NOON - 3 * DAY_MS].map((now) => isTextDayOver(day, now))).toEqual([
    false,
    true,
    true,
  ]);
});

const change = (kind: "renewal_ahead" | "paid") =>
  ({
    kind: "service_changed",
    change: { source: "a", kind, money: null, changedMs: null },
    until: null,
  }) as const;
it.each<[DriverNotification, boolean]>([
  [{ kind: "captured", block: makeBlock(makeOffer("a")), place: null }, false],
  [{ kind: "service_ending", endsAt: NOON, remainingMs: HOUR_MS }, false],
  [change("paid"), false],
  [change("renewal_ahead"), true],
  [{ kind: "needs_link" }, true],
  [{ kind: "news", news: { kind: "spot_opened", subject: "Queens", until: NOON } }, true],
  [{ kind: "news", news: { kind: "raffle_won", subject: "a", until: null } }, false],
])("knows what can't wait for the evening (%#)", (notification, isUrgent) => {
  expect(isUrgentText(notification)).toBe(isUrgent);
});

it.each(LANGUAGES)("says in one segment how many there were, in %s", (language) => {
  for (const held of [1, 2, 1234]) {
    const text = digestText(held, {
      language,
      productName: "Jornada",
      publicUrl: "https://jornada.example.com",
    });
    expect(text).toContain("https://jornada.example.com/flex/dashboard");
    expect(segmentsOf(text)).toMatchObject({ encoding: "gsm7", segments: 1 });
  }
  expect(digestText(2, { language, productName: "J", publicUrl: "" })).toContain("2");
});
