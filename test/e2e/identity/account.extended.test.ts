import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { CognitoUserAttribute } from "amazon-cognito-identity-js";
import { promisify } from "../../support/identity.ts";
import { postJson } from "../../support/sandbox-client.ts";
import {
  submitCode,
  waitUntilSignedIn,
  recordPoolOperations,
  openAccountHarness,
  PASSWORD,
  formAlive,
  signIn,
  signUp,
  type AccountHarness,
} from "../account-harness.ts";
import { chooseInMenu } from "../shell-harness.ts";

let harness: AccountHarness;
beforeAll(async () => {
  harness = await openAccountHarness();
});
afterAll(() => harness.close());

const recordOf = (phoneNumber: string) =>
  harness.app.sql(`SELECT name, referral FROM users WHERE phone_number = ?`, phoneNumber);

/** Holds the page's code back until the returned function is called. */
async function holdCode(page: Page): Promise<() => void> {
  const { promise: arrival, resolve: letCodeArrive } = Promise.withResolvers<void>();
  await page.route(/\/assets\/app-.*\.js$/, async (route) => {
    await arrival;
    await route.continue();
  });
  return letCodeArrive;
}

/** Waits until the page is alive and its service worker has all of its code. */
async function hasCode(page: Page): Promise<void> {
  await formAlive(page);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
}

describe("a newcomer with a phone", () => {
  it("registers, enters the texted code, and is signed in with a record", async () => {
    const { context, page } = await harness.openPhone("/register?referral=friend");
    await page.getByLabel("Phone number").pressSequentially("5550100144");
    await expect.poll(() => page.getByLabel("Phone number").inputValue()).toBe("+1 (555) 010-0144");
    await signUp(page, "Ana", "5550100144");

    await page.getByLabel("Confirmation code").waitFor();
    // The first time at once, as the server sends it.
    await page.getByRole("button", { name: "Resend code", exact: true }).click();
    await page.getByText("Code resent successfully.").waitFor();
    await page.getByRole("button", { name: /Resend code in \d+ s/ }).waitFor();
    const sent = await harness.codeFor("+15550100144");
    await submitCode(page, sent === "000000" ? "111111" : "000000");
    await page.getByText("Error verifying the code").first().waitFor();
    await submitCode(page, sent);
    await waitUntilSignedIn(page);
    expect(await recordOf("+15550100144")).toEqual([{ name: "Ana", referral: "friend" }]);
    await context.close();
  });

  it("signs in again by SRP, and sees the product's message for a wrong password", async () => {
    const { context, page } = await harness.openPhone("/flex/dashboard");
    await page.waitForURL("**/login?back=**");
    const passwords: string[] = [];
    page.on("request", (request) => {
      if ((request.postData() ?? "").includes(PASSWORD)) passwords.push(request.url());
    });
    await signIn(page, "555 010 0144", "Wrong-1-password");
    await page.getByText("Login failed").first().waitFor();
    await signIn(page, "555 010 0144");
    await page.waitForURL("**/flex/dashboard", { timeout: 20_000 });
    expect(passwords).toEqual([]);
    await context.close();
  });

  it("loses nothing of what a hurried visitor types and sends before the page's code has come", async () => {
    const { context, page } = await harness.openPhone("/terms");
    const operations = recordPoolOperations(page);
    const letCodeArrive = await holdCode(page);
    await page.goto(`${harness.app.origin}/login?back=%2Fflex%2Ffilters`);
    const phone = page.getByLabel("Phone number");
    const password = page.getByLabel("Password", { exact: true });
    await phone.pressSequentially("5550100144");
    await password.pressSequentially("Wrong-1-pass");
    for (const key of ["Enter", "ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key);
    expect(new URL(page.url()).search).toBe("?back=%2Fflex%2Ffilters");
    expect(operations).toEqual([]);
    letCodeArrive();
    await page.getByText("Login failed").first().waitFor();
    expect(operations.filter((operation) => operation === "RespondToAuthChallenge")).toHaveLength(1);
    expect([await phone.inputValue(), await password.inputValue()]).toEqual([
      "+1 (555) 010-0144",
      "Wrong-1-pass",
    ]);
    await page.keyboard.press("x");
    expect(await password.inputValue()).toBe("Wrong-1-paxss");
    await context.close();
  });

  it("keeps the focus that was put elsewhere before the page's code has come", async () => {
    const { context, page } = await harness.openPhone("/terms");
    const letCodeArrive = await holdCode(page);
    await page.goto(`${harness.app.origin}/register`);
    const menu = page.getByTestId("language-menu").locator("summary");
    await menu.focus();
    letCodeArrive();
    await hasCode(page);
    expect(await menu.evaluate((control) => control === document.activeElement)).toBe(true);
    await context.close();
  });

  it.each(["whole", "as a frame"])(
    "has the focus in the first field of a form that is painted %s",
    async (painted) => {
      const { context, page } = await harness.openPhone("/terms");
      const { origin } = harness.app;
      // As where a service worker has no other page on the device.
      if (painted === "as a frame")
        await page.route("**/register", async (route) =>
          route.fulfill({ response: await route.fetch({ url: `${origin}/flex/dashboard` }) }),
        );
      await page.goto(`${origin}/register`);
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("name");
      await context.close();
    },
  );

  it("has nothing moved where it is typed into", async () => {
    const { context, page } = await harness.openPhone("/terms");
    const letCodeArrive = await holdCode(page);
    await page.goto(`${harness.app.origin}/register`);
    await page.evaluate(() => document.fonts.ready);
    const tops = () =>
      page
        .locator("main input, main h1, main button, footer")
        .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().top)));
    const painted = await tops();
    await page.getByLabel("Repeat your password").fill("Typed-1-early");
    await page.locator('input[name="terms"]').check();
    letCodeArrive();
    await page.locator("#root:not([data-painted])").waitFor();
    expect(await tops()).toEqual(painted);
    expect(await page.getByLabel("Repeat your password").inputValue()).toBe("Typed-1-early");
    expect(await page.locator('input[name="terms"]').isChecked()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("terms");
    await context.close();
  });

  it("can return to an unconfirmed account after the code has expired", async () => {
    const phone = "+15550100145";
    const attributes = [
      new CognitoUserAttribute({ Name: "name", Value: "Bia" }),
      new CognitoUserAttribute({ Name: "phone_number", Value: phone }),
    ];
    await promisify((done) => harness.pool.signUp(phone, PASSWORD, attributes, [], done));
    const { context, page } = await harness.openPhone("/login");
    await signIn(page, phone);
    await page.getByText("Your account is not verified. Please enter the confirmation code.").waitFor();
    await harness.app.sql(`UPDATE pool_codes SET expires_at = 0, sent_at = sent_at - 31000`);
    await submitCode(page, await harness.codeFor(phone));
    await page.getByText("That code has expired. Ask for a new one.").waitFor();
    await page.getByRole("button", { name: "Resend code", exact: true }).click();
    await page.getByText("Code resent successfully.").waitFor();
    await page.getByRole("button", { name: /Resend code in \d+ s/ }).waitFor();
    await submitCode(page, await harness.codeFor(phone));
    await waitUntilSignedIn(page);
    expect(await recordOf(phone)).toEqual([{ name: "Bia", referral: "jornada" }]);
    await context.close();
  });

  it("gets a record later, with name and referral, if creating it failed at first", async () => {
    const { context, page } = await harness.openPhone("/register?referral=friend");
    const isPut = (method: string) => method === "PUT";
    await page.route("**/flex/v1/user", (route) =>
      isPut(route.request().method()) ? route.abort() : route.fallback(),
    );
    await formAlive(page);
    // A phone may drop the page before its form is sent.
    await page.getByLabel("Name", { exact: true }).fill("Caio");
    await page.getByLabel("Phone number").fill("5550100146");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    const kept = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    await expect.poll(kept).toMatch(/Caio.*555.*010.*0146|555.*010.*0146.*Caio/);
    await page.reload();
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Caio");
    expect(await page.getByLabel("Phone number").inputValue()).toMatch(/555.*010.*0146/);
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("");
    expect(await kept()).not.toContain(PASSWORD);
    await signUp(page, "Caio", "5550100146");
    await page.getByLabel("Confirmation code").waitFor();
    await submitCode(page, await harness.codeFor("+15550100146"));
    const create = page.getByRole("button", { name: "Finish my account" });
    await create.click({ timeout: 20_000 });
    await page.getByText("We couldn't finish your account").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.unroute("**/flex/v1/user");
    await page.reload();
    await create.click({ timeout: 20_000 });
    await expect.poll(() => recordOf("+15550100146")).toHaveLength(1);
    expect(await recordOf("+15550100146")).toEqual([{ name: "Caio", referral: "friend" }]);
    await context.close();
  });

  it("has to enter a name if registering stored none", async () => {
    const phone = "+15550100152";
    const attributes = [new CognitoUserAttribute({ Name: "phone_number", Value: phone })];
    await promisify((done) => harness.pool.signUp(phone, PASSWORD, attributes, [], done));
    const { context, page } = await harness.openPhone("/login");
    await signIn(page, phone);
    await submitCode(page, await harness.codeFor(phone));
    await page.getByLabel("Name", { exact: true }).fill("H");
    await page.keyboard.press("Enter");
    await page.getByText("Enter at least 2 characters.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Hugo");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/flex/login");
    expect(await recordOf(phone)).toEqual([{ name: "Hugo", referral: "jornada" }]);
    await context.close();
  });

  it("comes back to the code after leaving its screen, and asks for the password, which isn't stored", async () => {
    const { context, page } = await harness.openPhone("/register");
    await signUp(page, "Iris", "5550100153");
    await page.getByLabel("Confirmation code").fill("12");
    await chooseInMenu(page, "pt");
    expect(await page.locator('input[autocomplete="one-time-code"]').inputValue()).toBe("12");
    await page.locator("header a").first().click();
    await page.locator('input[autocomplete="one-time-code"]').waitFor({ state: "detached" });
    await page.goBack();
    await page.locator('input[autocomplete="one-time-code"]').waitFor();
    expect(await page.locator('input[name="password"]').inputValue()).toBe("");
    await context.close();
  });
});

describe("a user whose code can't be texted", () => {
  it("reads so, registers at once when it can, and reads which numbers get no texts", async () => {
    const { context, page } = await harness.openPhone("/register");
    const phone = "+15550100162";
    await postJson({ fetch, origin: harness.app.origin }, "/sandbox/faults", {
      operation: "sendMessage",
      fault: "401",
      times: 1,
    });
    await signUp(page, "Rui", phone);
    await page.getByText("We couldn't text you a code.").first().waitFor();
    await page.getByLabel("Phone number").fill("+1 876 555 0123");
    const create = page.getByRole("button", { name: "Create account" });
    await create.click();
    await page.getByText("We can't text this number.").first().waitFor();
    await page.getByLabel("Phone number").fill(phone);
    await create.click();
    await page.getByLabel("Confirmation code").waitFor();
    await context.close();
  });
});

describe("a user who forgot the password", () => {
  it("sees an error for an unknown number, relies on a code sent before, and recovers with a later one", async () => {
    const phone = "+15550100147";
    await harness.register({ phoneNumber: phone, password: PASSWORD, name: "Davi" });
    const { context, page } = await harness.openPhone("/forgot-password");
    const send = page.getByRole("button", { name: "Send code" });
    await page.getByLabel("Phone number").fill("5550100199");
    await send.click();
    await page.getByText("No account found with this phone number").first().waitFor();
    await page.getByLabel("Phone number").fill(phone);
    await send.click();
    // The second code is sent at once, the third one only half a minute later.
    const another = page.getByRole("button", { name: "Use another number" });
    await another.click();
    await send.click();
    await another.waitFor();
    const before = await harness.codeFor(phone);
    await another.click();
    await send.click();

    await page.getByLabel("New password", { exact: true }).fill("Another-2-password");
    await page.getByLabel("Repeat your password").fill("Another-2-password");
    const save = page.getByRole("button", { name: "Save new password" });
    const code = page.getByLabel("Confirmation code");
    const sent = await harness.codeFor(phone);
    expect(sent).toBe(before);
    await code.fill(sent === "000000" ? "111111" : "000000");
    await save.click();
    await page.getByText("Invalid verification code").waitFor();
    await harness.app.sql(`UPDATE pool_codes SET expires_at = 0`);
    await code.fill(sent);
    await save.click();
    await page.getByText("Verification code has expired").waitFor();
    await harness.passResendGap();
    const resend = page.getByRole("button", { name: "Resend code", exact: true });
    await page.getByRole("button", { name: /Resend code in \d+ s/ }).waitFor();
    await page.clock.install();
    await page.clock.fastForward(31_000);
    await resend.click();
    await page.getByText("Code resent successfully.").waitFor();
    await code.fill(await harness.codeFor(phone));
    await save.click();

    // The new password has just been typed: it signs in by itself.
    await waitUntilSignedIn(page);
    await context.close();
  });

  it("goes on to the screen that asked to sign in, even where the phone dropped the page meanwhile", async () => {
    const phone = "+15550100157";
    await harness.register({ phoneNumber: phone, password: PASSWORD, name: "Iris" });
    const { context, page } = await harness.openPhone("/flex/payments?plan=7days");
    await page.waitForURL("**/login?back=**");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("link", { name: "Back to sign in" }).click();
    await page.waitForURL("**/login?back=**");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByLabel("Phone number").fill(phone);
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByLabel("Confirmation code").waitFor();
    await page.reload();
    await formAlive(page);
    await page.getByLabel("Confirmation code").fill(await harness.codeFor(phone));
    await page.getByLabel("New password", { exact: true }).fill("Another-2-password");
    await page.getByLabel("Repeat your password").fill("Another-2-password");
    await page.getByRole("button", { name: "Save new password" }).click();
    await page.waitForURL("**/flex/payments?plan=7days");
    await context.close();
  });
});

describe("a form", () => {
  it("keeps its values while the network is down, and can be submitted once it is back", async () => {
    await harness.register({ phoneNumber: "+15550100148", password: PASSWORD, name: "Eva" });
    const { context, page } = await harness.openPhone("/login");
    await hasCode(page);
    await context.setOffline(true);
    await signIn(page, "+15550100148");
    await page.getByText("Network error").waitFor();
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe(PASSWORD);
    await context.setOffline(false);
    const operations = recordPoolOperations(page);
    await page.getByRole("button", { name: "Sign in", exact: true }).dblclick();
    await waitUntilSignedIn(page);
    expect(operations).toEqual(["InitiateAuth", "RespondToAuthChallenge"]);
    await context.close();
  });

  it("keeps passwords when the language changes, and drops them on leaving", async () => {
    const { context, page } = await harness.openPhone("/register");
    const typed = async () => {
      const fields = page.locator('input[autocomplete="new-password"]');
      return [await fields.nth(0).inputValue(), await fields.nth(1).inputValue()];
    };
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("Repeat your password").fill("Jornada-1");
    await chooseInMenu(page, "es");
    await page.getByText("Crea tu cuenta").first().waitFor();
    expect(await typed()).toEqual([PASSWORD, "Jornada-1"]);
    await page.locator('main a[href="/login"]').click();
    await page.waitForURL("**/login");
    await page.locator('main a[href="/register"]').click();
    await page.waitForURL("**/register");
    expect(await typed()).toEqual(["", ""]);
    await context.close();
  });

  it("hides passwords while they are typed, and has autocomplete names for password managers", async () => {
    const fieldsOf = (page: Page) =>
      page
        .locator("main input[autocomplete]")
        .evaluateAll((inputs) => inputs.map((input) => input.getAttribute("autocomplete")));
    const masked = (page: Page) => page.locator('main input[type="password"]').count();
    const { context, page } = await harness.openPhone("/login");
    await page.getByLabel("Phone number").waitFor();
    expect(await masked(page)).toBe(1);
    expect(await fieldsOf(page)).toEqual(["username webauthn", "current-password"]);
    await page.goto(`${harness.app.origin}/register`);
    await page.getByLabel("Phone number").waitFor();
    expect(await masked(page)).toBe(2);
    expect(await fieldsOf(page)).toEqual(["name", "tel", "new-password", "new-password"]);
    await signUp(page, "Fabi", "5550100149");
    await page.getByLabel("Confirmation code").waitFor();
    expect(await fieldsOf(page)).toEqual(["one-time-code"]);
    await harness.register({ phoneNumber: "+15550100150", password: PASSWORD, name: "Gil" });
    await page.goto(`${harness.app.origin}/forgot-password`);
    await formAlive(page);
    await page.getByLabel("Phone number").fill("5550100150");
    await page.keyboard.press("Enter");
    await page.getByLabel("Confirmation code").waitFor();
    expect(await fieldsOf(page)).toEqual(["username", "one-time-code", "new-password", "new-password"]);
    await context.close();
  });

  it.each(["/login", "/register", "/forgot-password"])("has no axe violations on %s", async (path) => {
    const { context, page } = await harness.openPhone(path);
    await page.getByLabel("Phone number").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await context.close();
  });
});
