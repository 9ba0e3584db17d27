import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const WEB = fileURLToPath(new URL("../../web", import.meta.url));

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
    const { TimeSelect } = await import("../../web/ui/time-select.tsx");
    const { formatMinuteOfDay } = await import("../../web/features/language/format.ts");
    const html = renderToStaticMarkup(
      createElement(TimeSelect, { value: 0, onChange: () => undefined, format: formatMinuteOfDay }),
    );
    const offered = (minute: number) =>
      new RegExp(`<option value="${minute}"[^>]*>([^<]*)<`, "u").exec(html)?.[1]?.replaceAll(/\s/gu, " ");
    expect([offered(14 * 60 + 15), offered(23 * 60)]).toEqual([quarterPastTwo, eleven]);
  },
);

it("has no field whose times the browser writes in a language of its own", () => {
  const fields = globSync("{features,ui,routes}/**/*.tsx", { cwd: WEB }).filter((file) =>
    /type="(?:time|date|datetime-local|month|week)"/u.test(readFileSync(`${WEB}/${file}`, "utf8")),
  );
  expect(fields).toEqual([]);
});
