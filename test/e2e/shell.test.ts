import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { launchBrowser } from "../support/browser.ts";
import { startBuiltApp } from "../support/built-app.ts";
import { registerDriver } from "../support/drivers.ts";
import { createActiveDriver, openDashboard, type E2eHarness } from "./harness.ts";

const SUPPORT = {
  SUPPORT_EMAIL: "help@jornada.example",
  SUPPORT_PHONE: "+15550100199",
  SUPPORT_WHATSAPP: "+15550100198,+15550100197",
  ANNOUNCEMENTS_URL: "https://announcements.example/jornada",
  LEGACY_URL: "https://old.jornada.example",
};
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };
const LANGUAGES = [
  ["en-US", "Skip to content"],
  ["es-MX", "Saltar al contenido"],
  ["pt-BR", "Ir para o conteúdo"],
] as const;

let stage: E2eHarness;
beforeAll(async () => {
  const [app, browser] = await Promise.all([startBuiltApp({ settings: SUPPORT }), launchBrowser()]);
  stage = {
    app,
    browser,
    close: async () => {
      await browser.close();
      await app.stop();
    },
  };
});
afterAll(() => stage.close());

type Look = NonNullable<Parameters<Browser["newContext"]>[0]>;

async function open(path: string, options: Look = {}, prepare?: (page: Page) => Promise<unknown>) {
  const context = await stage.browser.newContext({ viewport: PHONE, locale: "en-US", ...options });
  const page = await context.newPage();
  await prepare?.(page);
  await page.goto(`${stage.app.origin}${path}`);
  await page.locator("#content, [role=alert]").first().waitFor();
  return { page, context };
}

/** A driver with a record and service, on one of their screens. */
async function openSignedIn(path: string, options: Look = {}) {
  const person = await registerDriver(stage.app);
  const { page, context } = await open("/", options);
  const query = new URLSearchParams({ sub: person.driverId, phone: person.phoneNumber });
  await page.goto(`${stage.app.origin}/sandbox/sign-in?${query.toString()}`);
  await page.waitForURL("**/flex/**");
  await page.goto(`${stage.app.origin}${path}`);
  await page
    .getByRole("button", { name: /sign out|salir|sair/i })
    .first()
    .waitFor({ state: "attached" });
  return { page, context, person };
}

const menuEntries = (page: Page) =>
  page.getByRole("dialog").locator("a, button:not([aria-pressed])").allInnerTexts();

const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
  );

const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset["theme"]);

const isSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** Waits until the page is idle. */
const hasComeToRest = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));

/** Makes the next render of the page's frame throw. */
const breakFrame = () => {
  // oxlint-disable-next-line no-extend-native -- runs only in the page under test
  Date.prototype.getFullYear = () => {
    throw new RangeError("no year today");
  };
};

describe("the header", () => {
  it("links to the sections of the landing page, without a theme switch", async () => {
    const { page, context } = await open("/", { viewport: DESK, colorScheme: "dark" });
    const header = page.getByRole("banner");
    const links = await header.getByRole("navigation").getByRole("link").allInnerTexts();
    expect(links).toEqual(["Features", "Pricing", "FAQs"]);
    expect(await header.getByRole("group", { name: "Theme" }).count()).toBe(0);
    expect(await themeOf(page)).toBe("light");
    for (const hash of ["features", "pricing", "faqs"]) {
      await header.locator(`a[href="/#${hash}"]`).click();
      await expect.poll(() => new URL(page.url()).hash).toBe(`#${hash}`);
      await expect
        .poll(() => page.locator(`#${hash}`).evaluate((part) => Math.round(part.getBoundingClientRect().top)))
        .toBeLessThan(DESK.height / 2);
    }
    await context.close();
  });

  it("links visitors to home and FAQs, and drivers to payments and profile too", async () => {
    const visitor = await open("/faqs", { viewport: DESK });
    const linksOf = (page: Page) =>
      page.getByRole("banner").getByRole("navigation").getByRole("link").allInnerTexts();
    expect(await linksOf(visitor.page)).toEqual(["Home", "FAQs"]);
    await visitor.page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor();
    await visitor.context.close();

    const driver = await openSignedIn("/faqs", { viewport: DESK });
    expect(await linksOf(driver.page)).toEqual(["Home", "Payments", "My profile", "FAQs"]);
    await driver.page.goto(`${stage.app.origin}/flex/filters`);
    const rail = driver.page.getByRole("navigation", { name: "Main menu" });
    await rail.getByRole("link", { name: "My payments" }).waitFor();
    expect(await rail.getByRole("link").allInnerTexts()).toEqual([
      "Home",
      "My blocks",
      "Filters",
      "My payments",
      "My profile",
      "FAQs",
    ]);
    expect(await rail.locator('[aria-current="page"]').innerText()).toBe("Filters");
    await driver.context.close();
  });

  it("changes the language, stays on the screen and keeps the focus", async () => {
    const { page, context } = await open("/faqs");
    await page.getByRole("button", { name: /^ES/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Preguntas y respuestas" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/faqs");
    expect(await page.title()).toBe("Preguntas frecuentes · Jornada");
    expect(await page.locator("html").getAttribute("lang")).toBe("es");
    expect(await focused(page)).toBe("ES, Español");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Preguntas y respuestas" }).waitFor();
    await context.close();
  });
});

describe("the mobile menu", () => {
  it("has the visitor's entries, in order", async () => {
    const { page, context } = await open("/faqs");
    await page.getByRole("button", { name: "Menu" }).click();
    expect(await menuEntries(page)).toEqual([
      "",
      "Home",
      "FAQs",
      "Contact us",
      "Sign in",
      "Register now",
      "Terms of service",
    ]);
    await context.close();
  });

  it("has the driver's entries, in order, and signs out", async () => {
    const { page, context } = await openSignedIn("/faqs");
    await page.getByRole("button", { name: "Menu" }).click();
    expect(await menuEntries(page)).toEqual([
      "",
      "Home",
      "Payments",
      "FAQs",
      "My profile",
      "Contact us",
      "Sign out",
      "Terms of service",
    ]);
    await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("contentinfo").getByRole("link", { name: "Sign in" }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await context.close();
  });

  it("closes on Escape, backdrop and navigation, and restores the focus", async () => {
    const { page, context } = await open("/faqs");
    const menu = page.getByRole("button", { name: "Menu" });
    const dialog = page.getByRole("dialog");
    await menu.click();
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await focused(page)).toBe("Menu");
    await menu.click();
    await dialog.waitFor();
    await page.mouse.click(195, 830);
    await dialog.waitFor({ state: "hidden" });
    expect(await focused(page)).toBe("Menu");
    await menu.click();
    await dialog.getByRole("link", { name: "Terms of service" }).click();
    await page.getByRole("heading", { level: 1, name: "Terms of service" }).waitFor();
    await dialog.waitFor({ state: "hidden" });
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Questions and answers" }).waitFor();
    await context.close();
  });

  it("opens support with every contact, and restores the focus", async () => {
    const { page, context } = await open("/faqs");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Contact us" }).click();
    const support = page.getByRole("dialog", { name: "Talk to us" });
    await support.waitFor();
    expect(
      await support.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
    ).toEqual([
      "mailto:help@jornada.example",
      "tel:+15550100199",
      expect.stringMatching(/^https:\/\/wa\.me\/1555010019[78]$/),
      "https://announcements.example/jornada",
    ]);
    expect(await support.innerText()).toContain("help@jornada.example or call +1 (555) 010-0199");
    await page.keyboard.press("Escape");
    await support.waitFor({ state: "hidden" });
    expect(await focused(page)).toBe("Menu");
    await context.close();
  });
});

describe("the footer", () => {
  it("has contact, sign-in, terms and the present year", async () => {
    const { page, context } = await open("/terms");
    const footer = page.getByRole("contentinfo");
    expect(await footer.innerText()).toContain(`© ${new Date().getFullYear()} Jornada`);
    expect(await footer.locator("a, button").allInnerTexts()).toEqual([
      "Contact us",
      "Sign in",
      "Terms of service",
    ]);
    await footer.getByRole("button", { name: "Contact us" }).click();
    await page.getByRole("dialog", { name: "Talk to us" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe("Contact us");
    await context.close();
  });
});

describe("the theme", () => {
  it("is stored on the device, and follows the system live if that is chosen", async () => {
    const { page, context } = await open("/faqs", { viewport: DESK, colorScheme: "light" });
    expect(await themeOf(page)).toBe("light");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => themeOf(page)).toBe("dark");
    await page.getByRole("button", { name: "Light", exact: true }).click();
    expect(await themeOf(page)).toBe("light");
    expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("light");
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "Dark", exact: true }).click();
    await page.reload({ waitUntil: "commit" });
    await page.waitForFunction(() => document.body !== null);
    expect(await themeOf(page)).toBe("dark");
    await page.locator("#content").waitFor();
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Your filters" }).waitFor();
    expect(await themeOf(page)).toBe("light");
    await page.goBack();
    await expect.poll(() => themeOf(page)).toBe("dark");
    await context.close();
  });
});

describe("the driver's screens", () => {
  it("show breadcrumbs", async () => {
    const { page, context } = await openSignedIn("/flex/blocks");
    const path = page.getByRole("navigation", { name: "Breadcrumb" });
    expect(await path.getByRole("listitem").allInnerTexts()).toEqual(["Home", "My blocks"]);
    expect(await path.locator('[aria-current="page"]').innerText()).toBe("My blocks");
    expect(await page.title()).toBe("My blocks · Jornada");
    await context.close();
  });

  it("show the main filters in a sheet", async () => {
    const { page, context } = await openDashboard(stage, await createActiveDriver(stage));
    await page.getByRole("button", { name: "Days and minimums" }).click();
    const sheet = page.getByRole("dialog", { name: "Days and minimums" });
    await sheet.getByText("Days you work").waitFor();
    await sheet.getByRole("link", { name: "All filters" }).click();
    await page.waitForURL("**/flex/filters");
    await sheet.waitFor({ state: "hidden" });
    await context.close();
  });

  it("show an overlay only for slow responses", async () => {
    const { page, context } = await openSignedIn("/faqs", { locale: "es-MX" });
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/flex/v1/user", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${stage.app.origin}/flex/dashboard`);
    const overlay = page.locator("output", { hasText: "Cargando..." });
    await overlay.waitFor();
    answer();
    await page.getByRole("heading", { level: 1, name: "Inicio" }).waitFor({ state: "attached" });
    expect(await overlay.count()).toBe(0);
    await context.close();
  });

  it("show their own shape while their data is on the way", async () => {
    const { page, context } = await openDashboard(stage, await createActiveDriver(stage));
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/flex/v1/filters", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${stage.app.origin}/flex/filters`);
    const loading = page.getByRole("main").getByRole("status").filter({ hasText: "Loading" });
    await loading.waitFor({ state: "attached" });
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Filters");
    answer();
    await page.getByTestId("warehouse-card").first().waitFor();
    expect(await loading.count()).toBe(0);
    await context.close();
  });
});

describe("an unknown path", () => {
  it.each(["/nowhere", "/flex/nowhere"])("shows a page with a link home: %s", async (path) => {
    const { page, context } = await open(path);
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    expect(await page.title()).toBe("Page not found · Jornada");
    await page.getByRole("main").getByRole("link", { name: "Go home" }).click();
    await page.getByRole("heading", { level: 1, name: "Your filters" }).waitFor();
    await context.close();
  });
});

describe("a screen that throws", () => {
  it("shows the error inside the frame, and recovers on retry", async () => {
    const { page, context } = await openSignedIn("/faqs");
    // An invalid currency, which the plans can't be rendered in.
    const answerWith = (currency: string) =>
      page.route("**/status/config", async (route) => {
        const response = await route.fetch();
        const json: unknown = await response.json();
        await route.fulfill({ response, json: { ...(json as object), currency } });
      });
    await answerWith("nonsense");
    const logged: string[] = [];
    page.on("console", (message) => logged.push(message.text()));
    const reports: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/flex/v1/errors")) reports.push(request.url());
    });
    await page.goto(`${stage.app.origin}/`);
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.locator("h1, p, button").allInnerTexts()).toEqual([
      "Something went wrong",
      "We apologize for the inconvenience. An unexpected error occurred.",
      "Your switch and filters weren't touched. If you're on, we're still capturing blocks.",
      "Try Again",
      "Reload Page",
      "If this problem persists, please contact support.",
    ]);
    await page.getByRole("contentinfo").getByRole("button", { name: "Contact us" }).waitFor();
    expect(logged.join(" ")).toContain("RangeError");
    expect(reports).toEqual([]);
    await alert.getByRole("button", { name: "Try Again" }).click();
    await alert.waitFor();
    await page.unroute("**/status/config");
    await alert.getByRole("button", { name: "Reload Page" }).click();
    await page.getByRole("heading", { level: 2, name: "Pay for days, not for blocks" }).waitFor();
    await context.close();
  });

  it("reloads the page once if a deployment removed its chunk", async () => {
    const { page, context } = await open("/faqs");
    let loads = 0;
    page.on("load", () => {
      loads += 1;
    });
    await page.route("**/assets/terms-*.js", (route) => route.fulfill({ status: 404, body: "" }));
    await page.getByRole("contentinfo").getByRole("link", { name: "Terms of service" }).click();
    await page.getByRole("alert").getByText("Something went wrong").waitFor();
    expect(loads).toBe(1);
    await context.close();
  });
});

describe("a frame that throws", () => {
  it("shows a page with two ways out, and reports the error once", async () => {
    const { page, context } = await openSignedIn("/faqs");
    const reports: string[] = [];
    await page.route("**/flex/v1/errors", async (route) => {
      reports.push(route.request().postData() ?? "");
      const headers = { "x-request-id": "7KQF2M9XT4" };
      await route.fulfill({ status: 204, headers });
    });
    await page.addInitScript(breakFrame);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Oops" }).waitFor();
    await page.getByText("Something went wrong").waitFor();
    expect(await page.getByRole("link", { name: "Go home" }).getAttribute("href")).toBe("/");
    const legacy = page.getByRole("link", { name: "Go to the previous version" });
    expect(await legacy.getAttribute("href")).toBe(SUPPORT.LEGACY_URL);
    await expect.poll(() => reports.length).toBe(1);
    await hasComeToRest(page);
    expect(reports.map((body) => Object.keys(JSON.parse(body) as object))).toEqual([
      ["v", "id", "nonce", "data"],
    ]);
    expect(reports[0]).not.toContain("no year today");
    // The request id of the report, to be read out or copied.
    await page.getByText("Reference: 7KQF2M9XT4").waitFor();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy reference" }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("7KQF2M9XT4");
    expect(await findViolations(page)).toEqual([]);
    await context.close();
  });

  it("reports nothing for a visitor, and links to no legacy site if there is none", async () => {
    const asked: string[] = [];
    const { page, context } = await open("/faqs", {}, async (page) => {
      await page.addInitScript(breakFrame);
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await page.route("**/status/config", async (route) => {
        const response = await route.fetch();
        const json: unknown = await response.json();
        await route.fulfill({ response, json: { ...(json as object), legacyUrl: null } });
      });
    });
    await page.getByRole("heading", { level: 1, name: "Oops" }).waitFor();
    await hasComeToRest(page);
    expect(asked).not.toContain("/flex/v1/errors");
    expect(await page.getByRole("link").allInnerTexts()).toEqual([SUPPORT.SUPPORT_EMAIL, "Go home"]);
    await context.close();
  });
});

describe("accessibility", () => {
  it("has a skip link past the header", async () => {
    const { page, context } = await open("/terms", { viewport: DESK });
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
    await context.close();
  });

  it.each(LANGUAGES)(
    "has no axe violations on phone and desktop, in both themes: %s",
    async (locale, skip) => {
      const faults: string[] = [];
      for (const options of [
        { viewport: { width: 320, height: 700 }, colorScheme: "dark" },
        { viewport: DESK, colorScheme: "light" },
      ] as const) {
        const { page, context } = await open("/", { ...options, locale, reducedMotion: "reduce" });
        const check = async (name: string) => {
          faults.push(...(await findViolations(page)).map((fault) => `${name} ${fault}`));
          if (await isSideways(page)) faults.push(`${name} is wider than ${options.viewport.width}`);
        };
        for (const path of ["/", "/terms", "/faqs", "/contact", "/nowhere", ...DEMOS]) {
          await page.goto(`${stage.app.origin}${path}`);
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

const DEMOS = [
  "/demo/tanstack-query",
  "/demo/table",
  "/demo/store",
  "/demo/form/simple",
  "/demo/form/address",
];

describe("the demo pages", () => {
  it("have a form, a table, a counter and a query, and are not indexed", async () => {
    const { page, context } = await open("/demo/table");
    expect(await page.locator('meta[name="robots"]').getAttribute("content")).toBe("noindex");
    await page.getByRole("button", { name: "Per day" }).click();
    await page.getByRole("button", { name: "Per day" }).click();
    expect(await page.locator("tbody tr td:last-child").allInnerTexts()).toEqual([
      "$5.67",
      "$6.43",
      "$7.12",
      "$11.66",
    ]);
    await page.goto(`${stage.app.origin}/demo/tanstack-query`);
    await page.getByText("query state success").waitFor();
    await page.goto(`${stage.app.origin}/demo/store`);
    await page.getByRole("button", { name: "Add one" }).click();
    await page.getByText("Count: 1, doubled: 2").waitFor();
    await page.goto(`${stage.app.origin}/demo/form/simple`);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("This field is required.").waitFor();
    await page.getByLabel("Title").fill("Northgate");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Sent: Northgate").waitFor();
    await page.goto(`${stage.app.origin}/demo/form/address`);
    await page.getByLabel("ZIP code").fill("123");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Enter a 5-digit ZIP code.").waitFor();
    await context.close();
  });
});
