import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const WEB = fileURLToPath(new URL("../../../web", import.meta.url));

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

it.each([
  ["en", "2:15 PM", "11:00 PM"],
  ["es", "2:15 p.m.", "11:00 p.m."],
  ["pt", "14:15", "23:00"],
])(
  "offers the times of a day as the page's language writes them: %s",
  async (lang, quarterPastTwo, eleven) => {
    vi.stubGlobal("document", { documentElement: { lang }, querySelectorAll: () => [] });
    const { TimeSelect } = await import("../../../web/ui/inputs/time-select.tsx");
    const { formatMinuteOfDay } = await import("../../../web/features/language/format.ts");
    const html = renderToStaticMarkup(
      createElement(TimeSelect, { value: 0, onChange: () => undefined, format: formatMinuteOfDay }),
    );
    const offered = (minute: number) =>
      new RegExp(`<option value="${minute}"[^>]*>([^<]*)<`, "u").exec(html)?.[1]?.replaceAll(/\s/gu, " ");
    expect([offered(14 * 60 + 15), offered(23 * 60)]).toEqual([quarterPastTwo, eleven]);
  },
);

it("has a time between two quarters at its place, and selected", async () => {
  const { TimeSelect } = await import("../../../web/ui/inputs/time-select.tsx");
  const html = renderToStaticMarkup(
    createElement(TimeSelect, { value: 607, onChange: () => undefined, format: String }),
  );
  const times = [...html.matchAll(/<option value="(\d+)"/gu)].map(([, minute]) => Number(minute));
  expect(times).toHaveLength(97);
  expect(times.slice(39, 43)).toEqual([585, 600, 607, 615]);
  expect(/<option value="(\d+)" selected/u.exec(html)?.[1]).toBe("607");
});

it("has no field whose times the browser writes in a language of its own", () => {
  const fields = globSync("{features,ui,routes}/**/*.tsx", { cwd: WEB }).filter((file) =>
    /type="(?:time|date|datetime-local|month|week)"/u.test(readFileSync(`${WEB}/${file}`, "utf8")),
  );
  expect(fields).toEqual([]);
});
