import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawWinners } from "../../db/shapes/money/raffle.ts";
import { findViolations } from "../support/accessibility.ts";
import {
  breakFrame,
  bringToLife,
  DESK,
  focused,
  openShellHarness,
  type ShellHarness,
} from "./shell-harness.ts";
import { looksOfRun } from "./looks.ts";

const LANGUAGES = [
  ["en-US", "Skip to content"],
  ["es-MX", "Saltar al contenido"],
  ["pt-BR", "Ir para o conteúdo"],
] as const;

const LOOKS = LANGUAGES.flatMap(([locale, skip]) => [
  [locale, "a phone by night", skip, { viewport: { width: 320, height: 700 }, colorScheme: "dark" }] as const,
  [locale, "a desk by day", skip, { viewport: DESK, colorScheme: "light" }] as const,
]);

const DEMOS = [
  "/demo/tanstack-query",
  "/demo/table",
  "/demo/store",
  "/demo/form/simple",
  "/demo/form/address",
];

const RAFFLES = ["/raffle/june", "/raffle/may"];

let shell: ShellHarness;
beforeAll(async () => {
  shell = await openShellHarness();
  await storeRaffles();
  await shell.app.sql(
    `INSERT INTO price_cuts (id, kind, plan, price_cents, driver_id, starts_at, ends_at) VALUES ('sale', 'flash_sale', '7days', 3990, NULL, 0, ?)`,
    Date.now() + 86_400_000,
  );
  await shell.app.sql(`INSERT INTO city_spots (city, spots) VALUES ('Chicago', 12), ('Reno', 0)`);
});
afterAll(() => shell.close());

const isSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

const sha256 = async (text: string) => createHash("sha256").update(text).digest("hex");

const SEED = "a seed that was sealed in April";

/** One that is still on, one that was drawn fairly, and one whose winners are not those of its seed. */
async function storeRaffles(): Promise<void> {
  const tickets = Array.from({ length: 12 }, (_, at) => ({
    entry: `entry-${at}`,
    holder: `holder-${at % 9}`,
  }));
  const winners = await drawWinners({ seed: SEED, signature: null, tickets, winners: 3 });
  const prize = JSON.stringify({
    en: "A month of service",
    es: "Un mes de servicio",
    pt: "Um mês de serviço",
  });
  const raffles: [id: string, endsAt: string, published: string | null, ranked: string[]][] = [
    ["june", "2100-01-01", null, []],
    ["may", "2026-06-01", SEED, winners],
    ["april", "2026-05-01", SEED, winners.toReversed()],
  ];
  for (const [id, endsAt, published, ranked] of raffles) {
    await shell.app.sql(
      `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash, seed, prize) VALUES (?, '14days', ?, ?, 3, ?, ?, ?)`,
      id,
      Date.parse("2026-04-01"),
      Date.parse(endsAt),
      await sha256(SEED),
      published,
      prize,
    );
    for (const { entry, holder } of published === null ? [] : tickets) {
      const rank = ranked.indexOf(entry) + 1;
      await shell.app.sql(
        `INSERT INTO raffle_tickets (promotion_id, entry, holder, rank) VALUES (?, ?, ?, ?)`,
        id,
        entry,
        holder,
        rank === 0 ? null : rank,
      );
    }
  }
}

describe("a raffle's page", () => {
  it("shows the fingerprint before the draw, and checks the draw in the browser", async () => {
    const { page, context } = await shell.open("/raffle/june");
    await page
      .getByTestId("raffle")
      .getByText(await sha256(SEED))
      .waitFor();
    await page.getByText("A month of service").waitFor();
    expect(await page.getByText(SEED).count()).toBe(0);
    await page.goto(`${shell.app.origin}/raffle/may`);
    await page.getByTestId("raffle").getByText(SEED).waitFor();
    const check = page.getByTestId("raffle-check");
    await check.getByText("drew again from 12 entries and got the same winners").waitFor();
    await page.goto(`${shell.app.origin}/raffle/april`);
    await check.getByText("drew again and got other winners").waitFor();
    await page.goto(`${shell.app.origin}/raffle/nothing`);
    await page.getByText("There's no such raffle").waitFor();
    await context.close();
  });
});

/** Texts that are cut off, or run over what they stand in. */
const cutTexts = (page: Page) =>
  page.evaluate(() => {
    const isHidden = (element: Element) =>
      element.closest(".sr-only, [aria-hidden=true], dialog, [class*=line-clamp], svg") !== null;
    return [...document.querySelectorAll("body *")]
      .filter((element): element is HTMLElement => element instanceof HTMLElement && !isHidden(element))
      .filter((element) => {
        const { overflowX, overflowY } = getComputedStyle(element);
        const isCutAcross = overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
        const isCutDown = overflowY === "hidden" && element.scrollHeight > element.clientHeight + 1;
        const text = [...element.childNodes].some(
          ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
        );
        const { right } = element.getBoundingClientRect();
        return isCutAcross || isCutDown || (text && right > innerWidth + 1);
      })
      .map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40) ?? ""}`);
  });

/** WCAG 2.2, 1.4.12. */
const TEXT_SPACING =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }";

describe("text that is set wider", () => {
  it("is neither cut off nor over the edge, on a phone and a desk, in a long language", async () => {
    const cut: string[] = [];
    for (const viewport of [{ width: 360, height: 740 }, DESK]) {
      const { page, context } = await shell.openSignedIn("/flex/dashboard", {
        viewport,
        locale: "pt-BR",
        bypassCSP: true,
      });
      await page.getByTestId("system-card").waitFor();
      for (const path of ["/flex/dashboard", "/", "/terms", "/faqs", "/contact", "/login"]) {
        // Signed-in drivers move on from there.
        if (path === "/login") await page.evaluate(() => localStorage.clear());
        if (path !== "/flex/dashboard") await page.goto(`${shell.app.origin}${path}`);
        await page.addStyleTag({ content: TEXT_SPACING });
        if (await isSideways(page)) cut.push(`${path} is wider than ${viewport.width}`);
        cut.push(...(await cutTexts(page)).map((text) => `${path} ${viewport.width}: ${text}`));
      }
      await context.close();
    }
    expect(cut).toEqual([]);
  });
});

describe("the landing page's plans", () => {
  it("show what is on sale, until when and instead of what, and the raffle that is open", async () => {
    const context = await shell.browser.newContext({
      viewport: { width: 360, height: 740 },
      locale: "en-US",
    });
    const page = await context.newPage();
    await page.goto(`${shell.app.origin}/en`);
    const plans = page.locator("#pricing");
    // As served, and as the page asks for it itself. The edge guesses at the visitor's time zone.
    const read = async () => {
      const text = (await plans.innerText()).replaceAll(/until .*/g, "until");
      return { text, height: (await plans.boundingBox())?.height };
    };
    await fontsLoaded(page);
    const served = await read();
    const asked = page.waitForResponse("**/status/plans");
    await bringToLife(page);
    await asked;
    await plans.locator(".contents").first().waitFor({ state: "attached" });
    expect(await read()).toEqual(served);
    expect(served.text.replaceAll(/\s+/g, " ")).toContain(
      "Chicago 12 spots left Reno Full, 0 on the waitlist",
    );
    const plan = (days: string) => plans.getByRole("listitem").filter({ hasText: days });
    await plan("7 days").getByText("Flash sale").waitFor();
    expect((await plan("7 days").innerText()).replaceAll(/\s+/g, " ")).toMatch(
      /^7 days Now \$39\.90 was \$49\.87 \$5\.70 a day Flash sale until .*\d [AP]M$/,
    );
    expect(await plan("14 days").innerText()).toContain("$89.99");
    await plan("14 days").getByText("Enters you in the raffle until").waitFor();
    await plan("14 days").getByRole("link", { name: "How it's drawn" }).click();
    await page.waitForURL("**/raffle/june");
    await context.close();
  });
});

/** A public page asks for its fonts once it is painted. */
async function fontsLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const files = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".woff2"));
    return files.length > 1 && document.fonts.status === "loaded";
  });
}

describe("the public pages", () => {
  it.each(["/", "/terms", "/faqs", "/contact"])("ask for fonts once they are painted: %s", async (path) => {
    const context = await shell.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${shell.app.origin}${path}`);
    await fontsLoaded(page);
    const { painted, fonts } = await page.evaluate(() => ({
      painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
      fonts: performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".woff2")),
    }));
    expect(fonts).toHaveLength(2);
    expect(fonts.filter(({ startTime }) => startTime < painted)).toEqual([]);
    const heading = page.getByRole("heading", { level: 1 });
    expect(await heading.evaluate((element) => getComputedStyle(element).fontFamily)).toContain("Familjen");
    expect(await page.evaluate(() => document.fonts.check("1em 'Hanken Grotesk'"))).toBe(true);
    await context.close();
  });

  it.each(["/", "/faqs", "/login"])("have every screen's styles once they are awake: %s", async (path) => {
    const { page, context } = await shell.open(path);
    // The sheet's own, which no page needs before.
    await page.getByRole("contentinfo").getByRole("button").first().click();
    const isAtFoot = () =>
      page.getByRole("dialog").evaluate((sheet) => {
        const close = sheet.querySelector("button")?.getBoundingClientRect();
        return close !== undefined && close.left > innerWidth / 2;
      });
    await expect.poll(isAtFoot).toBe(true);
    await context.close();
  });

  it.each(["/", "/login"])("come to life as they are, years after they were built: %s", async (path) => {
    const { page, context } = await shell.open(path, { timezoneId: "Pacific/Auckland" }, (opened) =>
      opened.addInitScript(() => {
        // oxlint-disable-next-line no-extend-native -- runs only in the page under test
        Date.prototype.getFullYear = () => 2041;
        addEventListener("DOMContentLoaded", () =>
          document.querySelector("h1")?.setAttribute("data-built", ""),
        );
      }),
    );
    await bringToLife(page);
    await page.locator("#root:not([data-painted]) h1[data-built]").waitFor();
    await context.close();
  });

  it("are used by keyboard alone: the example's reasons, the language, questions by search and by address", async () => {
    const { page, context } = await shell.open("/", { viewport: DESK, reducedMotion: "reduce" });
    const tabTo = async (name: RegExp) => {
      const isThere = async () => name.test((await focused(page)) ?? "");
      for (let step = 0; step < 60 && !(await isThere()); step++) await page.keyboard.press("Tab");
      expect(await focused(page)).toMatch(name);
    };
    const pressOn = async (name: RegExp, key = "Enter") => {
      await tabTo(name);
      await page.keyboard.press(key);
    };
    const example = page.getByTestId("example-feed");
    await pressOn(/^Northgate/);
    await example.locator("details[open] p").first().waitFor();
    expect(await example.locator("details[open]").count()).toBe(1);

    await page.goto(`${shell.app.origin}/faqs`);
    await bringToLife(page);
    await pressOn(/^ES, /);
    await page.getByRole("heading", { level: 1, name: "Preguntas y respuestas" }).waitFor();
    expect(await focused(page)).toMatch(/^ES, /);
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("sorteo");
    await page.getByRole("status").filter({ hasText: /\d/ }).waitFor();
    await pressOn(/sorteo/i, "Space");
    await page.waitForURL(/#[\w-]+$/);
    await page.locator("details[open] p").first().waitFor();
    // Its address opens it again.
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address);
    await page.locator("details[open] p").first().waitFor();
    await context.close();
  });

  it("open the answer that the address names where the browser doesn't", async () => {
    const { origin } = shell.app;
    const context = await shell.browser.newContext({
      locale: "en-US",
      viewport: { width: 360, height: 500 },
    });
    const page = await context.newPage();
    // With this header Chromium neither opens nor scrolls to what the address names, as older browsers don't open it.
    await page.route(`${origin}/faqs`, async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), "document-policy": "force-load-at-top" };
      await route.fulfill({ response, headers });
    });
    await page.goto(`${origin}/faqs#refunds`);
    const answer = page.locator("details[open] #refunds");
    await answer.waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
    await context.close();
  });

  it("lead on in the language that their address names, before their code is there, too", async () => {
    const context = await shell.browser.newContext({ locale: "en-US", viewport: DESK });
    const page = await context.newPage();
    await page.route("**/assets/*.js", () => undefined);
    await page.goto(`${shell.app.origin}/es`);
    const follow = async (name: string) => {
      await page.getByRole("link", { name, exact: true }).first().click();
      await page.waitForLoadState("domcontentloaded");
      return [new URL(page.url()).pathname, await page.locator("html").getAttribute("lang")];
    };
    expect(await follow("Preguntas frecuentes")).toEqual(["/es", "es"]);
    expect(await follow("Términos del servicio")).toEqual(["/es/terms", "es"]);
    expect(await follow("Iniciar sesión")).toEqual(["/login", "es"]);
    // Nothing stays beyond the visit that nobody chose.
    expect((await context.cookies()).map(({ name, value, expires }) => [name, value, expires])).toEqual([
      ["PARAGLIDE_LOCALE", "es", -1],
    ]);
    await context.close();
  });

  it("are loaded anew by a button whose code a deployment took away meanwhile", async () => {
    const context = await shell.browser.newContext({
      locale: "en-US",
      viewport: { width: 375, height: 667 },
      serviceWorkers: "block",
    });
    const page = await context.newPage();
    await page.goto(`${shell.app.origin}/`);
    let isGone = true;
    await page.route("**/assets/*.js", (route) =>
      isGone ? route.fulfill({ status: 404 }) : route.continue(),
    );
    const reloaded = page.waitForRequest((request) => request.isNavigationRequest());
    page.on("request", (request) => {
      if (request.isNavigationRequest()) isGone = false;
    });
    const menu = page.getByRole("button", { name: "Menu" });
    await menu.click();
    await reloaded;
    await page.waitForLoadState();
    await menu.click();
    await page.getByRole("dialog").waitFor();
    await context.close();
  });

  it("ask to register in a phone's header, in the first screen, beside the prices and at the end", async () => {
    const { page, context } = await shell.open("/", { viewport: { width: 375, height: 667 } });
    const register = page.getByRole("link", { name: "Register now" }).locator("visible=true");
    const parts = await register.evaluateAll((links) =>
      links.map((link) => ({
        part:
          link.closest("header, [id=pricing], section, main")?.id || link.closest("header, main")?.nodeName,
        isInFirstScreen: link.getBoundingClientRect().bottom <= innerHeight,
      })),
    );
    expect(parts).toEqual([
      { part: "HEADER", isInFirstScreen: true },
      { part: "MAIN", isInFirstScreen: true },
      { part: "pricing", isInFirstScreen: false },
      { part: "content", isInFirstScreen: false },
    ]);
    await context.close();
  });

  it("have a skip link past the header", async () => {
    const { page, context } = await shell.open("/terms", { viewport: DESK });
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
    await context.close();
  });

  it.each(looksOfRun(LOOKS))("have no axe violations: %s, %s", async (locale, _device, skip, options) => {
    const faults: string[] = [];
    const { page, context } = await shell.open("/", { ...options, locale, reducedMotion: "reduce" });
    const check = async (name: string) => {
      faults.push(...(await findViolations(page)).map((fault) => `${name} ${fault}`));
      if (await isSideways(page)) faults.push(`${name} is wider than ${options.viewport.width}`);
    };
    for (const path of ["/", "/terms", "/faqs", "/contact", "/nowhere", ...RAFFLES, ...DEMOS]) {
      await page.goto(`${shell.app.origin}${path}`);
      await page.getByText(skip).waitFor({ state: "attached" });
      await page.getByRole("heading", { level: 1 }).waitFor();
      await check(path);
    }
    await page.getByRole("contentinfo").getByRole("button").first().click();
    await page.getByRole("dialog").waitFor();
    await check("support");
    await page.keyboard.press("Escape");
    // A closed sheet takes a step back, which would abort the reload.
    await expect
      .poll(() => page.evaluate(() => Reflect.has(Object(history.state), "jornada-sheet")))
      .toBe(false);
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
    expect(faults).toEqual([]);
  });
});

describe("the demo pages", () => {
  it("show the feed, a table, the shell's store and two forms, say where their code is, and are not indexed", async () => {
    const { page, context } = await shell.open("/demo/table");
    expect(await page.locator('meta[name="robots"]').getAttribute("content")).toBe("noindex");
    await page.getByText("web/features/demo/table-demo.tsx").waitFor();
    await page.getByLabel("Outcome").selectOption("Captured");
    await page.getByRole("button", { name: "Pay" }).click();
    expect(await page.getByRole("columnheader").allInnerTexts()).toEqual([
      "Warehouse",
      "Starts",
      "Hours",
      "Pay",
    ]);
    const pay = page.locator("tbody tr td:last-child");
    const byPay = ["$119.00", "$116.00", "$102.00", "$98.00"];
    await expect.poll(() => pay.allInnerTexts()).toEqual(byPay);
    await page.getByRole("button", { name: "Pay" }).click();
    await expect.poll(() => pay.allInnerTexts()).toEqual(byPay.toReversed());
    await page.goto(`${shell.app.origin}/demo/tanstack-query`);
    await page.getByText("3 of 16 offers, query state success").waitFor();
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText("4 of 16 offers").waitFor();
    await page.goto(`${shell.app.origin}/demo/store`);
    await page.getByText("Theme: System. Support: closed.").waitFor();
    await page.getByRole("main").getByRole("button", { name: "Dark" }).click();
    await page.getByText("Theme: Dark.").waitFor();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await page.goto(`${shell.app.origin}/demo/form/simple`);
    await page.getByLabel("Score").fill("11");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Enter a score from 1 to 10.").waitFor();
    await page.getByLabel("Score").fill("9");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("You entered: 9").waitFor();
    await page.goto(`${shell.app.origin}/demo/form/address`);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("This field is required.").first().waitFor();
    await page.getByLabel("ZIP code").fill("123");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Enter a 5-digit ZIP code.").waitFor();
    await context.close();
  });
});

it("prints the answers to all questions, also those that are closed", async () => {
  const { page, context } = await shell.open("/faqs");
  const hidden = () =>
    page
      .locator(".question > p")
      .evaluateAll((answers) => answers.filter((answer) => !answer.checkVisibility()).length);
  const questions = await page.locator(".question").count();
  expect(questions).toBeGreaterThan(5);
  expect(await hidden()).toBe(questions);
  await page.emulateMedia({ media: "print" });
  expect(await hidden()).toBe(0);
  await context.close();
});
