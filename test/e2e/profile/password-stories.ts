import { describe, expect, it } from "vitest";
import { enter, PASSWORD, type OpenProfiles } from "../profile-harness.ts";

/** The password, and what ends other devices' sessions. */
export function describePassword(open: OpenProfiles): void {
  describe("the password", () => {
    it("can be changed only with the present one, and works from then on", async () => {
      const member = await open().join();
      const page = await open().openProfile(member);
      await page.getByText("Change password").click();
      const form = page.getByRole("form", { name: "Change password" });
      const change = async (present: string) => {
        await form.getByLabel("Current password").fill(present);
        await form.getByLabel("New password", { exact: true }).fill("Another-2-password");
        await form.getByLabel("Repeat your password").fill("Another-2-password");
        await form.getByRole("button", { name: "Save new password" }).click();
      };
      await change("Wrong-1-password");
      await page.getByText("Current password is incorrect").waitFor({ timeout: 20_000 });
      await change(PASSWORD);
      await page.getByText("Your new password is saved.").waitFor({ timeout: 20_000 });
      await page.getByRole("contentinfo").getByRole("button", { name: "Sign out", exact: true }).click();
      await page.waitForURL((url) => url.pathname === "/");
      await page.getByRole("contentinfo").getByRole("link", { name: "Sign in" }).waitFor();
      await page.goto(`${open().app.origin}/login?back=/flex/profile`);
      await enter(page, member.phoneNumber, PASSWORD);
      await page.getByText("Login failed").first().waitFor();
      await enter(page, member.phoneNumber, "Another-2-password");
      await page.getByRole("heading", { name: "My profile" }).waitFor({ timeout: 20_000 });
      await page.context().close();
    });

    it("asks to sign in again where the session was ended elsewhere", async () => {
      const member = await open().join();
      const page = await open().openProfile(member);
      await open().endSessionsOf(member);
      await page.getByText("Change password").click();
      const form = page.getByRole("form", { name: "Change password" });
      await form.getByLabel("Current password").fill(PASSWORD);
      await form.getByLabel("New password", { exact: true }).fill("Another-2-password");
      await form.getByLabel("Repeat your password").fill("Another-2-password");
      await form.getByRole("button", { name: "Save new password" }).click();
      await page.waitForURL("**/login?back=**", { timeout: 20_000 });
      await page.getByText("Please sign in again to change your password").waitFor();
      await page.context().close();
    });

    it("can be followed by a sign-out everywhere, which ends other devices' sessions", async () => {
      const member = await open().join();
      const page = await open().openProfile(member);
      await page.getByRole("heading", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign out everywhere" }).click();
      await page.waitForURL((url) => url.pathname === "/");
      await page.getByRole("contentinfo").getByRole("link", { name: "Sign in" }).waitFor();
      expect((await member.client.call("GET", "/flex/v1/user")).status).toBe(401);
      await page.context().close();
    });
  });
}
