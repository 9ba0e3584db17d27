import { createElement } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { Plot } from "../../../web/console/plots/plot.tsx";
import { DEVICE_TIME_ZONE, formatClock, formatDate } from "../../../web/features/language/format.ts";
import { renderPart } from "../../support/rendered-part.ts";

/** The texts that were drawn, in their order. */
let drawn: string[];

beforeEach(() => {
  drawn = [];
  // A canvas that takes everything and notes texts, which happy-dom's doesn't.
  const context = new Proxy({} as Record<string, unknown>, {
    get: (kept, name: string) =>
      kept[name] ?? (name === "fillText" ? (text: string) => drawn.push(text) : () => undefined),
  });
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context as never);
  vi.stubGlobal("Path2D", function Path() {
    return new Proxy({}, { get: () => () => undefined });
  });
  vi.stubGlobal(
    "ResizeObserver",
    class {
      readonly #report: (entries: { contentRect: { width: number } }[]) => void;
      constructor(report: (entries: { contentRect: { width: number } }[]) => void) {
        this.#report = report;
      }
      observe(): void {
        this.#report([{ contentRect: { width: 800 } }]);
      }
      disconnect(): void {}
    },
  );
});
afterEach(() => void vi.restoreAllMocks());

/** The labels below a picture of values from an instant on. */
async function labelsOf(from: number, span: number, count: number): Promise<string[]> {
  const at = Array.from({ length: count }, (_, index) => from + index * span);
  const series = [{ label: "Polls", color: "ink" as const, kind: "line" as const, values: at.map(() => 1) }];
  await renderPart(createElement(Plot, { at, span, series, formatValue: (value) => `${value} polls` }));
  await expect.poll(() => drawn.length).toBeGreaterThan(0);
  return drawn.filter((text) => !text.endsWith(" polls"));
}

it("names hours by the clock, and the day where one begins among them", async () => {
  const midnight = new Date(2026, 5, 3).getTime();
  const labels = await labelsOf(midnight - 12 * HOUR_MS, HOUR_MS, 24);
  const date = formatDate(midnight, DEVICE_TIME_ZONE);
  expect(labels.filter((label) => label === date)).toEqual([date]);
  expect(labels).toContain(formatClock(midnight - 3 * HOUR_MS, DEVICE_TIME_ZONE));
  expect(labels).toContain(formatClock(midnight + 3 * HOUR_MS, DEVICE_TIME_ZONE));
  expect(labels).not.toContain(formatClock(midnight, DEVICE_TIME_ZONE));
});

it("names days by their dates", async () => {
  const from = new Date(2026, 5, 3).getTime();
  const labels = await labelsOf(from, DAY_MS, 7);
  expect(labels).toContain(formatDate(new Date(2026, 5, 4).getTime(), DEVICE_TIME_ZONE));
  expect(labels.every((label) => !label.includes(":"))).toBe(true);
});
