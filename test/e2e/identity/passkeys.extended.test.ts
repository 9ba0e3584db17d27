import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { lastCode } from "../../support/identity.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { launchBrowser } from "../../support/browser.ts";
import { agentOf, gotoWith, poolSession } from "../../support/stored-session.ts";
import {
  enter,
  openProfileHarness,
  PASSWORD,
  PHONE,
  type Member,
  type ProfileHarness,
} from "../profile-harness.ts";

/** The address that passkeys are bound to, which the browser finds at the test's port. */
const ORIGIN = DEMO_SETTINGS.PUBLIC_URL;
const THIEFS_PASSWORD = "Stolen-2-password";
const HOUR_MS = 3_600_000;

let harness: ProfileHarness;
let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  harness = await openProfileHarness();
  const { host } = new URL(harness.app.origin);
  browser = await launchBrowser([`--host-resolver-rules=MAP ${new URL(ORIGIN).host} ${host}`]);
});
afterAll(async () => {
  await browser.close();
  await harness.close();
});

type Phone = { context: BrowserContext; page: Page; device: CDPSession; authenticatorId: string };

/** A browser on a phone that keeps passkeys, unlocked by a finger. */
async function openPhone(look: BrowserContextOptions = {}): Promise<Phone> {
  const context = await browser.newContext({ locale: "en-US", ...PHONE, ...look });
  const page = await context.newPage();
  const device = await context.newCDPSession(page);
  await device.send("WebAuthn.enable");
  const { authenticatorId } = await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { context, page, device, authenticatorId };
}

async function openProfile(page: Page, { phoneNumber }: Member, password = PASSWORD): Promise<void> {
  const { items } = await poolSession(harness.app.origin, { phoneNumber, password }, await agentOf(page));
  await gotoWith(page, `${ORIGIN}/flex/profile`, items);
  await page.getByRole("heading", { name: "My profile" }).waitFor({ timeout: 20_000 });
}

const card = (page: Page) => page.getByRole("region", { name: "Passkeys" });
const rows = (page: Page) => card(page).getByRole("listitem");
const signInButton = (page: Page) => page.getByRole("button", { name: "Sign in with a passkey" });

/** The browser may suggest the passkey and take it by itself, with nothing left to tap. */
const chooseSignIn = (page: Page) =>
  signInButton(page)
    .click({ timeout: 5000 })
    .catch(() => undefined);

async function signOut(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith("CognitoIdentityServiceProvider")) localStorage.removeItem(key);
  });
  await page.goto(`${ORIGIN}/login?back=%2Fflex%2Fprofile`);
}

async function add(page: Page): Promise<void> {
  await card(page).getByRole("button", { name: "Add a passkey" }).click();
  // The folded list of recent activity has the same words.
  const said = page.getByText("Passkey added", { exact: true });
  await said.locator("visible=true").first().waitFor();
}

/** Somebody with the driver's number resets the password by a texted code. */
async function recover({ phoneNumber }: Member): Promise<void> {
  const call = (operation: string, body: object) =>
    fetch(`${harness.app.origin}/identity/`, {
      method: "POST",
      headers: { "x-amz-target": `AWSCognitoIdentityProviderService.${operation}` },
      body: JSON.stringify({ ClientId: "jornadaweb", Username: phoneNumber, ...body }),
    });
  expect((await call("ForgotPassword", {})).status).toBe(200);
  const ConfirmationCode = await lastCode(harness.app.origin, phoneNumber);
  const reset = await call("ConfirmForgotPassword", { ConfirmationCode, Password: THIEFS_PASSWORD });
  expect(reset.status).toBe(200);
}

/** Lets a time pass since the last recovery. */
const ageRecovery = ({ phoneNumber }: Member, lengthMs: number) =>
  harness.app.sql(
    `UPDATE pool_notices SET changed_at = changed_at - ? WHERE kind = 'recovery'
     AND user_id = (SELECT id FROM pool_users WHERE phone_number = ?)`,
    lengthMs,
    phoneNumber,
  );

describe("a driver with a passkey", () => {
  it("adds it, signs out, signs in with it, renames it, and removes it", async () => {
    const member = await harness.join();
    const { context, page, device, authenticatorId } = await openPhone();
    await openProfile(page, member);
    await card(page).getByText("You have no passkey yet.").waitFor();
    await add(page);
    expect(await rows(page).first().innerText()).toMatch(/^Linux\s+Added /);
    expect((await device.send("WebAuthn.getCredentials", { authenticatorId })).credentials).toMatchObject([
      { isResidentCredential: true, rpId: "localhost" },
    ]);
    expect(await findViolations(page)).toEqual([]);

    // A device makes no second one for the same account.
    await card(page).getByRole("button", { name: "Add a passkey" }).click();
    await card(page).getByText("This device already has a passkey for your account").waitFor();

    await signOut(page);
    await signInButton(page).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await chooseSignIn(page);
    await page.getByRole("heading", { name: "My profile" }).waitFor({ timeout: 20_000 });
    await expect.poll(() => rows(page).first().innerText()).toMatch(/Used for this sign-in/);

    await card(page).getByRole("button", { name: "Rename Linux" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("My phone");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("Name saved").waitFor();
    await card(page).getByRole("button", { name: "Remove My phone" }).click();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Passkey removed").waitFor();
    await card(page).getByText("You have no passkey yet.").waitFor();
    await page.locator("h1:focus").waitFor();

    // In a browser that knows of none, only the button asks for one.
    await page.evaluate(() => localStorage.removeItem("jornada.passkeys"));
    await signOut(page);
    await signInButton(page).click();
    await page.getByText("That passkey doesn't open an account here. Sign in with your password.").waitFor();
    await context.close();
  });

  it("is offered one after signing in by password, once", async () => {
    const member = await harness.join();
    const { context, page } = await openPhone();
    await page.goto(`${ORIGIN}/flex/dashboard`);
    await page.waitForURL("**/login?back=**");
    await enter(page, member.phoneNumber, PASSWORD);
    const offer = page.getByRole("region", { name: "Sign in without a password" });
    await offer.waitFor({ timeout: 20_000 });
    expect(await findViolations(page)).toEqual([]);
    await offer.getByRole("button", { name: "No thanks" }).click();
    await expect.poll(() => offer.count()).toBe(0);
    await page.reload();
    await page.getByTestId("system-switch").waitFor({ timeout: 20_000 });
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem("jornada.passkeys")))
      .toContain('"offer":"done"');
    expect(await offer.count()).toBe(0);

    // Nor is a driver who has one, as from another device.
    await page.goto(`${ORIGIN}/flex/profile`);
    await add(page);
    await page.evaluate(() => {
      const known = localStorage.getItem("jornada.passkeys") ?? "";
      localStorage.setItem("jornada.passkeys", known.replace('"offer":"done"', '"offer":"due"'));
    });
    const listed = page.waitForResponse("**/flex/v1/passkeys");
    await page.goto(`${ORIGIN}/flex/dashboard`);
    await listed;
    await page.getByTestId("system-switch").waitFor({ timeout: 20_000 });
    expect(await offer.count()).toBe(0);
    await context.close();
  });

  it("waits a day after a recovery by text to remove it, and undoes one that was somebody else's", async () => {
    const member = await harness.join();
    const owner = await openPhone();
    await openProfile(owner.page, member);
    await add(owner.page);
    await recover(member);

    const thief = await openPhone();
    await openProfile(thief.page, member, THIEFS_PASSWORD);
    await card(thief.page)
      .getByText(/^Your password was reset by text\. You can remove passkeys from /)
      .waitFor();
    expect(await card(thief.page).getByRole("button", { name: "Remove Linux" }).count()).toBe(0);
    await ageRecovery(member, 23 * HOUR_MS);
    await thief.page.reload();
    await rows(thief.page).first().waitFor({ timeout: 20_000 });
    expect(await card(thief.page).getByRole("button", { name: "Remove Linux" }).count()).toBe(0);

    // The passkey is older than the recovery.
    await harness.app.sql(`UPDATE pool_passkeys SET created_at = created_at - ?`, 48 * HOUR_MS);
    await signOut(owner.page);
    await chooseSignIn(owner.page);
    const warning = card(owner.page).getByRole("region", { name: "Your password was reset by text" });
    await warning.waitFor({ timeout: 20_000 });
    await warning.getByRole("button", { name: "That wasn't me" }).click();
    const question = owner.page.getByRole("alertdialog");
    expect(await findViolations(owner.page)).toEqual([]);
    await question.getByRole("button", { name: "That wasn't me" }).click();
    await owner.page.getByText("Undone. Every other device is signed out.").waitFor();
    await expect.poll(() => warning.count()).toBe(0);
    await owner.page.locator("h1:focus").waitFor();
    expect(await rows(owner.page).count()).toBe(1);

    await thief.page.reload();
    await thief.page.waitForURL("**/login?back=**", { timeout: 20_000 });
    await enter(thief.page, member.phoneNumber, THIEFS_PASSWORD);
    await thief.page.getByText("You need to set a new password.", { exact: false }).waitFor();
    await thief.context.close();
    await owner.context.close();
  });

  it("takes the account back with a passkey that was removed after the day", async () => {
    const member = await harness.join();
    const owner = await openPhone();
    await openProfile(owner.page, member);
    await add(owner.page);
    await harness.app.sql(`UPDATE pool_passkeys SET created_at = created_at - ?`, 48 * HOUR_MS);
    await recover(member);
    await ageRecovery(member, 24 * HOUR_MS);
    const thief = await openPhone();
    await openProfile(thief.page, member, THIEFS_PASSWORD);
    await card(thief.page).getByRole("button", { name: "Remove Linux" }).click();
    await thief.page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await thief.page.getByText("Passkey removed").waitFor();

    // The browser suggests it by itself.
    await signOut(owner.page);
    const removed = owner.page.getByRole("region", { name: /^This passkey was removed after/ });
    await removed.waitFor({ timeout: 20_000 });
    expect(await findViolations(owner.page)).toEqual([]);
    await removed.getByRole("button", { name: "That wasn't me" }).click();
    await owner.page.getByRole("heading", { name: "My profile" }).waitFor({ timeout: 20_000 });
    await expect.poll(() => rows(owner.page).count()).toBe(1);
    await thief.page.reload();
    await thief.page.waitForURL("**/login?back=**", { timeout: 20_000 });
    await thief.context.close();
    await owner.context.close();
  });
});
