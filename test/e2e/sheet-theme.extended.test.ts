import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { createActiveDriver, openAs, openE2eHarness, type ActiveDriver, type E2eHarness } from "./harness.ts";

let harness: E2eHarness;
let actor: ActiveDriver;
beforeAll(async () => {
  harness = await openE2eHarness();
  actor = await createActiveDriver(harness);
});
afterAll(() => harness.close());

/** The sheets that stand in a part that is dark in the light theme, too. */
const SHEETS = [
  ["the modes", "/flex/dashboard", (page: Page) => page.getByTestId("mode-about")],
  [
    "what is paid",
    "/flex/payments",
    (page: Page) => page.getByRole("button", { name: "refund policy and terms" }).locator("visible=true"),
  ],
] as const;

/** The ground and the ink of the open sheet, and those of a card on the page. */
const readColors = (page: Page) =>
  page.evaluate(() => {
    const sheet = document.querySelector("dialog[open]");
    if (!sheet) throw new Error("no sheet");
    const card = document.createElement("div");
    card.className = "card";
    document.body.append(card);
    const [ofSheet, ofCard] = [getComputedStyle(sheet), getComputedStyle(card)];
    return {
      sheet: [ofSheet.backgroundColor, ofSheet.color, ofSheet.colorScheme],
      page: [ofCard.backgroundColor, ofCard.color, getComputedStyle(document.documentElement).colorScheme],
    };
  });

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  it.each(SHEETS)("a sheet has the page's colors, and is legible: %s", async (_name, path, opener) => {
    const { page, context } = await openAs(harness, actor, path, { colorScheme });
    await opener(page).click();
    await page.locator("dialog[open]").waitFor();
    const colors = await readColors(page);
    expect(colors.sheet).toEqual(colors.page);
    expect(await findViolations(page, { rules: ["color-contrast"], except: "iframe" })).toEqual([]);
    await context.close();
  });
});
