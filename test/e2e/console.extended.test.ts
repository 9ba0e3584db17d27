import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { openConsole, picture, type Look } from "./console/console-harness.ts";
import { describeMoney } from "./console/money-stories.ts";
import { describeSupport } from "./console/support-stories.ts";
import { describeVoice } from "./console/voice-stories.ts";
import { createActiveDriver, openE2eHarness, publishOffer, type E2eHarness } from "./harness.ts";
import { looksOfRun } from "./looks.ts";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

const open = () => harness;

/** A day of what the fleet counted, opinions and errors, so that no screen is empty. */
async function addPast(driverId: string): Promise<void> {
  const { sql } = harness.app;
  const hour = Math.floor(Date.now() / 3_600_000);
  for (let back = 0; back < 24; back += 1) {
    await sql(
      `INSERT OR REPLACE INTO fleet_hours (hour, shard, captures, losses, answered, failed, limited, late_50, late_250) VALUES (?, 3, ?, ?, 9000, ?, 12, 8000, 900)`,
      hour - back,
      (back * 7) % 12,
      (back * 5) % 23,
      back === 6 ? 140 : back % 3,
    );
  }
  const opinion = (id: string, score: number, comment: string | null, at: number) =>
    sql(`INSERT OR REPLACE INTO feedback VALUES (?, ?, ?, ?, ?)`, id, driverId, score, comment, at);
  await opinion("o-1", 9, "Captured three blocks on my first evening.", Date.now() - 1000);
  await opinion(
    "o-2",
    4,
    "The texts come too late, and I'd like a quieter one at night.",
    Date.now() - 9 * 86_400_000,
  );
  await sql(
    `INSERT OR REPLACE INTO error_groups VALUES ('g', 'error_page', 'TypeError', 'Cannot read properties of undefined', 'render feed.js', 41, 7, ?, ?, 'req-1', 'at render (feed.js:1:3812)', NULL)`,
    Date.now() - 86_400_000,
    Date.now() - 60_000,
  );
}

/** How much wider than the window a page is. */
const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

it("leaves no trace in what a driver loads, and opens to nobody without a sign-in", async () => {
  const { origin } = harness.app;
  const read = async (path: string) => (await fetch(`${origin}${path}`)).text();
  const page = (await read("/")) + (await read("/flex/dashboard"));
  const files = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file ?? "");
  expect(files.length).toBeGreaterThan(1);
  for (const text of [page, await read("/sw.js"), ...(await Promise.all(files.map(read)))])
    expect(text).not.toContain("/ops/");
  for (const path of ["/ops", "/ops.html", "/ops/drivers", "/ops/assets/none.js", "/ops/v1/me"])
    expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 401]);
});

describeSupport(open);
describeVoice(open);
describeMoney(open);

const LOOKS: readonly [name: string, look: Look, plan: string][] = [
  ["a phone by day", { viewport: { width: 390, height: 844 } }, "14 days"],
  [
    "a phone by night, in Portuguese",
    { viewport: { width: 390, height: 844 }, colorScheme: "dark", locale: "pt-BR" },
    "14 dias",
  ],
  ["a desk in Spanish", { locale: "es-US" }, "14 días"],
  ["a wide desk by night", { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }, "14 days"],
];

it.each(looksOfRun(LOOKS))("can be used on %s", async (name, look, plan) => {
  const driver = await createActiveDriver(harness);
  await publishOffer(harness, driver.warehouseIds[3]!, { payCents: 6000 });
  await addPast(driver.driverId);
  const { page, context } = await openConsole(harness, "owner", look);
  await page.goto(`${harness.app.origin}/ops/drivers/${driver.driverId}`);
  await page.getByTestId("driver-phase").waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await picture(page, `driver ${name}`);
  for (const screen of ["log", "fleet", "voice", "prices", "cities"]) {
    await page.goto(`${harness.app.origin}/ops/${screen}`);
    await page.getByRole("table").first().waitFor();
    // The drivers' page's shared parts use the operator's language, too.
    if (screen === "prices") await page.getByText(plan, { exact: true }).waitFor();
    expect([screen, await findViolations(page)]).toEqual([screen, []]);
    expect([screen, (await overflowOf(page)) <= 0]).toEqual([screen, true]);
    await picture(page, `${screen} ${name}`);
  }
  for (const screen of ["money", "raffles"]) {
    await page.goto(`${harness.app.origin}/ops/${screen}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("heading", { level: 2 }).last().waitFor();
    if (screen === "money" && look.locale === "pt-BR") await page.getByText("7 dias").first().waitFor();
    expect([screen, await findViolations(page)]).toEqual([screen, []]);
    expect([screen, (await overflowOf(page)) <= 0]).toEqual([screen, true]);
    await picture(page, `${screen} ${name}`);
  }
  await context.close();
});

/**
 * The color of the words that the page's pictures write last, and as it was once paper had been printed: none where a
 * picture was blank.
 */
async function readInk(page: Page): Promise<() => Promise<{ ink: unknown; printed: unknown }>> {
  await page.addInitScript(() => {
    const seen: { ink: unknown; printed: unknown } = { ink: null, printed: null };
    Object.assign(globalThis, { plotInk: seen });
    const write = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (word, ...place) {
      seen.ink = this.fillStyle;
      write.call(this, word, ...place);
    };
    const isBlank = (canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
      return pixels.every((value) => value === 0);
    };
    addEventListener("afterprint", () => {
      const pictures = [...document.querySelectorAll<HTMLCanvasElement>("figure canvas")];
      seen.printed = pictures.length === 0 || pictures.some(isBlank) ? null : seen.ink;
    });
  });
  return () => page.evaluate(() => Reflect.get(globalThis, "plotInk"));
}

it("draws its pictures in the colors of paper where they are printed, and of more contrast", async () => {
  const driver = await createActiveDriver(harness);
  await addPast(driver.driverId);
  const openIn = async (colorScheme: "light" | "dark") => {
    const opened = await openConsole(harness, "owner", { colorScheme });
    const read = await readInk(opened.page);
    await opened.page.reload();
    await expect.poll(async () => (await read()).ink).toMatch(/^(#|oklch)/);
    const { ink } = await read();
    return { ...opened, ink, read };
  };
  const light = await openIn("light");
  const dark = await openIn("dark");
  expect(dark.ink).not.toBe(light.ink);
  for (const { page, read, ink } of [light, dark]) {
    await page.pdf();
    expect((await read()).printed).toBe(light.ink);
    await expect.poll(async () => (await read()).ink).toBe(ink);
    await page.emulateMedia({ contrast: "more" });
    await expect.poll(async () => [light.ink, dark.ink].includes((await read()).ink)).toBe(false);
  }
  for (const { context } of [light, dark]) await context.close();
});
