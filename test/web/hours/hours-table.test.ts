import { createElement } from "react";
import { beforeAll, describe, expect, it } from "vitest";
import { WEEK_HOURS } from "../../../db/shapes/work/offer-hours.ts";
import { HoursTable } from "../../../web/features/hours/hours-table.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const HOURS = [
  { hour: 0, offers: 1 },
  { hour: 30, offers: 10, captured: 2 },
  { hour: 167, offers: 5 },
];

async function tableOf(watchedMinutes?: readonly number[]) {
  const part = createElement(HoursTable, {
    caption: "A week",
    hours: HOURS,
    watchedMinutes,
    onOpen: () => undefined,
  });
  const html = await htmlOfPart(part);
  const cells = [...html.matchAll(/<td class="([^"]*)">(.*?)<\/td>/gu)].map(([, look = "", inner = ""]) => ({
    tint: look.split(" ").find((name) => name.startsWith("bg-")),
    texts: textsIn(inner),
  }));
  const [, legend = ""] = html.split("</table>");
  return { cells, legend: textsIn(legend) };
}

describe("a week's table of offers", () => {
  it("has a cell for each hour, as dark as it has offers beside the fullest one", async () => {
    const { cells, legend } = await tableOf();
    expect(cells).toHaveLength(WEEK_HOURS);
    const { texts: empty, tint: plain } = cells[1] ?? {};
    expect([plain, empty]).toEqual(["bg-sunken", ["0"]]);
    expect([cells[0], cells[30], cells[167]]).toEqual([
      { tint: "bg-ink/8", texts: ["1"] },
      { tint: "bg-ink/90", texts: ["10", "✓2", ", 2 captured"] },
      { tint: "bg-ink/36", texts: ["5"] },
    ]);
    expect(legend).toEqual(["Fewer", "More"]);
  });

  it("names the hours that nobody watched, and the hatching only where there is one", async () => {
    const watched = Array.from({ length: WEEK_HOURS }, () => 60);
    const { cells, legend } = await tableOf(watched.with(1, 0));
    expect(cells[1]?.texts).toEqual(["Not watched"]);
    expect(cells[1]?.tint).toMatch(/^bg-\[repeating/);
    expect(cells[2]).toEqual({ tint: "bg-sunken", texts: ["0"] });
    expect(legend.at(-1)).toBe("Not watched");
    expect((await tableOf(watched)).legend).not.toContain("Not watched");
  });
});
