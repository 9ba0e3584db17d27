import { act, render, screen } from "@testing-library/react";
import { createElement, useLayoutEffect } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { noteServerTime } from "../../../web/early/server-clock.ts";
import { useNow } from "../../../web/ui/use-now.ts";
import { NOON } from "../../engine/fixtures.ts";

function Clock({ onShown }: { onShown?: () => void }) {
  const now = useNow(HOUR_MS);
  useLayoutEffect(() => onShown?.(), [onShown]);
  return createElement("output", null, now);
}

const serverIsAhead = (ms: number) => noteServerTime(Date.now() + ms, Date.now());
/** By how much the shown time is ahead of this device's. */
const shown = () => Number(screen.getByRole("status").textContent) - NOON;

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => {
  serverIsAhead(0);
  vi.useRealTimers();
});

it("is the server's as soon as its answer says how wrong the device's clock is", () => {
  render(createElement(Clock));
  const before = shown();
  act(() => serverIsAhead(-23 * HOUR_MS));
  const fast = shown();
  act(() => serverIsAhead(2 * HOUR_MS));
  expect([before, fast, shown()]).toEqual([0, -23 * HOUR_MS, 2 * HOUR_MS]);
});

it("misses no answer that arrives while it is first shown", () => {
  render(createElement(Clock, { onShown: () => serverIsAhead(2 * HOUR_MS) }));
  expect(shown()).toBe(2 * HOUR_MS);
});
