import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { platformWorld, postJson } from "../support/sandbox-client.ts";
import { registerDriver, type RegisteredDriver } from "../support/drivers.ts";
import { advanceUntil, createActiveDriver, openAs, openE2eHarness, type E2eHarness } from "./harness.ts";
import { looksOfRun } from "./looks.ts";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

const outside = () => ({ fetch, origin: harness.app.origin });
const world = (change: object) => postJson(outside(), "/sandbox/world", change);
const fault = (given: object) => postJson(outside(), "/sandbox/faults", given);

beforeEach(async () => {
  await fetch(`${harness.app.origin}/sandbox/faults`, { method: "DELETE" });
  await world({ reset: true, generate: false, seed: 1, now: null });
});

/** The driver's linking session on the platform. */
async function session({ email }: RegisteredDriver) {
  const { sessions } = await platformWorld(outside());
  const found = sessions.filter((known) => known.email === email).at(-1);
  if (!found) throw new Error("the platform has no session");
  return found;
}

async function decide(person: RegisteredDriver, word: "approve" | "deny"): Promise<void> {
  await postJson(outside(), `/sandbox/platform/sessions/${(await session(person)).id}/${word}`, {});
}

async function newcomer(look = {}) {
  const person = await registerDriver(harness.app);
  const opened = await openAs(harness, person, "/flex/login", { clock: true, ...look });
  return { person, ...opened };
}

/** Waits until the page notices by polling and navigates. */
const comesTo = (page: Page, path: string) =>
  advanceUntil(page, () => new URL(page.url()).pathname === `/flex/${path}`);

async function giveCredentials(page: Page, { email }: RegisteredDriver, password = "right"): Promise<void> {
  await page.getByLabel("Email on the platform").fill(email);
  await page.getByLabel("Password on the platform", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
}

/** It sends itself. */
async function giveCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("One-time code").fill(code);
}

/** Links up to the approval. */
async function comeToApproval(page: Page, person: RegisteredDriver): Promise<void> {
  await giveCredentials(page, person);
  await page.waitForURL("**/flex/otp");
  await giveCode(page, (await session(person)).code);
  await page.waitForURL("**/flex/confirmation");
  await page.getByText("Waiting for your approval").waitFor();
}

const close = ({ context }: { context: BrowserContext }) => context.close();

describe("linking an account", () => {
  it("goes through credentials, code and approval to the filters", async () => {
    const { person, page, context, errors } = await newcomer();
    const secrets: string[] = [];
    page.on("request", (request) => {
      if ((request.postData() ?? "").includes("Secret-1")) secrets.push(request.url());
    });
    const password = page.getByLabel("Password on the platform", { exact: true });
    expect(await password.getAttribute("autocomplete")).toBe("new-password");
    await giveCredentials(page, person, "Secret-1");
    await page.waitForURL("**/flex/otp");
    await page.getByText("emailed a code to d***@e***").waitFor();
    await giveCode(page, (await session(person)).code);
    await page.waitForURL("**/flex/confirmation");
    await page.getByText("Waiting for your approval").waitFor();
    await decide(person, "approve");
    await comesTo(page, "filters");
    await page.getByRole("heading", { name: "Pick your warehouses and days", level: 1 }).waitFor();
    const stored = await harness.app.sql(
      `SELECT proxy_installed, flex_email FROM users WHERE id = ?`,
      person.driverId,
    );
    expect(stored).toEqual([{ proxy_installed: 1, flex_email: person.email }]);
    expect(secrets).toEqual([]);
    expect(errors).toEqual([]);
    await close({ context });
  });

  it("shows missing values at their fields without sending anything", async () => {
    const { page, context } = await newcomer();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Enter your email.").waitFor();
    await page.getByText("Enter your password.").waitFor();
    await page.getByLabel("Email on the platform").fill("nobody");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Enter an email like name@example.com.").waitFor();
    expect((await platformWorld(outside())).sessions).toEqual([]);
    await close({ context });
  });

  it("distinguishes a wrong password from a locked account", async () => {
    const { person, page, context } = await newcomer();
    for (let tries = 0; tries < 4; tries += 1) {
      await giveCredentials(page, person, "wrong");
      await page.getByText("The platform doesn't know this email and password.").waitFor();
    }
    await page.getByText("Login error. Please try again.").waitFor();
    await giveCredentials(page, person, "wrong");
    await page.getByText(/^The platform locked your account until .*\d:\d\d\s[AP]M/).waitFor();
    await close({ context });
  });

  it("shows how long to wait after too many tries, and waits", async () => {
    const { person, page, context } = await newcomer();
    await fault({ operation: "createSession", fault: "429", times: 1, retryAfter: 2 });
    await giveCredentials(page, person);
    await page.getByText("Too many tries.").waitFor();
    await page.getByRole("button", { name: "Try again in 0:0" }).waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/flex/otp");
    await close({ context });
  });

  it("keeps the values and offers support if the platform doesn't respond", async () => {
    const { person, page, context } = await newcomer();
    await fault({ operation: "createSession", fault: "503", times: 1 });
    await giveCredentials(page, person);
    await page
      .getByText(
        "An error occurred while processing your request. Please try again or contact support if the problem persists.",
      )
      .waitFor();
    await page.getByRole("main").getByRole("button", { name: "Contact us" }).waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/flex/otp");
    await close({ context });
  });

  it("counts down the tries of a wrong code, and starts over after the last", async () => {
    const { person, page, context } = await newcomer();
    await giveCredentials(page, person);
    await page.waitForURL("**/flex/otp");
    const { code } = await session(person);
    const wrong = Array.from("012345", (digit) => digit.repeat(8)).filter((candidate) => candidate !== code);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/setup/otp")) sent.push(request.method());
    });
    for (const [index, words] of ["4 tries left", "3 tries left", "2 tries left", "1 try left"].entries()) {
      await giveCode(page, wrong[index] ?? "");
      await page.getByText(words).waitFor();
      // The tap comes after the code sent itself: it costs no other try.
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.getByText(words).waitFor();
    }
    await giveCode(page, wrong[4] ?? "");
    await page.waitForURL("**/flex/login");
    expect(sent).toEqual(["POST", "POST", "POST", "POST", "POST"]);
    await page.getByText("That code isn't right, and you have no tries left.").waitFor();
    await close({ context });
  });

  it("resends the code, and accepts the new one", async () => {
    const { person, page, context } = await newcomer();
    await giveCredentials(page, person);
    await page.waitForURL("**/flex/otp");
    const first = await session(person);
    await page.getByRole("button", { name: "Send a new code in" }).waitFor();
    // Nor is it offered too early after returning.
    await page.reload();
    await page.getByRole("button", { name: "Send a new code in" }).waitFor();
    await world({ now: Date.now() + 40_000 });
    await page.clock.fastForward(31_000);
    const resend = page.getByRole("button", { name: "Send a new code", exact: true });
    // The platform may ask for a longer wait, which only the button says.
    await fault({ operation: "resendOtp", fault: "429", times: 1, retryAfter: 50 });
    await resend.click();
    await page.getByRole("button", { name: /Send a new code in 0:(50|4\d)/ }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.clock.fastForward(51_000);
    await resend.click();
    await page.getByText("The platform sent a new code.").waitFor();
    const second = await session(person);
    expect(second.id).toBe(first.id);
    await giveCode(page, second.code);
    await page.waitForURL("**/flex/confirmation");
    await close({ context });
  });

  it("says that a code has expired, and starts over", async () => {
    const { person, page, context } = await newcomer();
    await giveCredentials(page, person);
    await page.waitForURL("**/flex/otp");
    const { code } = await session(person);
    await page.getByText("Expires in").waitFor();
    await world({ now: Date.now() + 11 * 60_000 });
    await giveCode(page, code);
    await page.waitForURL("**/flex/login");
    await page.getByText("Error setting up account. Please try again.").waitFor();
    expect(await page.getByLabel("Email on the platform").inputValue()).toBe(person.email);
    await close({ context });
  });

  it("says that the approval was denied, and starts over with the e-mail filled in", async () => {
    const { person, page, context } = await newcomer();
    await comeToApproval(page, person);
    await decide(person, "deny");
    await comesTo(page, "login");
    await page.getByText("The request was denied on your device.").waitFor();
    await page.getByText("Error setting up account. Please try again.").waitFor();
    expect(await page.getByLabel("Email on the platform").inputValue()).toBe(person.email);
    await comeToApproval(page, person);
    await close({ context });
  });

  it("says that an approval came too late", async () => {
    const { person, page, context } = await newcomer();
    await comeToApproval(page, person);
    await world({ now: Date.now() + 11 * 60_000 });
    await comesTo(page, "login");
    await page.getByText("Linking took too long. Start again.").waitFor();
    await close({ context });
  });

  it("continues on another device at the present step, whichever step's path is opened", async () => {
    const { person, page, context } = await newcomer();
    await giveCredentials(page, person);
    await page.waitForURL("**/flex/otp");
    const tablet = await openAs(harness, person, "/flex/confirmation", { clock: true });
    await tablet.page.waitForURL("**/flex/otp");
    await giveCode(tablet.page, (await session(person)).code);
    await tablet.page.waitForURL("**/flex/confirmation");
    await page.reload();
    await page.waitForURL("**/flex/confirmation");
    await decide(person, "approve");
    await Promise.all([comesTo(page, "filters"), comesTo(tablet.page, "filters")]);
    await close(tablet);
    await close({ context });
  });

  it("keeps an approval that was given while the platform didn't respond", async () => {
    const { person, page, context } = await newcomer();
    await comeToApproval(page, person);
    await fault({ operation: "listWarehouses", fault: "503", times: 1 });
    await decide(person, "approve");
    await advanceUntil(page, () => page.getByText("We can't reach the platform right now.").isVisible());
    await page.reload();
    await page.getByRole("heading", { name: "Your account is linked" }).waitFor();
    await page.getByRole("link", { name: "Continue" }).click();
    await page.waitForURL("**/flex/filters");
    await close({ context });
  });

  it("can start over with other credentials, or return to the session in progress", async () => {
    const { person, page, context } = await newcomer();
    await comeToApproval(page, person);
    await page.getByRole("button", { name: "Start again with another account" }).click();
    await page.waitForURL("**/flex/login");
    await page.getByRole("button", { name: "Continue where I left off" }).click();
    await page.waitForURL("**/flex/confirmation");
    await close({ context });
  });
});

describe("a driver with a linked account", () => {
  it("sees on /flex/login that it is linked, with a way on", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openAs(harness, actor, "/flex/login");
    await page.getByRole("heading", { name: "Your account is linked" }).waitFor();
    await page.getByText(actor.email).waitFor();
    // Where the account's e-mail isn't known, nothing says which one it is.
    await page.route("**/flex/v1/user", async (route) => {
      const response = await route.fetch();
      const { Item }: { Item: object } = await response.json();
      await route.fulfill({ response, json: { Item: { ...Item, flexEmail: null } } });
    });
    await page.reload();
    await page.getByText(/^\s*To link another account/).waitFor();
    await page.getByRole("link", { name: "Continue" }).click();
    await page.waitForURL("**/flex/dashboard");
    await close({ context });
  });

  it("links again with one tap on the dashboard after the platform signed them out", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openAs(harness, actor, "/flex/dashboard", { clock: true });
    await page.getByText("Looking for blocks").first().waitFor();
    const { drivers } = (await (await fetch(`${harness.app.origin}/sandbox/platform/world`)).json()) as {
      drivers: { driverId: string; email: string }[];
    };
    const known = drivers.find(({ email }) => email === actor.email);
    await postJson(outside(), `/sandbox/platform/drivers/${known?.driverId}/sign-out`, {});
    await page.getByRole("link", { name: "Link my account" }).click();
    await page.waitForURL("**/flex/login");
    expect(await page.getByLabel("Email on the platform").inputValue()).toBe(actor.email);
    await comeToApproval(page, actor);
    await decide(actor, "approve");
    await comesTo(page, "dashboard");
    await page.getByText("Looking for blocks").first().waitFor();
    await close({ context });
  });

  it("must sign in before linking", async () => {
    const context = await harness.browser.newContext({ locale: "en-US" });
    const page = await context.newPage();
    await page.goto(`${harness.app.origin}/flex/otp`);
    await page.getByText("You must be authenticated to set up your account").waitFor();
    await close({ context });
  });
});

it.each(
  looksOfRun([
    ["phone, light, English", { colorScheme: "light", locale: "en-US" }],
    ["phone, dark, Portuguese", { colorScheme: "dark", locale: "pt-BR" }],
    [
      "desk, light, Spanish",
      { colorScheme: "light", locale: "es-MX", viewport: { width: 1280, height: 900 } },
    ],
  ] as const),
)("the linking steps have no axe violations: %s", async (_name, look) => {
  const { person, page, context } = await newcomer(look);
  const faults: string[] = [];
  const search = async () => {
    faults.push(...(await findViolations(page)).map((fault) => `${page.url()} ${fault}`));
  };
  await page.locator("input[name=platform-email]").fill(person.email);
  await page.locator("input[name=platform-password]").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").first().waitFor();
  await search();
  await page.locator("input[name=platform-password]").fill("right");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/flex/otp");
  await page.locator("input[name=code]").fill("00000000");
  await page.keyboard.press("Enter");
  await page.locator("[aria-invalid=true]").waitFor();
  await search();
  await page.locator("input[name=code]").fill((await session(person)).code);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/flex/confirmation");
  await page.locator("h1").waitFor();
  await search();
  expect(faults).toEqual([]);
  await close({ context });
});
