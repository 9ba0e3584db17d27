import type { CognitoUserPool } from "amazon-cognito-identity-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { lastCode, lastText, openUserPool, promisify, signInBySrp } from "../../support/identity.ts";
import { openProfileHarness, PASSWORD, PHONE, type Member, type ProfileHarness } from "../profile-harness.ts";

let harness: ProfileHarness;
let pool: CognitoUserPool;
beforeAll(async () => {
  harness = await openProfileHarness();
  pool = await openUserPool(harness.app.origin);
});
afterAll(() => harness.close());

const THIEFS_PASSWORD = "Stolen-2-password";

/** Somebody who knows the password changes it. @returns the link in the text to the owner */
async function stealAccount({ phoneNumber }: Member): Promise<string> {
  const { user } = await signInBySrp(pool, { phoneNumber, password: PASSWORD });
  await promisify((done) => user.changePassword(PASSWORD, THIEFS_PASSWORD, done));
  // The text goes out after the response.
  const link = async () => /http\S+$/.exec(await lastText(harness.app.origin, phoneNumber))?.[0] ?? "";
  await expect.poll(link).toContain("/undo#");
  return link();
}

/** The path and fragment of a link, whose host may be another than the test's. */
const pathOf = (link: string) => new URL(link).pathname + new URL(link).hash;

describe("the owner of an account that somebody changed", () => {
  it("undoes it by the link in the text, in the language of the text, and sets a new password", async () => {
    const { app, browser, join } = harness;
    const member = await join();
    await member.client.sealed("PATCH", "/flex/v1/user", { language: "pt", updateLanguage: true });
    const link = await stealAccount(member);
    const context = await browser.newContext({ ...PHONE, locale: "en-US" });
    const page = await context.newPage();
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await page.goto(`${app.origin}${pathOf(link)}`);
    await page.getByRole("heading", { name: "Desfazer uma mudança na sua conta" }).waitFor();
    await page.getByText(`Você entra com o número que termina em ${member.phoneNumber.slice(-4)}.`).waitFor();
    expect(page.url()).toBe(`${app.origin}/undo`);
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole("main").getByRole("button", { name: "Desfazer a mudança" }).click();
    await page.getByText("A mudança foi desfeita").waitFor();
    expect(await findViolations(page)).toEqual([]);
    const token = new URL(link).hash.slice(1);
    expect(
      addresses.filter((address) => new URL(address).pathname !== "/undo" && address.includes(token)),
    ).toEqual([]);
    await expect(
      signInBySrp(pool, { phoneNumber: member.phoneNumber, password: THIEFS_PASSWORD }),
    ).rejects.toThrow("Password reset required");

    await page.getByRole("link", { name: "Criar uma senha nova" }).click();
    await page.locator('input[autocomplete="username"]').fill(member.phoneNumber);
    await page.keyboard.press("Enter");
    const code = page.locator('input[autocomplete="one-time-code"]');
    await code.waitFor();
    await code.fill(await lastCode(app.origin, member.phoneNumber));
    for (const field of await page.locator('input[autocomplete="new-password"]').all())
      await field.fill("Own-3-password");
    await page.keyboard.press("Enter");
    // Setting a password signs the driver in.
    await page.waitForURL("**/flex/**");
    await signInBySrp(pool, { phoneNumber: member.phoneNumber, password: "Own-3-password" });
    await context.close();
  });

  it("reads that a link was used or is none, and can try again where the network fails", async () => {
    const { app, browser, join } = harness;
    const link = await stealAccount(await join());
    const context = await browser.newContext({ ...PHONE, locale: "en-US" });
    const page = await context.newPage();
    await page.goto(`${app.origin}/undo#${"x".repeat(22)}`);
    await page.getByText("This link has expired or was already used.").waitFor();
    expect(await findViolations(page)).toEqual([]);
    for (const fragment of ["", "#short", `#${"x".repeat(23)}`]) {
      await page.goto("about:blank");
      await page.goto(`${app.origin}/undo${fragment}`);
      await page.getByText("This link has expired or was already used.").waitFor();
    }

    await page.goto("about:blank");
    await page.goto(`${app.origin}${pathOf(link)}`);
    const undo = page.getByRole("button", { name: "Undo the change" });
    await undo.waitFor();
    await context.setOffline(true);
    await undo.click();
    await page.getByText("We couldn't undo the change").waitFor();
    await context.setOffline(false);
    await undo.click();
    await page.getByText("The change is undone").waitFor();
    // Another link on the same page is read by itself.
    await page.goto(`${app.origin}${pathOf(await stealAccount(await join()))}`);
    await undo.waitFor();
    expect(await page.getByText("The change is undone").count()).toBe(0);
    await page.goto("about:blank");
    await page.goto(`${app.origin}${pathOf(link)}`);
    await page.getByText("This link has expired or was already used.").waitFor();
    await context.close();
  });
});
