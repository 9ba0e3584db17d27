import * as fc from "fast-check";
import { expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import {
  nextChargeAt,
  nextRenewalStep,
  renewalRetryMs,
} from "../../../worker/payments/renewals/renewal-schedule.ts";
import { draws } from "../../support/draws.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const UNTOLD = { noticedEnd: null, noticedAt: null, noticeConfirmedAt: null };

/** Told of an end at an instant, which arrived at once. */
const noticed = (noticedEnd: number, noticedAt: number) => ({
  noticedEnd,
  noticedAt,
  noticeConfirmedAt: noticedAt,
});
type Noticed = { [Field in keyof typeof UNTOLD]: number | null };

const step = (hours: number, noticed: Noticed = UNTOLD, isQuiet = false) =>
  nextRenewalStep(noticed, { serviceUntil: NOW + hours * HOUR_MS, isQuiet, now: NOW });

it("tells two days and an hour before the end, and charges a day and an hour before", () => {
  expect(step(50)).toEqual({ kind: "wait", until: NOW + HOUR_MS });
  expect(step(49)).toEqual({ kind: "notify", chargeAt: NOW + 24 * HOUR_MS });
  const told = (hours: number) => noticed(NOW + hours * HOUR_MS, NOW - 24 * HOUR_MS);
  expect(step(26, told(26))).toEqual({ kind: "wait", until: NOW + HOUR_MS });
  expect(step(25, told(25))).toEqual({ kind: "charge" });
  expect(step(0, told(0))).toEqual({ kind: "ended" });
  expect(nextRenewalStep(UNTOLD, { serviceUntil: null, isQuiet: false, now: NOW })).toEqual({
    kind: "ended",
  });
});

it("tells of no charge that would come after the end", () => {
  expect(step(12.01)).toEqual({ kind: "notify", chargeAt: NOW + 12 * HOUR_MS });
  expect(step(12)).toEqual({ kind: "untold" });
  expect(step(1)).toEqual({ kind: "untold" });
});

it("tells anew where the end has moved", () => {
  expect(step(30, noticed(NOW + 29 * HOUR_MS, NOW))).toMatchObject({ kind: "notify" });
});

it.each([
  ["a day and an hour before the end", UNTOLD, 60, 35],
  ["half a day after it could be told of a near end", UNTOLD, 20, 12],
  ["never, where half a day is too long", UNTOLD, 12, null],
  ["half a day after it was told", noticed(NOW + 20 * HOUR_MS, NOW - 2 * HOUR_MS), 20, 10],
  ["now, where that is over", noticed(NOW + 20 * HOUR_MS, NOW - 13 * HOUR_MS), 20, 0],
  ["as if untold, where the end has moved", noticed(NOW, NOW - 13 * HOUR_MS), 20, 12],
  ["a day and an hour before an end that has moved away", noticed(NOW, NOW), 60, 35],
])("shows a driver that it will be charged %s", (_when, noticed, endsIn, chargedIn) => {
  const chargeAt = nextChargeAt(noticed, NOW + endsIn * HOUR_MS, NOW);
  expect(chargeAt).toBe(chargedIn === null ? null : NOW + chargedIn * HOUR_MS);
});

it("waits for a driver's quiet hours, eleven hours at most", () => {
  expect(step(49, UNTOLD, true)).toEqual({ kind: "wait", until: NOW + 15 * MINUTE_MS });
  expect(step(38, UNTOLD, true)).toMatchObject({ kind: "notify" });
});

it("waits longer after each failure, up to an hour", () => {
  expect([1, 2, 3, 4, 5, 9].map(renewalRetryMs)).toEqual(
    [5, 10, 20, 40, 60, 60].map((minutes) => minutes * MINUTE_MS),
  );
});

/** The events of a renewal: minutes pass, service is bought or refunded, quiet hours begin and end, a notice arrives. */
const events = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("pass" as const), minutes: fc.integer({ min: 1, max: 900 }) }),
    fc.record({ kind: fc.constant("move" as const), hours: fc.integer({ min: -80, max: 200 }) }),
    fc.record({ kind: fc.constant("quiet" as const), minutes: fc.constant(0) }),
    fc.record({ kind: fc.constant("arrive" as const), minutes: fc.constant(0) }),
  ),
  { maxLength: 60 },
);

it("is charged half a day or more after the notice of that end arrived, and never after it", () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 400 }), (history, hours) => {
      let now = NOW;
      let end = NOW + hours * HOUR_MS;
      let isQuiet = false;
      let told: Noticed = UNTOLD;
      const confirmed = new Map<number, number>();
      for (const event of history) {
        if (event.kind === "pass") now += event.minutes * MINUTE_MS;
        if (event.kind === "move") end += event.hours * HOUR_MS;
        if (event.kind === "quiet") isQuiet = !isQuiet;
        if (event.kind === "arrive" && told.noticedEnd !== null && told.noticeConfirmedAt === null) {
          told = { ...told, noticeConfirmedAt: now };
          confirmed.set(told.noticedEnd ?? 0, now);
        }
        const next = nextRenewalStep(told, { serviceUntil: end, isQuiet, now });
        if (next.kind === "wait") expect(next.until).toBeGreaterThan(now);
        if (next.kind === "notify") {
          told = { noticedEnd: end, noticedAt: now, noticeConfirmedAt: null };
          expect(next.chargeAt).toBeLessThan(end);
          expect(nextChargeAt(told, end, now)).toBe(next.chargeAt);
        }
        if (next.kind !== "charge") continue;
        expect(now).toBeLessThan(end);
        expect(end - now).toBeLessThanOrEqual(25 * HOUR_MS);
        expect(now - (confirmed.get(end) ?? now)).toBeGreaterThanOrEqual(12 * HOUR_MS);
        // Paid: the days begin at the end that was renewed.
        end += 7 * 24 * HOUR_MS;
      }
    }),
    draws({ whole: 2_000, usual: 500 }),
  );
});

it("waits for a notice to arrive until half a day before the end, and then no longer", () => {
  const sent = { ...noticed(NOW + 40 * HOUR_MS, NOW - HOUR_MS), noticeConfirmedAt: null };
  expect(step(40, sent)).toEqual({ kind: "wait", until: NOW + 15 * MINUTE_MS });
  expect(step(12, { ...sent, noticedEnd: NOW + 12 * HOUR_MS })).toEqual({ kind: "untold" });
});
