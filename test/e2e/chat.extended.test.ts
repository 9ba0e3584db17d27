import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { DriverClient } from "../support/driver-client.ts";
import { linkPlatformAccount } from "../support/sandbox-client.ts";
import { poolSession } from "../support/stored-session.ts";
import {
  openAccountHarness,
  PASSWORD,
  signIn,
  waitUntilSignedIn,
  type AccountHarness,
} from "./account-harness.ts";

/** Origins of their own, so that the page's policy decides whether the scripts may be loaded. */
const CHAT = "http://chat.localhost";
const RECORDER = "http://recorder.localhost";

let harness: AccountHarness;
beforeAll(async () => {
  harness = await openAccountHarness({
    CHATWOOT_URL: `${CHAT}/sandbox/chatwoot`,
    CHATWOOT_TOKEN: "sandbox",
    CHATWOOT_HMAC_KEY: "sandbox",
    RECORDING_SCRIPT_URL: `${RECORDER}/sandbox/recording/tag/web1`,
    OPS_URL: "http://ops.localhost",
  });
});
afterAll(() => harness.close());

/** Whether the page's policy lets scripts set styles, as the browser got it. */
const lacksStyleLock = async (page: Page) => {
  const policy = (await page.request.get(page.url())).headers()["content-security-policy"] ?? "";
  return policy.includes("'unsafe-inline'");
};

/** How many parts of the chat are seen on the screen and on paper. */
async function countSeen(page: Page) {
  const parts = page.locator(".chat-bubble, .woot-widget-bubble, .woot-widget-holder");
  const count = () => parts.locator("visible=true").count();
  const screen = await count();
  await page.emulateMedia({ media: "print" });
  const paper = await count();
  await page.emulateMedia({ media: "screen" });
  return { screen, paper };
}

/** Serves an origin from the sandbox. @returns the requested paths, as they come */
async function serve(context: BrowserContext, origin: string): Promise<string[]> {
  const asked: string[] = [];
  await context.route(`${origin}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    asked.push(pathname);
    await route.fulfill({
      response: await route.fetch({ url: `${harness.app.origin}${pathname}${search}` }),
    });
  });
  return asked;
}

it("loads the support chat by its bubble or button and never before, as the driver, and ends it at sign-out", async () => {
  const account = { phoneNumber: "+15550100164", password: PASSWORD, name: "Rui" };
  await harness.register(account);
  const { context, page } = await harness.openPhone("/login");
  const asked = await serve(context, CHAT);
  const blocked: string[] = [];
  page.on("console", (line) => {
    if (line.text().includes("Content Security Policy")) blocked.push(line.text());
  });
  await signIn(page, account.phoneNumber);
  await waitUntilSignedIn(page);
  await page.goto(`${harness.app.origin}/contact`);
  const button = page.getByRole("main").getByRole("button", { name: "Chat with us" });
  await button.waitFor();
  // The bubble is there before the chat was ever opened, and is ours until the chat's own is.
  const ownBubble = page.getByTestId("chat-bubble");
  await ownBubble.waitFor();
  expect(asked).toEqual([]);
  expect(await countSeen(page)).toEqual({ screen: 1, paper: 0 });
  // Its script may set styles, so it opens on a page that was loaded for it; the others may not.
  expect(await lacksStyleLock(page)).toBe(false);
  const isAnew = page.waitForRequest((request) => request.isNavigationRequest());
  await ownBubble.getByRole("button", { name: "Chat with us" }).click();
  expect((await isAnew).url()).toBe(`${harness.app.origin}/contact?chat=open`);
  await page.frameLocator("#chatwoot_live_chat_widget").getByText("support chat").waitFor();
  await page.waitForURL(`${harness.app.origin}/contact`);
  expect(
    await page.locator("#chatwoot_live_chat_widget").evaluate((frame) => getComputedStyle(frame).width),
  ).toBe("340px");
  const calls = () => page.evaluate(() => Reflect.get(window, "sandboxChat") as unknown[][]);
  await expect.poll(calls).toContainEqual(["toggle", "open"]);
  expect(await calls()).toEqual([
    ["run", "sandbox"],
    [
      "setUser",
      expect.stringMatching(`^jornada-\\${account.phoneNumber}-[0-9a-f-]{36}$`),
      {
        name: expect.any(String),
        phone_number: account.phoneNumber,
        identifier_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ],
    [
      "setCustomAttributes",
      { good_standing: false, expiration_date: null, human_region: null, account_connected: false },
    ],
    ["dropped label", "jornada"],
    ["setLocale", "en"],
    ["toggle", "open"],
  ]);
  await ownBubble.waitFor({ state: "detached" });
  const { screen, paper } = await countSeen(page);
  expect([screen > 0, paper]).toEqual([true, 0]);
  // The stand-in throws where Chatwoot's SDK does.
  const thrown = await page.evaluate(() => {
    const chat = Reflect.get(window, "$chatwoot") as unknown as Record<string, (...given: unknown[]) => void>;
    const tries = [
      () => chat["setUser"]?.({}, { name: "Rui" }),
      () => chat["setUser"]?.("1", {}),
      () => chat["setCustomAttributes"]?.({}),
    ];
    return tries.map((run) => {
      try {
        run();
        return "taken";
      } catch (error) {
        return error instanceof Error ? error.message : "other";
      }
    });
  });
  expect(thrown).toEqual([
    "Identifier should be a string or a number",
    "User object should have one of the keys [avatar_url, email, name]",
    "Custom attributes should have atleast one key",
  ]);
  // The label goes to the conversation that the first message begins, once.
  const send = page
    .frameLocator("#chatwoot_live_chat_widget")
    .getByRole("button", { name: "Send a message" });
  await send.click();
  await expect.poll(async () => (await calls()).at(-1)).toEqual(["setLabel", "jornada"]);
  await send.click();
  expect((await calls()).filter(([name]) => name === "setLabel")).toHaveLength(1);

  // A reply that came while the page was away is marked on the bubble of the page that is loaded anew.
  const bubble = page.getByTitle("Open chat window");
  expect(await bubble.getAttribute("class")).not.toContain("unread-notification");
  await fetch(`${harness.app.origin}/sandbox/chatwoot/reply`, { method: "POST" });
  await page.goto(`${harness.app.origin}/contact`);
  await expect.poll(() => bubble.getAttribute("class")).toContain("unread-notification");
  await expect.poll(calls).toContainEqual(["setLabel", "jornada"]);
  expect((await calls()).map(([name]) => name)).not.toContain("refused setUser");
  await bubble.click();
  await page.frameLocator("#chatwoot_live_chat_widget").getByText("support chat").waitFor();
  // The open chat covers the footer on a phone.
  await page.getByRole("contentinfo").getByRole("button", { name: "Sign out" }).dispatchEvent("click");
  await expect.poll(calls).toContainEqual(["reset"]);
  const cookies = () => page.evaluate(() => document.cookie);
  await expect.poll(cookies).not.toContain("cw_");

  // The next time it is a page that was loaded anew, and every device is signed out.
  await page.goto(`${harness.app.origin}/login`);
  await signIn(page, account.phoneNumber);
  await waitUntilSignedIn(page);
  await page.goto(`${harness.app.origin}/contact`);
  await button.click();
  await expect.poll(cookies).toMatch(/(?=.*cw_conversation)(?=.*cw_user_sandbox)/);
  await page.goto(`${harness.app.origin}/flex/profile`);
  await page.getByRole("heading", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await expect.poll(cookies).not.toContain("cw_");
  expect(blocked).toEqual([]);
  await context.close();
});

it("leaves its chat to nobody who stays on the page, and opens another driver's as theirs", async () => {
  const [first, second] = ["+15550100168", "+15550100169"].map((phoneNumber) => ({
    phoneNumber,
    password: PASSWORD,
    name: "Lia",
  }));
  if (!first || !second) throw new Error("two drivers are needed");
  await harness.register(first);
  await harness.register(second);
  const { context, page } = await harness.openPhone("/login");
  await serve(context, CHAT);
  await signIn(page, first.phoneNumber);
  await waitUntilSignedIn(page);
  await page.goto(`${harness.app.origin}/contact?chat=open`);
  const frame = page.frameLocator("#chatwoot_live_chat_widget");
  await frame.getByText("support chat").waitFor();
  const owners = () =>
    page.evaluate(() =>
      (Reflect.get(window, "sandboxChat") as unknown[][]).flatMap(([name, given]) =>
        name === "setUser" || name === "reset"
          ? [name === "reset" ? "nobody" : String(given).slice(8, 20)]
          : [],
      ),
    );
  await expect.poll(owners).toEqual([first.phoneNumber]);
  await page.getByRole("contentinfo").getByRole("button", { name: "Sign out" }).dispatchEvent("click");
  await expect.poll(owners).toEqual([first.phoneNumber, "nobody"]);
  await expect.poll(async () => (await countSeen(page)).screen).toBe(0);

  // All in the page that showed the first one's, and by a sign-in that makes the second one's record.
  await page.getByRole("contentinfo").getByRole("link", { name: "Sign in" }).click();
  await signIn(page, second.phoneNumber);
  await waitUntilSignedIn(page);
  await page.getByTestId("chat-bubble").getByRole("button").click();
  await frame.getByText("support chat").waitFor();
  expect(await owners()).toEqual([first.phoneNumber, "nobody", second.phoneNumber]);
  await expect.poll(async () => (await countSeen(page)).screen).toBe(1);
  await context.close();
});

it("leaves the edge to a bar that saves and the room to a low window, and keeps the button that closes an open chat", async () => {
  const account = { phoneNumber: "+15550100170", password: PASSWORD, name: "Lia" };
  await harness.register(account);
  const outside = { fetch, origin: harness.app.origin };
  const { idToken } = await poolSession(outside.origin, account);
  const client = new DriverClient({ ...outside, token: idToken });
  await client.sealed("PUT", "/flex/v1/user", { name: account.name, phoneNumber: account.phoneNumber });
  await linkPlatformAccount({ ...outside, client }, "lia@example.com");
  const { context, page } = await harness.openPhone("/login");
  await serve(context, CHAT);
  await signIn(page, account.phoneNumber);
  await waitUntilSignedIn(page);
  await page.goto(`${harness.app.origin}/contact`);
  const ownBubble = page.getByTestId("chat-bubble");
  await ownBubble.waitFor();
  // A phone that lies on its side, or whose keyboard is open.
  await page.setViewportSize({ width: 844, height: 390 });
  await ownBubble.waitFor({ state: "hidden" });
  const chat = page.frameLocator("#chatwoot_live_chat_widget").getByText("support chat");
  const openFromMenu = async () => {
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Contact us" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Chat with us" }).click();
    await chat.waitFor();
  };
  await page.goto(`${harness.app.origin}/flex/profile`);
  await openFromMenu();
  const [open, close] = [page.getByTitle("Open chat window"), page.getByTitle("Close chat window")];
  await close.click();
  await chat.waitFor({ state: "hidden" });
  expect(await open.isVisible()).toBe(false);

  await page.setViewportSize({ width: 820, height: 1_180 });
  await open.waitFor();
  await page.goto(`${harness.app.origin}/flex/filters`);
  await page.getByTestId("warehouse-card").getByRole("switch").first().click();
  await page.getByTestId("save-bar").waitFor();
  await open.waitFor({ state: "hidden" });
  await openFromMenu();
  expect(await open.isVisible()).toBe(false);
  await close.click();
  await chat.waitFor({ state: "hidden" });
  await context.close();
});

it("records nobody who was not asked, only what is masked, and stops at once when the driver says so", async () => {
  const driver = { phoneNumber: "+15550100165", password: PASSWORD, name: "Bia" };
  await harness.register(driver);
  const { context, page } = await harness.openPhone("/login");
  const blocked: string[] = [];
  page.on("console", (line) => {
    if (line.text().includes("Content Security Policy")) blocked.push(line.text());
  });
  const asked = await serve(context, RECORDER);
  await signIn(page, driver.phoneNumber);
  await waitUntilSignedIn(page);
  await page.goto(`${harness.app.origin}/flex/dashboard`);
  const question = page.getByTestId("recording");
  await question.waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(asked).toEqual([]);
  expect(await page.evaluate(() => document.body.dataset["clarityMask"])).toBeUndefined();
  await question.getByRole("button", { name: "Don't allow" }).click();
  await question.waitFor({ state: "detached" });

  const openProfile = () => page.goto(`${harness.app.origin}/flex/profile`);
  const choice = page.getByRole("switch", { name: "Session recording" });
  await openProfile();
  await choice.waitFor();
  expect([await choice.getAttribute("aria-checked"), asked]).toEqual(["false", []]);
  await choice.click();
  const sent = () => asked.filter((path) => path === "/sandbox/recording/collect").length;
  await expect.poll(sent).toBeGreaterThan(0);
  const calls = () => page.evaluate(() => Reflect.get(window, "sandboxRecording") as unknown[][]);
  expect(await calls()).toEqual([
    ["consentv2", { ad_Storage: "denied", analytics_Storage: "granted" }],
    ["identify", driver.phoneNumber],
    ["set", "tag", "jornada"],
  ]);
  expect(await page.evaluate(() => document.body.dataset["clarityMask"])).toBe("true");

  await openProfile();
  await expect.poll(() => asked.filter((path) => path.endsWith("/tag/web1")).length).toBe(2);
  await expect.poll(calls).toHaveLength(3);
  await choice.click();
  await expect.poll(calls).toContainEqual(["stop"]);
  expect(await page.evaluate(() => document.cookie)).not.toContain("_clck");
  await expect.poll(() => choice.getAttribute("aria-checked")).toBe("false");
  const before = sent();
  await page.getByRole("heading", { name: "Session recording" }).click();
  expect(sent()).toBe(before);
  expect(blocked).toEqual([]);
  await context.close();
});

it("shows the dashboard while the recorder's script is still on its way", async () => {
  const driver = { phoneNumber: "+15550100166", password: PASSWORD, name: "Caio" };
  await harness.register(driver);
  const { context, page } = await harness.openPhone("/login");
  const held: (() => void)[] = [];
  await context.route(`${RECORDER}/**`, async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.abort();
  });
  await signIn(page, driver.phoneNumber);
  await waitUntilSignedIn(page);
  await harness.app.sql(`UPDATE users SET recording_consent = 1 WHERE phone_number = ?`, driver.phoneNumber);
  await page.goto(`${harness.app.origin}/flex/dashboard`, { waitUntil: "commit" });
  await expect.poll(() => held.length).toBe(1);
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  await page.getByTestId("system-card").getByRole("heading").first().waitFor();
  expect(held).toHaveLength(1);
  held[0]?.();
  await context.close();
});

it("loads and offers neither chat nor recorder at an address that serves the console", async () => {
  const shared = await openAccountHarness({
    CHATWOOT_URL: `${CHAT}/sandbox/chatwoot`,
    CHATWOOT_TOKEN: "sandbox",
    CHATWOOT_HMAC_KEY: "sandbox",
    RECORDING_SCRIPT_URL: `${RECORDER}/sandbox/recording/tag/web1`,
  });
  const driver = { phoneNumber: "+15550100167", password: PASSWORD, name: "Nina" };
  await shared.register(driver);
  const { context, page } = await shared.openPhone("/login");
  const { host } = new URL(shared.app.origin);
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).host !== host) foreign.push(request.url());
  });
  await context.addCookies([{ name: "cw_conversation", value: "old", url: shared.app.origin }]);
  await signIn(page, driver.phoneNumber);
  await waitUntilSignedIn(page);
  for (const path of ["/contact?chat=open", "/flex/dashboard", "/flex/profile"]) {
    await page.goto(`${shared.app.origin}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await lacksStyleLock(page)).toBe(false);
    // The page looks for a chat to bring back right before it registers its worker.
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    expect(await page.getByTestId("chat-bubble").count()).toBe(0);
  }
  await page.getByRole("heading", { name: "Session recording" }).waitFor({ state: "detached" });
  expect(foreign).toEqual([]);
  const health = (await (await fetch(`${shared.app.origin}/status/health`)).json()) as { reasons: object };
  expect(health.reasons).toMatchObject({ "settings.chat": "OPS_URL", "settings.recording": "OPS_URL" });
  await context.close();
  await shared.close();
});
