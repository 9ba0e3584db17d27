import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { breakFrame, DESK, focused, openShellHarness, type ShellHarness } from "./shell-harness.ts";

const LANGUAGES = [
  ["en-US", "Skip to content"],
  ["es-MX", "Saltar al contenido"],
  ["pt-BR", "Ir para o conteúdo"],
] as const;

const DEMOS = [
  "/demo/tanstack-query",
  "/demo/table",
  "/demo/store",
  "/demo/form/simple",
  "/demo/form/address",
];

let shell: ShellHarness;
beforeAll(async () => {
  shell = await openShellHarness();
});
afterAll(() => shell.close());

const isSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

describe("the public pages", () => {
  it("have a skip link past the header", async () => {
    const { page, context } = await shell.open("/terms", { viewport: DESK });
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
    await context.close();
  });

  it.each(LANGUAGES)(
    "have no axe violations on phone and desktop, in both themes: %s",
    async (locale, skip) => {
      const faults: string[] = [];
      for (const options of [
        { viewport: { width: 320, height: 700 }, colorScheme: "dark" },
        { viewport: DESK, colorScheme: "light" },
      ] as const) {
        const { page, context } = await shell.open("/", { ...options, locale, reducedMotion: "reduce" });
        const check = async (name: string) => {
          faults.push(...(await findViolations(page)).map((fault) => `${name} ${fault}`));
          if (await isSideways(page)) faults.push(`${name} is wider than ${options.viewport.width}`);
        };
        for (const path of ["/", "/terms", "/faqs", "/contact", "/nowhere", ...DEMOS]) {
          await page.goto(`${shell.app.origin}${path}`);
          await page.getByText(skip).waitFor({ state: "attached" });
          await page.getByRole("heading", { level: 1 }).waitFor();
          await check(path);
        }
        await page.getByRole("contentinfo").getByRole("button").first().click();
        await page.getByRole("dialog").waitFor();
        await check("support");
        await page.keyboard.press("Escape");
        if (options.viewport.width < DESK.width) {
          await page.getByRole("banner").locator('[aria-haspopup="dialog"]').click();
          await page.getByRole("dialog").waitFor();
          await check("menu");
        }
        await page.addInitScript(breakFrame);
        await page.reload();
        await page.getByRole("alert").waitFor();
        await check("error page");
        await context.close();
      }
      expect(faults).toEqual([]);
    },
  );
});

describe("the demo pages", () => {
  it("have a form, a table, a counter and a query, and are not indexed", async () => {
    const { page, context } = await shell.open("/demo/table");
    expect(await page.locator('meta[name="robots"]').getAttribute("content")).toBe("noindex");
    await page.getByRole("button", { name: "Per day" }).click();
    await page.getByRole("button", { name: "Per day" }).click();
    expect(await page.locator("tbody tr td:last-child").allInnerTexts()).toEqual([
      "$5.67",
      "$6.43",
      "$7.12",
      "$11.66",
    ]);
    await page.goto(`${shell.app.origin}/demo/tanstack-query`);
    await page.getByText("query state success").waitFor();
    await page.goto(`${shell.app.origin}/demo/store`);
    await page.getByRole("button", { name: "Add one" }).click();
    await page.getByText("Count: 1, doubled: 2").waitFor();
    await page.goto(`${shell.app.origin}/demo/form/simple`);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("This field is required.").waitFor();
    await page.getByLabel("Title").fill("Northgate");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Sent: Northgate").waitFor();
    await page.goto(`${shell.app.origin}/demo/form/address`);
    await page.getByLabel("ZIP code").fill("123");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Enter a 5-digit ZIP code.").waitFor();
    await context.close();
  });
});
