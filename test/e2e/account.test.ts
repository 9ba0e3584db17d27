import { AxeBuilder } from "@axe-core/playwright";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { startBuiltApp, type BuiltApp } from "../support/built-app.ts";
import { lastText } from "../support/identity.ts";

let app: BuiltApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([
    startBuiltApp({ settings: { IDENTITY: "embedded" } }),
    launchBrowser(),
  ]);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const PASSWORD = "Jornada-1-test";

async function openPhone(path: string) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en-US" });
  const page = await context.newPage();
  await page.goto(`${app.origin}${path}`);
  return { context, page };
}

async function codeFor(phoneNumber: string): Promise<string> {
  return /\d{6}/.exec(await lastText(app.origin, phoneNumber))?.[0] ?? "";
}

describe("a newcomer with a phone", () => {
  it("registers, gives the code that came by text, and is signed in with a record", async () => {
    const { context, page } = await openPhone("/register?referral=friend");
    await page.getByLabel("Name", { exact: true }).fill("Ana");
    await page.getByLabel("Phone number").pressSequentially("5550100144");
    expect(await page.getByLabel("Phone number").inputValue()).toBe("+1 (555) 010-0144");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("Repeat the password").fill(PASSWORD);
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Create account" }).click();

    const code = page.getByLabel("Confirmation code");
    await code.waitFor();
    const sent = await codeFor("+15550100144");
    await code.fill(sent === "000000" ? "111111" : "000000");
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Error verifying the code").first().waitFor();
    await code.fill(sent);
    await page.getByRole("button", { name: "Confirm" }).click();
    const made = () => app.sql(`SELECT name, referral FROM users WHERE phone_number = '+15550100144'`);
    await expect.poll(made, { timeout: 20_000 }).toEqual([{ name: "Ana", referral: "friend" }]);
    await context.close();
  });

  it("signs in again by SRP, and is told of a wrong password in the product's words", async () => {
    const { context, page } = await openPhone("/flex/dashboard");
    await page.waitForURL("**/login?back=**");
    const passwords: string[] = [];
    page.on("request", (request) => {
      if ((request.postData() ?? "").includes(PASSWORD)) passwords.push(request.url());
    });
    await page.getByLabel("Phone number").fill("555 010 0144");
    await page.getByLabel("Password", { exact: true }).fill("Wrong-1-password");
    await page.keyboard.press("Enter");
    await page.getByText("Login failed").first().waitFor();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname !== "/login", { timeout: 20_000 });
    expect(passwords).toEqual([]);
    await context.close();
  });

  it("recovers with a code, and the old password is gone", async () => {
    const { context, page } = await openPhone("/forgot-password");
    await page.getByLabel("Phone number").fill("5550100199");
    await page.getByRole("button", { name: "Send the code" }).click();
    await page.getByText("No account found with this phone number").first().waitFor();
    await page.getByLabel("Phone number").fill("5550100144");
    await page.getByRole("button", { name: "Send the code" }).click();
    await page.getByLabel("Confirmation code").waitFor();
    await page.getByLabel("Confirmation code").fill(await codeFor("+15550100144"));
    await page.getByLabel("New password", { exact: true }).fill("Another-2-password");
    await page.getByLabel("Repeat the password").fill("Another-2-password");
    await page.getByRole("button", { name: "Save the new password" }).click();
    await page.waitForURL("**/login**");
    await page.getByLabel("Phone number").fill("5550100144");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("Login failed").first().waitFor();
    await context.close();
  });

  it.each(["/login", "/register", "/forgot-password"])(
    "finds no fault that axe knows on %s",
    async (path) => {
      const { context, page } = await openPhone(path);
      await page.getByLabel("Phone number").waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ""}`)).toEqual([]);
      await context.close();
    },
  );
});
