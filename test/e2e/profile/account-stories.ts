import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import { openUserPool, signInBySrp } from "../../support/identity.ts";
import { PASSWORD, readUser, type OpenProfiles } from "../profile-harness.ts";

/** The account on the platform. */
export function describeDeliveryAccount(open: OpenProfiles): void {
  describe("the delivery account", () => {
    it("is unlinked after a confirmation, and can be linked again", async () => {
      const member = await open().join();
      const page = await open().openProfile(member);
      await page.getByText(`Linked as ${member.email}`).waitFor();
      await page.getByRole("button", { name: "Unlink" }).click();
      const question = page.getByRole("alertdialog");
      await question.getByRole("button", { name: "Cancel" }).click();
      expect((await readUser(member)).proxyInstalled).toBe(true);
      await page.getByRole("button", { name: "Unlink" }).click();
      await question.getByRole("button", { name: "Unlink" }).click();
      await page.getByText("Not linked yet. Link it so we can capture blocks.").waitFor();
      expect(await readUser(member)).toMatchObject({ proxyInstalled: false, flexEmail: null });
      const again = page.getByRole("link", { name: "Link account" });
      expect(await again.getAttribute("href")).toBe("/flex/login");
      await question.waitFor({ state: "hidden" });
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
      await page.context().close();
    });
  });
}

/** How long the screen is, with the cards that only the embedded user pool has. */
export function describeProfileLength(open: OpenProfiles): void {
  describe("the profile with passkeys and devices", () => {
    it("is short enough for a phone, and its two columns on a desk end near each other", async () => {
      const member = await open().join();
      for (let device = 0; device < 2; device++) await (await open().openProfile(member)).context().close();
      const page = await open().openProfile(member, { viewport: { width: 375, height: 812 } });
      await page.getByText("4 devices", { exact: true }).waitFor();
      await page.getByText("You have no passkey yet.").waitFor();
      await page.locator("[data-skeleton]").first().waitFor({ state: "detached" });
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(3_000);
      await page.setViewportSize({ width: 1_440, height: 900 });
      const columns = page.locator("main .lg\\:grid-cols-2 > div");
      const heights = await columns.evaluateAll((found) =>
        found.map((column) => column.getBoundingClientRect().height),
      );
      expect(heights).toHaveLength(2);
      expect(Math.min(...heights) / Math.max(...heights)).toBeGreaterThan(0.7);
      await page.context().close();
    });
  });
}

/** A driver's export, and the rest after deletion. */
export function describeDriverData(open: OpenProfiles): void {
  describe("a driver's data", () => {
    it("can be downloaded as one JSON file", async () => {
      const member = await open().join();
      const page = await open().openProfile(member);
      await page.getByText("Your data", { exact: true }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download my data" }).click(),
      ]);
      const file: DriverExport = JSON.parse(await readFile(await download.path(), "utf8"));
      expect(download.suggestedFilename()).toMatch(/^jornada-\d{4}-\d\d-\d\d\.json$/);
      expect([file.user.phoneNumber, file.account?.["phoneNumber"]]).toEqual([
        member.phoneNumber,
        member.phoneNumber,
      ]);
      await page.context().close();
    });

    it("is deleted with the account after typing the last four digits", async () => {
      const member = await open().join();
      const page = await open().openProfile(member);
      await page.getByText("Your data", { exact: true }).click();
      await page.getByRole("button", { name: "Delete account" }).click();
      const question = page.getByRole("alertdialog");
      const digits = question.getByLabel("Last 4 digits of your phone number");
      const last = member.phoneNumber.slice(-4);
      await digits.fill(last === "0000" ? "1111" : "0000");
      await question.getByRole("button", { name: "Delete for good" }).click();
      await page.getByText("Enter the last 4 digits of the number you sign in with.").waitFor();
      expect((await readUser(member)).name).toBe("Ana");

      await digits.fill(last);
      await question.getByRole("button", { name: "Delete for good" }).click();
      await page.getByText("Your account is deleted").waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toBe("/");
      expect((await member.client.call("GET", "/flex/v1/user")).status).toBe(401);
      expect(await open().app.sql(`SELECT id FROM users WHERE phone_number = ?`, member.phoneNumber)).toEqual(
        [],
      );
      const pool = await openUserPool(open().app.origin);
      await expect(signInBySrp(pool, { ...member, password: PASSWORD })).rejects.toThrow(
        "Incorrect username or password.",
      );
      await page.context().close();
    });
  });
}
