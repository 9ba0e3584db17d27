import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { lastText } from "../support/identity.ts";
import { describeDeliveryAccount, describeDriverData } from "./profile/account-stories.ts";
import { describePassword } from "./profile/password-stories.ts";
import { DESK } from "./harness.ts";
import { openProfileHarness, PHONE, readUser, type ProfileHarness } from "./profile-harness.ts";
import { looksOfRun } from "./looks.ts";

let harness: ProfileHarness;
let app: ProfileHarness["app"];
let join: ProfileHarness["join"];
let openProfile: ProfileHarness["openProfile"];
beforeAll(async () => {
  harness = await openProfileHarness();
  ({ app, join, openProfile } = harness);
});
afterAll(() => harness.close());

const open = () => harness;

const nameField = (page: Page) => page.getByLabel("Name", { exact: true });
const phoneField = (page: Page) => page.locator('[name="preferredPhoneNumber"]:not([required])');
const save = (page: Page) =>
  page.getByRole("form", { name: "About you" }).getByRole("button", { name: "Save", exact: true });

describe("the profile", () => {
  it("shows why a field is refused above the tabs, where a keyboard leaves little of the screen", async () => {
    const page = await openProfile(await join(), { viewport: { width: 390, height: 400 } });
    await phoneField(page).fill("555");
    await page.keyboard.press("Enter");
    const error = page.getByText("Too short. Enter 10 digits after the +1.");
    await error.waitFor();
    const isUncovered = (line: Element) => {
      const { left, top, height } = line.getBoundingClientRect();
      return document.elementFromPoint(left + 4, top + height / 2) === line;
    };
    await expect.poll(() => error.evaluate(isUncovered)).toBe(true);
    expect(await phoneField(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await page.context().close();
  });

  it("changes the name and the number for texts, and removes the number again", async () => {
    const member = await join();
    const page = await openProfile(member);
    await nameField(page).fill("  Ana Maria ");
    await phoneField(page).pressSequentially("5550107788");
    expect(await phoneField(page).inputValue()).toBe("+1 (555) 010-7788");
    await save(page).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await readUser(member)).toMatchObject({
      name: "Ana Maria",
      preferredPhoneNumber: "+15550107788",
    });
    await page.reload();
    await expect.poll(() => phoneField(page).inputValue()).toBe("+1 (555) 010-7788");
    await page.getByText(/^We text \+1\s\(555\)\s.* until you verify \+1\s\(555\)\s010.7788\.$/).waitFor();
    await page.getByRole("button", { name: "Text me a code" }).click();
    const codeField = page.getByLabel(/^Code from the text to \+1.\(555\).010.7788$/);
    await codeField.waitFor();
    const code = /\d{6}/.exec(await lastText(app.origin, "+15550107788"))?.[0] ?? "";
    await codeField.fill(code === "000000" ? "000001" : "000000");
    await page.getByText("That code isn't right. Check it and try again.").waitFor();
    // It sends itself.
    await codeField.fill(code);
    await page.getByText("Number verified.").waitFor();
    await expect.poll(async () => (await readUser(member)).preferredPhoneVerified).toBe(true);
    await expect.poll(() => page.getByText("until you verify").count()).toBe(0);
    await phoneField(page).fill("");
    await save(page).click();
    await expect.poll(async () => (await readUser(member)).preferredPhoneNumber).toBeNull();
    await page.context().close();
  });

  it("changes region and time zone, and marks the one that the server refuses", async () => {
    const member = await join();
    const page = await openProfile(member);
    await page.getByRole("heading", { name: "Where you work" }).click();
    const card = page.getByRole("form", { name: "Where you work" });
    await card.getByLabel("Region (optional)").fill(" Chicago ");
    await card.getByLabel("Time zone").selectOption("America/Chicago");
    const json = {
      code: "invalid_request",
      message: { en: "-", es: "-", pt: "-" },
      requestId: "1",
      fields: { humanTimezone: "invalid" },
    };
    await page.route("**/flex/v1/user/*", (route) =>
      route.request().method() === "PUT" ? route.fulfill({ status: 400, json }) : route.fallback(),
    );
    await card.getByRole("button", { name: "Save" }).click();
    await card.locator('[name="humanTimezone"][aria-invalid="true"]:focus').waitFor();
    await page.unroute("**/flex/v1/user/*");
    await card.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await readUser(member)).toMatchObject({
      name: "Ana",
      humanRegion: "Chicago",
      humanTimezone: "America/Chicago",
    });
    const region = card.getByLabel("Region (optional)");
    expect(await region.inputValue()).toBe("Chicago");
    await region.fill("");
    await card.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await readUser(member)).humanRegion).toBeNull();
    await page.reload();
    await page.getByRole("heading", { name: "Where you work" }).click();
    expect(await region.inputValue()).toBe("");
    await page.context().close();
  });

  it("keeps unsaved values when the language changes, and can undo them", async () => {
    const member = await join();
    const page = await openProfile(member);
    await nameField(page).fill("Ana Clara");
    await page.getByRole("main").getByRole("button", { name: /^PT/ }).click();
    await page.getByRole("heading", { name: "Meu perfil" }).waitFor();
    expect(await page.locator('[name="name"]').inputValue()).toBe("Ana Clara");
    await expect.poll(async () => (await readUser(member)).language).toBe("pt");
    await page.getByRole("button", { name: "Desfazer" }).click();
    expect(await page.locator('[name="name"]').inputValue()).toBe("Ana");
    await page.context().close();

    const other = await openProfile(member, PHONE, "Meu perfil");
    // Changed on a third device, it is there at the next load, and stays.
    await member.client.patchUser({ language: "es", updateLanguage: true });
    await other.reload();
    await other.getByRole("heading", { name: "Mi perfil" }).waitFor();
    await other.reload();
    expect(await other.locator("html").getAttribute("lang")).toBe("es");
    await other.context().close();
  });

  it("shows errors at their fields without sending anything", async () => {
    const member = await join();
    const page = await openProfile(member);
    const refuse = async (words: string) => {
      await save(page).click();
      await page.getByText(words).waitFor();
    };
    await nameField(page).fill("");
    await refuse("Enter your name.");
    expect(await nameField(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await nameField(page).fill("A");
    await refuse("Enter at least 2 characters.");
    await nameField(page).fill("Ana");
    await phoneField(page).fill("555010");
    await refuse("Too short. Enter 10 digits after the +1.");
    await phoneField(page).fill("+1 555 010 77889");
    await refuse("Too long. Enter 10 digits after the +1.");
    await phoneField(page).fill("+44 20 7946 0958");
    await refuse("Start the number with +1.");
    await phoneField(page).fill("555 010 7788 ext. 12");
    await refuse("Use digits only.");
    expect(await readUser(member)).toMatchObject({ name: "Ana", preferredPhoneNumber: null });
    await page.context().close();
  });

  it("keeps unsaved values if saving fails, and says if the device is offline", async () => {
    const member = await join();
    const page = await openProfile(member);
    await nameField(page).fill("Ana Maria");
    await page.route("**/flex/v1/user", (route) => route.abort());
    await save(page).click();
    await page.getByText("Failed to update profile").waitFor();
    expect(await nameField(page).inputValue()).toBe("Ana Maria");
    await page.context().setOffline(true);
    await page.getByText("You're offline. Connect to save your changes.").waitFor();
    await page.context().setOffline(false);
    await page.unroute("**/flex/v1/user");
    await save(page).click();
    await expect.poll(async () => (await readUser(member)).name).toBe("Ana Maria");
    await page.context().close();
  });

  it("requires signing in again if the session was ended elsewhere", async () => {
    const member = await join();
    const page = await openProfile(member);
    await harness.endSessionsOf(member);
    await page.route("**/flex/v1/user", (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({ status: 401, json: { code: "unauthenticated" } })
        : route.continue(),
    );
    await nameField(page).fill("Ana Maria");
    await save(page).click();
    await page.getByText("Please sign in again").first().waitFor({ timeout: 20_000 });
    await page.waitForURL("**/login?back=**");
    await page.context().close();
  });
});

describePassword(open);

describe("the texts", () => {
  it("say that a number gets none, why, and what to do about it", async () => {
    const member = await join();
    await app.sql(
      `INSERT INTO text_failures (phone_number, failures, permanent_failures, problem, failed_at, paused_at) VALUES (?, 3, 3, 'landline', ?, ?)`,
      member.phoneNumber,
      Date.now(),
      Date.now(),
    );
    const page = await openProfile(member);
    const texts = page.getByTestId("texts");
    await texts.getByText(/^We've stopped texting \+1\s.*: our last texts didn't arrive\.$/).waitFor();
    await texts.getByText("Landlines can't get texts. Enter a mobile number under About you.").waitFor();
    expect(await texts.getAttribute("data-status")).toBe("paused");
    // One that the gateway takes ends the pause.
    await texts.getByRole("button", { name: "Send a test text" }).click();
    await texts.getByText("Test text sent.", { exact: false }).waitFor();
    await expect.poll(() => texts.getAttribute("data-status")).toBe("failing");
    await page.context().close();
  });
});

describeDeliveryAccount(open);

describeDriverData(open);

describe("the accessibility of the profile", () => {
  const looks = [
    ["a phone by day", { ...PHONE, colorScheme: "light" }],
    ["a phone by night", { ...PHONE, colorScheme: "dark" }],
    ["a desk by day", { ...DESK, colorScheme: "light" }],
    ["a desk by night", { ...DESK, colorScheme: "dark" }],
  ] as const;

  it.each(looksOfRun(looks))("has no axe violations on %s, with its dialogs open", async (_name, look) => {
    const member = await join();
    const page = await openProfile(member, { ...look, reducedMotion: "reduce" });
    const check = async () => expect(await findViolations(page)).toEqual([]);
    await page.getByText("Change password").click();
    await page.getByText("Your data", { exact: true }).click();
    // The button that saves comes with the first change.
    expect(await save(page).count()).toBe(0);
    await nameField(page).fill("Ana Maria");
    await save(page).waitFor();
    await check();
    for (const name of ["Unlink", "Delete account"]) {
      await page.getByRole("button", { name }).click();
      await page.getByRole("alertdialog").waitFor();
      await check();
      await page.keyboard.press("Escape");
    }
    await page.context().close();
  });

  it("has one way to sign out of this device, one button for all of them, and no lime before a change", async () => {
    const member = await join();
    const page = await openProfile(member);
    await page.getByRole("heading", { name: "Sign out" }).click();
    // Another session is signed out by a button that names its device.
    const names = page.getByRole("button", { name: /^Sign out(?: everywhere)?$/ }).locator("visible=true");
    await expect.poll(() => names.allInnerTexts()).toEqual(["Sign out everywhere", "Sign out"]);
    const lime = page.getByRole("main").locator(".bg-signal").locator("visible=true");
    expect(await lime.count()).toBe(0);
    await page.context().close();
  });

  it("fits a screen of 320 px", async () => {
    const member = await join();
    const page = await openProfile(member, { viewport: { width: 320, height: 640 } });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width()).toBe(320);
    for (const language of [/^ES/, /^PT/]) {
      await page.getByRole("main").getByRole("button", { name: language }).click();
      expect(await width()).toBe(320);
    }
    await page.context().close();
  });
});
