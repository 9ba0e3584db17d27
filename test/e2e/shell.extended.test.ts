import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createActiveDriver, openDashboard } from "./harness.ts";
import { DESK, focused, openShellHarness, type ShellHarness, chooseInMenu } from "./shell-harness.ts";

let shell: ShellHarness;
beforeAll(async () => {
  shell = await openShellHarness();
});
afterAll(() => shell.close());

const menuEntries = async (page: Page) => {
  const menu = page.getByRole("dialog");
  // The target is loaded when it is first opened.
  await menu.getByRole("link").first().waitFor();
  return menu.locator("a, button:not([aria-pressed])").allInnerTexts();
};

const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset["theme"]);

describe("a driver's screen", () => {
  it("asks for what it shows before its own code has come", async () => {
    const { page, context } = await shell.openSignedIn("/flex/dashboard");
    // The requests of this first load aren't the reload's.
    await page.getByTestId("system-card").waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const sent = Promise.all(
      ["user", "user/earnings", "live/ticket"].map((path) =>
        page.waitForRequest((request) => request.url().endsWith(`/flex/v1/${path}`)),
      ),
    );
    await page.route("**/assets/app-*.js", async (route) => {
      await sent;
      await route.continue();
    });
    await page.reload();
    await page.getByTestId("system-card").waitFor();
    // Neither once more by the code that asks for it.
    for (const call of ["GET /flex/v1/user", "POST /flex/v1/live/ticket", "GET /status/config"])
      expect([call, asked.filter((known) => known === call).length]).toEqual([call, 1]);
    await context.close();
  });
});

describe("the header", () => {
  it("links to the sections of the landing page, without a theme switch", async () => {
    const { page, context } = await shell.open("/", { viewport: DESK, colorScheme: "dark" });
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
    const visitor = await shell.open("/faqs", { viewport: DESK });
    const linksOf = (page: Page) =>
      page.getByRole("banner").getByRole("navigation").getByRole("link").allInnerTexts();
    await expect.poll(() => linksOf(visitor.page)).toEqual(["Home", "FAQs"]);
    await visitor.page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor();
    await visitor.context.close();

    const driver = await shell.openSignedIn("/faqs", { viewport: DESK });
    await expect.poll(() => linksOf(driver.page)).toEqual(["Home", "Payments", "My profile", "FAQs"]);
    await driver.page.goto(`${shell.app.origin}/flex/filters`);
    const rail = driver.page.getByRole("navigation", { name: "Main menu" });
    await rail.getByRole("link", { name: "My payments" }).waitFor();
    expect(await rail.getByRole("link").allInnerTexts()).toEqual([
      "Home",
      "My blocks",
      "Filters",
      "My payments",
      "Rewards",
      "Invitations",
      "My profile",
      "FAQs",
    ]);
    expect(await rail.locator('[aria-current="page"]').innerText()).toBe("Filters");
    // While the driver is setting up there is no rail, and the header's links take its place.
    await driver.page.goto(`${shell.app.origin}/flex/login`);
    await expect.poll(() => linksOf(driver.page)).toEqual(["Home", "Payments", "My profile", "FAQs"]);
    await driver.context.close();
  });

  it("changes the language, stays on the screen and keeps the focus", async () => {
    const { page, context } = await shell.open("/faqs");
    await chooseInMenu(page, "es");
    await page.getByRole("heading", { level: 1, name: "Preguntas y respuestas" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/faqs");
    expect(await page.title()).toBe("Preguntas frecuentes · Jornada");
    expect(await page.locator("html").getAttribute("lang")).toBe("es");
    await expect.poll(() => focused(page)).toBe("Idioma: ES, Español");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Preguntas y respuestas" }).waitFor();
    await context.close();
  });
});

describe("the mobile menu", () => {
  it("has the visitor's entries, in order", async () => {
    const { page, context } = await shell.open("/faqs");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("dialog", { name: "Menu" }).waitFor();
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
    const { page, context } = await shell.openSignedIn("/faqs");
    await page.getByRole("button", { name: "Menu" }).click();
    expect((await menuEntries(page)).map((entry) => entry.split("\n")[0])).toEqual([
      "",
      "Home",
      "Payments",
      "Rewards",
      "Invitations",
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

  it("closes on Escape, backdrop, Back and navigation, and restores the focus", async () => {
    const { page, context } = await shell.open("/faqs");
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
    for (const _ of [1, 2]) {
      await menu.click();
      await dialog.waitFor();
      await page.goBack();
      await dialog.waitFor({ state: "hidden" });
      expect(new URL(page.url()).pathname).toBe("/faqs");
    }
    await menu.click();
    await dialog.getByRole("link", { name: "Terms of service" }).click();
    await page.getByRole("heading", { level: 1, name: "Terms of service" }).waitFor();
    await menu.click();
    await dialog.waitFor();
    const isOnSheetEntry = () => page.evaluate(() => Reflect.has(Object(history.state), "jornada-sheet"));
    await expect.poll(isOnSheetEntry).toBe(true);
    // A page that was reloaded beneath an open sheet has left the sheet's entry behind.
    await page.reload();
    await expect.poll(isOnSheetEntry).toBe(false);
    await menu.click();
    await dialog.waitFor();
    await expect.poll(isOnSheetEntry).toBe(true);
    await page.goBack();
    await dialog.waitFor({ state: "hidden" });
    expect(new URL(page.url()).pathname).toBe("/terms");
    await dialog.waitFor({ state: "hidden" });
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Questions and answers" }).waitFor();
    await context.close();
  });

  it("opens support with every contact, and restores the focus", async () => {
    const { page, context } = await shell.open("/faqs");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Contact us" }).click();
    const support = page.getByRole("dialog", { name: "Talk to us" });
    await support.getByRole("link").first().waitFor();
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

describe("a navigation by keyboard", () => {
  it("puts the focus on the new screen's heading, and one by touch leaves it alone", async () => {
    const { page, context } = await shell.open("/faqs", { viewport: DESK });
    await page.getByRole("contentinfo").getByRole("link", { name: "Terms of service" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Terms of service" }).waitFor();
    await expect.poll(() => focused(page)).toBe("Terms of service");
    await page.getByRole("contentinfo").getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    expect(await page.locator("h1:focus").count()).toBe(0);
    await context.close();
  });
});

describe("the footer", () => {
  it("has contact, sign-in, terms and the present year", async () => {
    const { page, context } = await shell.open("/terms");
    const footer = page.getByRole("contentinfo");
    expect(await footer.innerText()).toContain(`© ${new Date().getFullYear()} Jornada`);
    expect(await footer.locator("a, button").allInnerTexts()).toEqual([
      "Contact us",
      "Sign in",
      "Platform status",
      "Terms of service",
    ]);
    await footer.getByRole("button", { name: "Contact us" }).click();
    await page.getByRole("dialog", { name: "Talk to us" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe("Contact us");
    await context.close();
  });
});

describe("the terms", () => {
  it("say from when they hold, in the HTML and once the page is alive, in each language", async () => {
    for (const [path, text] of [
      ["/terms", "These terms are in effect from January 5, 2027."],
      ["/pt/terms", "Estes termos valem a partir de 5 de janeiro de 2027."],
      ["/es/terms", "Estos términos rigen a partir del 5 de enero de 2027."],
    ] as const) {
      const { page, context } = await shell.open(path, {}, async (asleep) => {
        await asleep.goto(`${shell.app.origin}${path}`);
        expect(await asleep.getByText(text).count()).toBe(1);
      });
      expect(await page.getByText(text).count()).toBe(1);
      expect(await page.getByText(/template|plantilla|modelo/).count()).toBe(0);
      await context.close();
    }
  });
});

describe("the theme", () => {
  it.each([
    ["/faqs", "system", "light"],
    ["/faqs", "system", "dark"],
    ["/faqs", "light", "dark"],
    ["/login", "dark", "light"],
    // The landing page is always light.
    ["/", "dark", "dark"],
  ] as const)(
    "colors the browser's bar like %s, with %s chosen on a %s device",
    async (path, chosen, colorScheme) => {
      const { page, context } = await shell.open(path, { colorScheme }, (opened) =>
        opened.addInitScript((theme) => localStorage.setItem("theme", theme), chosen),
      );
      const colors = await page.evaluate(() => {
        const canvas = new OffscreenCanvas(1, 1).getContext("2d");
        if (!canvas) throw new Error("no canvas");
        const pixelOf = (color: string) => {
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data];
        };
        const bars = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].filter(
          ({ media }) => matchMedia(media).matches,
        );
        const ground = getComputedStyle(document.documentElement).backgroundColor;
        return { bars: bars.map(({ content }) => pixelOf(content)), ground: pixelOf(ground) };
      });
      expect(colors.bars).toEqual([colors.ground]);
      await context.close();
    },
  );

  it("has icons for a home screen, in its three sizes", async () => {
    const { page, context } = await shell.open("/login");
    const icons = await page.locator('link[rel="apple-touch-icon"]').evaluateAll((links) =>
      Promise.all(
        links.map(async (link) => {
          const image = new Image();
          image.src = link.getAttribute("href") ?? "";
          await image.decode();
          return [link.getAttribute("sizes"), `${image.naturalWidth}x${image.naturalHeight}`];
        }),
      ),
    );
    expect(icons).toEqual(["152x152", "167x167", "180x180"].map((size) => [size, size]));
    await context.close();
  });

  it("is stored on the device, and follows the system live if that is chosen", async () => {
    const { page, context } = await shell.open("/faqs", { viewport: DESK, colorScheme: "light" });
    expect(await themeOf(page)).toBe("light");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => themeOf(page)).toBe("dark");
    await page.getByRole("button", { name: "Light", exact: true }).click();
    await expect.poll(() => themeOf(page)).toBe("light");
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
    const { page, context } = await shell.openSignedIn("/flex/blocks");
    const path = page.getByRole("navigation", { name: "Breadcrumb" });
    await expect.poll(() => path.getByRole("listitem").allInnerTexts()).toEqual(["Home", "My blocks"]);
    expect(await path.locator('[aria-current="page"]').innerText()).toBe("My blocks");
    expect(await page.title()).toBe("My blocks · Jornada");
    await context.close();
  });

  it("show the main filters in a sheet", async () => {
    const { page, context } = await openDashboard(shell, await createActiveDriver(shell));
    await page.getByRole("button", { name: "Quick filters" }).click();
    const sheet = page.getByRole("dialog", { name: "Quick filters" });
    await sheet.getByText("Days you work").waitFor();
    await sheet.getByRole("link", { name: "All filters" }).click();
    await page.waitForURL("**/flex/filters");
    await sheet.waitFor({ state: "hidden" });
    await context.close();
  });

  it("show an overlay only for slow responses", async () => {
    const { page, context } = await shell.openSignedIn("/faqs", { locale: "es-MX" });
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/flex/v1/user", async (route) => {
      await held;
      await route.continue();
    });
    // The record that this page may have fetched and cached would be shown at once.
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage).filter((one) => one.startsWith("jornada.last.")))
        localStorage.removeItem(key);
    });
    await page.goto(`${shell.app.origin}/flex/dashboard`);
    const overlay = page.locator("output", { hasText: "Cargando..." });
    await overlay.waitFor();
    answer();
    await page.getByRole("heading", { level: 1, name: "Inicio" }).waitFor({ state: "attached" });
    expect(await overlay.count()).toBe(0);
    await context.close();
  });

  it("show their own shape while their data is on the way", async () => {
    const { page, context } = await openDashboard(shell, await createActiveDriver(shell));
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/flex/v1/filters", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${shell.app.origin}/flex/filters`);
    const loading = page.getByRole("main").getByRole("status").filter({ hasText: "Loading" });
    await loading.waitFor({ state: "attached" });
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Filters");
    answer();
    await page.getByTestId("warehouse-card").first().waitFor();
    expect(await loading.count()).toBe(0);
    await context.close();
  });
});
