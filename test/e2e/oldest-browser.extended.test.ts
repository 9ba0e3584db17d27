import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newerFeatures, removeFeatures } from "../support/oldest-browser.ts";
import { openConsole } from "./console/console-harness.ts";
import { createActiveDriver, openAs, publishOffer } from "./harness.ts";
import { openShellHarness, type ShellHarness } from "./shell-harness.ts";

// A phone that gets no newer browser: the page without anything that one of the oldest browsers lacks.
let shell: ShellHarness;
beforeAll(async () => {
  shell = await openShellHarness();
});
afterAll(() => shell.close());

const SCREENS = ["dashboard", "blocks", "filters", "hours", "payments", "rewards", "invitations", "profile"];

const age = (context: BrowserContext) => context.addInitScript(removeFeatures, newerFeatures());

/** Takes out what came a little before the oldest browsers, too. */
const ageFurther = (context: BrowserContext) =>
  context.addInitScript(removeFeatures, [...newerFeatures(), ["Array", "toSorted"]]);

describe("the oldest browser that runs the page", () => {
  it("shows a driver each screen, a capture as it comes, and what they save", async () => {
    const driver = await createActiveDriver(shell);
    const { page, context, errors } = await openAs(shell, driver, "/terms");
    await age(context);
    for (const screen of SCREENS) {
      await page.goto(`${shell.app.origin}/flex/${screen}`);
      await page.locator("main h1, main h2").first().waitFor();
      await expect.poll(() => page.locator("main [data-skeleton]").count()).toBe(0);
    }
    await page.getByLabel("Name", { exact: true }).fill("Ana Maria");
    await page.getByRole("button", { name: "Save", exact: true }).first().click();
    await page.locator("[data-sonner-toast]").waitFor();

    await page.goto(`${shell.app.origin}/flex/dashboard`);
    await page.getByRole("switch").first().waitFor();
    await publishOffer(shell, driver.warehouseIds[0]!, { inMinutes: 180 });
    await page.getByText("Block captured").first().waitFor();
    expect(await page.evaluate(() => "withResolvers" in Promise || "groupBy" in Map)).toBe(false);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("shows an operator each screen of the console", async () => {
    const { page, context, errors } = await openConsole(shell, "owner");
    await age(context);
    await page.reload();
    for (const link of await page.getByRole("navigation").getByRole("link").all()) {
      await link.click();
      await page.getByRole("heading", { level: 1 }).waitFor();
    }
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("a browser that is older still", () => {
  it.each([
    ["en", "This browser is too old for this page."],
    ["es", "Este navegador es demasiado antiguo para esta página."],
    ["pt", "Este navegador é antigo demais para esta página."],
  ])("says so on a driver's screen whose code doesn't run there, in %s", async (language, text) => {
    const driver = await createActiveDriver(shell);
    const { page, context } = await openAs(shell, driver, "/terms", { locale: language });
    await ageFurther(context);
    await page.route("**/assets/app-*.js", (route) =>
      route.fulfill({ contentType: "text/javascript", body: "throw new TypeError('[].toSorted')" }),
    );
    await page.goto(`${shell.app.origin}/flex/dashboard`);
    await page.locator(".overdue-code").evaluate((notice) => {
      for (const animation of notice.getAnimations()) animation.finish();
    });
    await page.getByText(text).waitFor();
    expect(await page.locator(".in-good-browsers").isVisible()).toBe(false);
    await context.close();
  });
});
