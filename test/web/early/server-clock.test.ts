import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { noteServerTime, serverNow, toServerTime } from "../../../web/early/server-clock.ts";

const NOW = Date.UTC(2026, 10, 28, 12);
const MINUTE_MS = 60_000;

beforeEach(() => vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
afterEach(() => {
  noteServerTime(Date.now(), Date.now());
  vi.useRealTimers();
});

it.each([
  ["right, after an answer that took no time", { at: 0, askedAt: 0 }, 0],
  ["right, after an answer that was on its way for long", { at: -4_000, askedAt: -9_000 }, 0],
  ["right, after an answer that waited for the code that reads it", { at: -9_000, askedAt: -9_000 }, 0],
  ["fast by an hour", { at: -60 * MINUTE_MS, askedAt: -2_000 }, -60 * MINUTE_MS + 2_000],
  ["slow by an hour", { at: 60 * MINUTE_MS, askedAt: -2_000 }, 60 * MINUTE_MS],
  ["slow by less than the answer took", { at: 500, askedAt: -2_000 }, 500],
])("a device's clock is %s", (_clock, { at, askedAt }, offset) => {
  noteServerTime(NOW + at, NOW + askedAt);
  expect(serverNow() - NOW).toBe(offset);
  expect(toServerTime(NOW - 7)).toBe(NOW - 7 + offset);
});

it("a clock that is set right counts as right from the next answer on", () => {
  noteServerTime(NOW + 60 * MINUTE_MS, NOW);
  vi.setSystemTime(NOW + 60 * MINUTE_MS);
  noteServerTime(Date.now(), Date.now());
  expect(serverNow()).toBe(Date.now());
});
