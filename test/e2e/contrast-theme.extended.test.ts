import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { openConsole } from "./console/console-harness.ts";
import {
  createActiveDriver,
  openAs,
  openE2eHarness,
  publishOffer,
  type ActiveDriver,
  type E2eHarness,
} from "./harness.ts";

let harness: E2eHarness;
let actor: ActiveDriver;
beforeAll(async () => {
  harness = await openE2eHarness();
  actor = await createActiveDriver(harness);
  await publishOffer(harness, actor.warehouseIds[0]!, { payCents: 9_950 });
});
afterAll(() => harness.close());

/** Third parties answer for their frames. */
const READ = { rules: ["color-contrast"], except: "iframe" };

/** The same with the contrast of 7 to 1 that WCAG 2.2 asks of its highest level (1.4.6). */
const READ_WELL = { ...READ, rules: ["color-contrast-enhanced"] };

/** Controls and links with a state that is seen. */
const STATEFUL = [
  "[role=switch]",
  "button[aria-pressed]",
  "nav a[aria-current]",
  "label:has(input[type=radio], input[type=checkbox])",
].join();

/** Sets a control to its other state, as far as styles go. */
function flip(control: SVGElement | HTMLElement): void {
  const input = control.querySelector<HTMLInputElement>("input[type=radio], input[type=checkbox]");
  if (input) input.checked = !input.checked;
  for (const name of ["aria-checked", "aria-pressed"]) {
    const value = control.getAttribute(name);
    if (value !== null) control.setAttribute(name, String(value !== "true"));
  }
  control.removeAttribute("aria-current");
}

/** The controls of a page that look in one state as in the other, and the count of all that have a state. */
async function findBlank(page: Page): Promise<{ count: number; blank: string[] }> {
  // A copy, which nothing that arrives meanwhile changes.
  await page.evaluate(() => document.body.replaceWith(document.body.cloneNode(true)));
  const count = await page.evaluate((selector) => {
    const shown = [...document.querySelectorAll(selector)].filter((control) => control.checkVisibility());
    for (const [index, control] of shown.entries()) control.setAttribute("data-control", String(index));
    return shown.length;
  }, STATEFUL);
  const blank: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const control = page.locator(`[data-control="${index}"]`);
    const before = await control.screenshot({ animations: "disabled" });
    await control.evaluate(flip);
    const after = await control.screenshot({ animations: "disabled" });
    if (before.equals(after)) blank.push(await control.evaluate(({ outerHTML }) => outerHTML));
  }
  return { count, blank };
}

describe.each(["light", "dark"] as const)("under a contrast theme of the system, %s", (colorScheme) => {
  it.each([
    ["/flex/dashboard", "Earnings", 6],
    ["/flex/filters", "Your schedule", 12],
    ["/flex/payments", "Payment history", 5],
    ["/flex/profile", "Language and theme", 6],
  ])("each state on %s is seen, and each text can be read", async (path, name, least) => {
    const look = { forcedColors: "active", colorScheme } as const;
    const { page, context, errors } = await openAs(harness, actor, path, look);
    await page.getByRole("heading", { name, exact: true }).waitFor();
    expect(await findViolations(page, READ)).toEqual([]);
    const { count, blank } = await findBlank(page);
    expect(blank).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(least);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("so are those of the operators' console", async () => {
    const { page, context } = await openConsole(harness, "owner", { forcedColors: "active", colorScheme });
    for (const name of ["Fleet", "Money"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { name, exact: true }).waitFor();
      expect(await findViolations(page, READ)).toEqual([]);
      const { count, blank } = await findBlank(page);
      expect(blank).toEqual([]);
      expect(count).toBeGreaterThanOrEqual(4);
      await page.reload();
    }
    await context.close();
  });
});

describe.each(["light", "dark"] as const)("on a device that asks for more contrast, %s", (colorScheme) => {
  it.each([
    ["/flex/dashboard", "Earnings"],
    ["/flex/filters", "Your schedule"],
    ["/flex/payments", "Payment history"],
    ["/flex/profile", "Language and theme"],
    ["/flex/checks", "Check everything"],
  ])("each text on %s has it", async (path, name) => {
    const { page, context } = await openAs(harness, actor, path, { contrast: "more", colorScheme });
    await page.getByRole("heading", { name, exact: true }).first().waitFor();
    expect(await findViolations(page, READ_WELL)).toEqual([]);
    await context.close();
  });
});

describe("on paper", () => {
  it.each([
    ["/flex/dashboard", "Earnings"],
    ["/flex/filters", "Your schedule"],
    ["/flex/hours", "Best hours"],
    ["/flex/week", "Weekly summary"],
  ])("%s can be read, and has the same colors from either theme", async (path, name) => {
    const { page, context } = await openPrinted(path, name);
    expect(await findViolations(page, READ)).toEqual([]);
    const { dark, light } = await page.evaluate(() => {
      const colors = () =>
        [...document.body.querySelectorAll("*")].map((element) => {
          const { printColorAdjust, color, backgroundColor, borderTopColor } = getComputedStyle(element);
          return { printColorAdjust, color, backgroundColor, borderTopColor };
        });
      const printed = colors();
      document.documentElement.setAttribute("data-theme", "light");
      return { dark: printed, light: colors() };
    });
    expect(dark).toEqual(light);
    // Without this a browser prints no surface.
    expect(new Set(dark.map(({ printColorAdjust }) => printColorAdjust))).toEqual(new Set(["exact"]));
    await context.close();
  });

  it.each([
    ["/flex/dashboard", "Earnings", 5],
    ["/flex/filters", "Your schedule", 12],
  ])("each state on %s is seen", async (path, name, least) => {
    const { page, context } = await openPrinted(path, name);
    const { count, blank } = await findBlank(page);
    expect(blank).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(least);
    await context.close();
  });
});

/** A screen as it is printed from the dark theme. */
async function openPrinted(path: string, name: string) {
  const { page, context } = await openAs(harness, actor, path, { colorScheme: "dark" });
  await page.getByRole("heading", { name, exact: true }).first().waitFor();
  await page.emulateMedia({ media: "print" });
  return { page, context };
}
