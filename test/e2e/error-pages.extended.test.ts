import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settle } from "../matrix/in-page.ts";
import { findViolations } from "../support/accessibility.ts";
import { joinActiveDriver, openAs } from "./harness.ts";
import { partOfRun } from "./looks.ts";
import { breakFrame, openShellHarness, PHONE, SUPPORT, type ShellHarness } from "./shell-harness.ts";

let shell: ShellHarness;
beforeAll(async () => {
  shell = await openShellHarness();
});
afterAll(() => shell.close());

/** Waits until the page is idle. */
const hasComeToRest = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));

describe("an unknown path", () => {
  it.each(["/nowhere", "/flex/nowhere"])("shows a page with a link home: %s", async (path) => {
    const { page, context } = await shell.open(path);
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    expect(await page.title()).toBe("Page not found · Jornada");
    await page.getByRole("main").getByRole("link", { name: "Go home" }).click();
    await page.getByRole("heading", { level: 1, name: "Your filters" }).waitFor();
    await context.close();
  });
});

describe("an unknown path, signed in", () => {
  it("keeps the frame with its tabs, and its title", async () => {
    const { page, context } = await shell.openSignedIn("/flex/nowhere");
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    expect(await page.title()).toBe("Page not found · Jornada");
    await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Home" }).waitFor();
    await context.close();
  });
});

describe("a record that the server fails to send", () => {
  it("is requested four times by the whole page, its error panel included, and again by the button", async () => {
    const { page, context } = await shell.openSignedIn("/flex/profile");
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage))
        if (key.startsWith("jornada.last.")) localStorage.removeItem(key);
    });
    // Requests of the page before are not counted.
    await page.goto("about:blank");
    let calls = 0;
    await page.route("**/flex/v1/user", (route) => {
      calls += 1;
      return route.fulfill({ status: 500, json: {} });
    });
    await page.goto(`${shell.app.origin}/flex/payments`);
    await page.getByText("Failed to fetch user data").waitFor();
    await hasComeToRest(page);
    expect(calls).toBe(4);
    await page.unroute("**/flex/v1/user");
    const answered = page.waitForResponse("**/flex/v1/user");
    await page.getByRole("button", { name: "Try again" }).click();
    await answered;
    await page.getByText("Failed to fetch user data").waitFor({ state: "detached" });
    await context.close();
  });
});

/** The screens, each with what it stands on: without these there would be nothing whose parts could fail. */
const SCREENS: readonly { path: string; needs?: RegExp }[] = [
  { path: "/flex/dashboard" },
  { path: "/flex/blocks?type=won", needs: /\/blocks$/ },
  { path: "/flex/blocks?type=disliked", needs: /\/blocks$/ },
  { path: "/flex/blocks?type=upcoming" },
  { path: "/flex/filters", needs: /\/filters$/ },
  { path: "/flex/payments", needs: /\/(?:plans|spot)$/ },
  { path: "/flex/rewards" },
  { path: "/flex/invitations" },
  { path: "/flex/profile" },
  { path: "/flex/checks" },
  { path: "/flex/week" },
  { path: "/flex/login" },
  { path: "/arrived" },
  { path: "/raffle/none" },
];

describe("a screen whose data the server fails to send", () => {
  const cases = SCREENS.flatMap(({ path, needs }) =>
    needs
      ? [
          { path, needs: null },
          { path, needs },
        ]
      : [{ path, needs: null }],
  );

  let session: Awaited<ReturnType<BrowserContext["storageState"]>>;
  beforeAll(async () => {
    const { page, context } = await openAs(shell, await joinActiveDriver(shell), "/flex/nowhere");
    await page.getByRole("heading", { level: 1 }).waitFor();
    session = await context.storageState();
    await context.close();
  });

  it.each(partOfRun(cases, 3))(
    "requests nothing more than four times: $path, with $needs there",
    async ({ path, needs }) => {
      const look = { viewport: PHONE, locale: "en-US", serviceWorkers: "block" } as const;
      const context = await shell.browser.newContext({ ...look, storageState: session });
      const page = await context.newPage();
      await page.clock.install();
      const failed = new Map<string, number>();
      await page.route(/\/(?:flex\/v1|status)\//, (route) => {
        const { pathname } = new URL(route.request().url());
        if (/\/(?:user|config|health|live|live\/ticket)$/.test(pathname) || needs?.test(pathname))
          return route.fallback();
        failed.set(pathname, (failed.get(pathname) ?? 0) + 1);
        return route.fulfill({ status: 500, json: {} });
      });
      await page.goto(`${shell.app.origin}${path}`);
      await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
      // The heading may be there long before the code that asks.
      await expect.poll(() => failed.size).toBeGreaterThan(0);
      // A retry waits four seconds at most; what it ends with may mount parts that ask again.
      for (let pause = 0; pause < 6; pause++) {
        await page.evaluate(settle, { quietMs: 100, longestMs: 1_000 });
        await page.clock.fastForward(4_100);
      }
      expect([...failed].filter(([, count]) => count > 4)).toEqual([]);
      await context.close();
    },
  );
});

describe("a page whose code can't be loaded", () => {
  it.each(["no-preference", "reduce"] as const)(
    "offers to reload after a while, motion: %s",
    async (motion) => {
      const { page, context } = await shell.open("/faqs");
      await page.emulateMedia({ reducedMotion: motion });
      // A pointer on its way to the link asks for the code, too.
      let isReloaded = false;
      await page.route("**/assets/*.js", (route) => (isReloaded ? route.continue() : route.abort()));
      await page.goto(`${shell.app.origin}/login`);
      page.on("request", (request) => (isReloaded ||= request.isNavigationRequest()));
      const reload = page.getByRole("link", { name: "Reload Page" });
      expect(await reload.count()).toBe(0);
      await page.evaluate(() => {
        for (const animation of document.getAnimations()) animation.finish();
      });
      await page.getByText("This is taking longer than usual.").waitFor();
      await reload.click();
      await page.getByRole("textbox", { name: "Phone number" }).fill("5550100100");
      await expect.poll(() => page.locator(".overdue").count()).toBe(0);
      await context.close();
    },
  );
});

describe("a screen that throws", () => {
  it("shows the error inside the frame, and recovers on retry", async () => {
    const { page, context } = await shell.openSignedIn("/faqs");
    // An invalid currency, which the plans can't be rendered in.
    const answerWith = (currency: string) =>
      page.route("**/status/plans", async (route) => {
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
    await page.goto(`${shell.app.origin}/`);
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
    await page.unroute("**/status/plans");
    await alert.getByRole("button", { name: "Reload Page" }).click();
    await page.getByRole("heading", { level: 2, name: "Pay for days, not for blocks" }).waitFor();
    await context.close();
  });

  it.each(["at once", "after it was preloaded in vain"])(
    "reloads the page once if a deployment removed its chunk, opened %s",
    async (opened) => {
      const { page, context } = await shell.open("/login");
      let loads = 0;
      page.on("load", () => {
        loads += 1;
      });
      await page.route("**/assets/forgot-password-*.js", (route) => route.fulfill({ status: 404, body: "" }));
      const link = page.getByRole("link", { name: "Forgot your password?" });
      if (opened !== "at once") {
        const missing = page.waitForRequest("**/assets/forgot-password-*.js", { timeout: 10_000 });
        await link.hover();
        await (await missing).response();
      }
      await link.click();
      await page.getByRole("alert").getByText("Something went wrong").waitFor();
      await page.waitForLoadState();
      await expect.poll(() => loads).toBe(1);
      await context.close();
    },
  );

  it("says that there is no connection while the server can't be reached for its chunk, and is whole when it can", async () => {
    const { page, context } = await shell.open("/faqs", {}, (opened) => opened.clock.install());
    let loads = 0;
    page.on("load", () => {
      loads += 1;
    });
    let isDown = true;
    for (const path of ["**/assets/terms-*.js", "**/status/health"])
      await page.route(path, (route) => (isDown ? route.abort() : route.fallback()));
    await page.getByRole("contentinfo").getByRole("link", { name: "Terms of service" }).click();
    await page.getByRole("alert").getByText("You're offline").waitFor();
    expect(await page.getByText("Something went wrong").count()).toBe(0);
    expect({ loads, path: new URL(page.url()).pathname }).toEqual({ loads: 0, path: "/terms" });
    expect(await findViolations(page)).toEqual([]);
    isDown = false;
    await page.clock.fastForward(5_000);
    await page.getByRole("heading", { level: 1, name: "Terms of service" }).waitFor();
    await expect.poll(() => loads).toBe(1);
    await context.close();
  });
});

describe("a frame that throws", () => {
  it("shows a page with two ways out, and reports the error once", async () => {
    const { page, context } = await shell.openSignedIn("/faqs");
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

  it("reports what broke for a visitor without a name, and links to no legacy site if there is none", async () => {
    const asked: string[] = [];
    const { page, context } = await shell.open("/login", {}, async (page) => {
      await page.addInitScript(breakFrame);
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await page.route("**/status/config", async (route) => {
        const response = await route.fetch();
        const json: unknown = await response.json();
        await route.fulfill({ response, json: { ...(json as object), legacyUrl: null } });
      });
    });
    await page.getByRole("heading", { level: 1, name: "Oops" }).waitFor();
    await expect.poll(() => asked.filter((path) => path.endsWith("/errors"))).toEqual(["/status/errors"]);
    await expect
      .poll(() => page.getByRole("link").allInnerTexts())
      .toEqual([SUPPORT.SUPPORT_EMAIL, "Go home"]);
    await context.close();
  });
});

describe("a wait without end", () => {
  it("is said where what a screen loads takes long, and the screen can be loaded anew", async () => {
    const { page, context } = await shell.openSignedIn("/terms");
    let isSwallowed = true;
    await page.route("**/flex/v1/blocks**", (route) => (isSwallowed ? undefined : route.continue()));
    await page.goto(`${shell.app.origin}/flex/blocks`);
    await page.locator("main [data-skeleton]").first().waitFor();
    const notice = page.locator(".overdue-data");
    expect(await notice.isVisible()).toBe(false);
    await notice.evaluate((card) => {
      for (const animation of card.getAnimations()) animation.finish();
    });
    await notice.getByText("This is taking longer than usual.").waitFor();
    expect(await findViolations(page)).toEqual([]);
    isSwallowed = false;
    await notice.getByRole("link", { name: "Reload Page" }).click();
    await page.getByText("No blocks yet").waitFor();
    expect(await notice.isVisible()).toBe(false);
    await context.close();
  });
});
