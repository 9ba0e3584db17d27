import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { describeProfileLength } from "../profile/account-stories.ts";
import { describeCalendarLink } from "../profile/calendar-stories.ts";
import { openProfileHarness, PASSWORD, PHONE, type ProfileHarness } from "../profile-harness.ts";

let harness: ProfileHarness;
beforeAll(async () => {
  harness = await openProfileHarness();
});
afterAll(() => harness.close());

const ANDROID = {
  ...PHONE,
  userAgent:
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
};
const WORDS = "Enter your password again to do this.";

/** The server's answer to the next call, as if the sign-in had been long ago. */
async function answerOnceAsOld(page: Page, method: string): Promise<void> {
  let isAnswered = false;
  await page.route("**/flex/v1/user", (route) => {
    if (isAnswered || route.request().method() !== method) return route.fallback();
    isAnswered = true;
    const json = { code: "sign_in_again", message: { en: WORDS, es: WORDS, pt: WORDS }, requestId: "R" };
    return route.fulfill({ status: 403, json });
  });
}

const sheet = (page: Page) => page.getByRole("dialog", { name: "Enter your password" });
const password = (page: Page) => sheet(page).getByLabel("Password", { exact: true });
const goOn = (page: Page) => sheet(page).getByRole("button", { name: "Continue" });

async function startDeleting(page: Page, phoneNumber: string): Promise<void> {
  await page.getByText("Your data", { exact: true }).click();
  await page.getByRole("button", { name: "Delete account" }).click();
  await page.getByLabel("Last 4 digits of your phone number").fill(phoneNumber.slice(-4));
  await page.getByRole("button", { name: "Delete for good" }).click();
  await sheet(page).waitFor();
}

describe("a driver who signed in a while ago", () => {
  it("deletes the account after entering the password again, whatever came before", async () => {
    const { app, join, openProfile } = harness;
    const member = await join();
    const { phoneNumber } = member;
    const page = await openProfile(member);
    await answerOnceAsOld(page, "DELETE");
    await startDeleting(page, phoneNumber);
    expect(await findViolations(page)).toEqual([]);

    await goOn(page).click();
    await sheet(page).getByText("Enter your password", { exact: false }).first().waitFor();
    await password(page).fill("Wrong-1-password");
    await goOn(page).click();
    await sheet(page).getByText("That password isn't right").waitFor();

    await password(page).fill(PASSWORD);
    await page.context().setOffline(true);
    await goOn(page).click();
    await sheet(page).getByText("Network error").waitFor();
    await page.context().setOffline(false);

    await page.route("**/identity/**", (route) =>
      route.fulfill({ status: 400, json: { __type: "TooManyRequestsException", message: "Rate exceeded" } }),
    );
    await goOn(page).click();
    await sheet(page).getByText("Too many tries. Wait a moment and try again.").waitFor();
    await page.unroute("**/identity/**");

    await goOn(page).click();
    await page.getByText("Your account is deleted").waitFor({ timeout: 20_000 });
    expect(new URL(page.url()).pathname).toBe("/");
    expect(await app.sql(`SELECT id FROM pool_users WHERE phone_number = ?`, phoneNumber)).toEqual([]);
    await page.context().close();
  });

  it("keeps the account by closing the sheet, and the number for texts needs the password too", async () => {
    const { app, join, openProfile } = harness;
    const member = await join();
    const page = await openProfile(member);
    await answerOnceAsOld(page, "DELETE");
    await startDeleting(page, member.phoneNumber);
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog").getByText(WORDS).waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();

    await answerOnceAsOld(page, "PATCH");
    await page.locator('[name="preferredPhoneNumber"]').fill("5550107799");
    await page.getByRole("button", { name: "Save", exact: true }).first().click();
    await password(page).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("Saved", { exact: true }).waitFor();
    const sql = `SELECT preferred_phone_number AS preferred FROM users WHERE phone_number = ?`;
    expect(await app.sql(sql, member.phoneNumber)).toEqual([{ preferred: "+15550107799" }]);
    await page.context().close();
  });
});

/** The card of the driver's devices, opened. */
async function openDevices(page: Page): Promise<Locator> {
  const card = page.locator("details", { hasText: "Where you're signed in" });
  await card.locator("summary").click();
  return card;
}

describe("the devices of a driver", () => {
  it("are listed, this one first, and one of them is signed out from here", async () => {
    const { join, openProfile } = harness;
    const member = await join();
    const lost = await openProfile(member, ANDROID);
    const page = await openProfile(member);
    const card = await openDevices(page);
    const rows = card.getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(3);
    await card.getByText("3 devices", { exact: true }).waitFor();
    expect(await rows.nth(0).innerText()).toMatch(/^Linux\s+This device · United States$/);
    expect(await rows.nth(1).innerText()).toMatch(/^Chrome on Android\s+Last used /);
    expect(await rows.nth(2).innerText()).toMatch(/^Unknown device/);
    expect(await findViolations(page)).toEqual([]);

    await card.getByRole("button", { name: "Sign out Chrome on Android" }).click();
    await page.getByText("Signed out: Chrome on Android").waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    await lost.reload();
    await lost.waitForURL("**/login?back=**", { timeout: 20_000 });
    await lost.context().close();
    await page.context().close();
  });

  it("are all signed out but this one", async () => {
    const { join, openProfile } = harness;
    const member = await join();
    const other = await openProfile(member);
    const page = await openProfile(member);
    const card = await openDevices(page);
    await card.getByRole("button", { name: "Sign out all other devices" }).click();
    await page.getByText("All other devices are signed out").waitFor();
    await expect.poll(() => card.getByRole("listitem").count()).toBe(1);
    expect((await member.client.call("GET", "/flex/v1/user")).status).toBe(401);
    await other.context().close();
    await page.context().close();
  });
});

describeCalendarLink(() => harness);

describeProfileLength(() => harness);
