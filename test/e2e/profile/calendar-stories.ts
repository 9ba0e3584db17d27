import { describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { enter, PASSWORD, type OpenProfiles } from "../profile-harness.ts";

/** The calendar link in the profile. */
export function describeCalendarLink(open: OpenProfiles): void {
  describe("the calendar link", () => {
    it("is shown on a tap, pauses at sign-out, goes on after signing in there again, and ends when it is turned off", async () => {
      const member = await open().join();
      const page = await open().openProfile(member);
      const card = page.getByRole("region", { name: "Calendar", exact: true });
      const add = card.getByRole("button", { name: "Add to calendar" });
      await add.waitFor();
      await page.context().setOffline(true);
      await expect.poll(() => add.getAttribute("aria-disabled")).toBe("true");
      await page.context().setOffline(false);
      await expect.poll(() => add.getAttribute("aria-disabled")).toBe("false");
      await add.click();
      const sheet = page.getByRole("dialog", { name: "Your calendar link" });
      const address = (await sheet.getByTestId("calendar-address").textContent()) ?? "";
      expect(await findViolations(page)).toEqual([]);
      const webcal = address.replace("http:", "webcal:");
      const link = sheet.getByRole("link", { name: "Open in calendar app" });
      expect(await link.getAttribute("href")).toBe(webcal);
      const read = async () => {
        const response = await fetch(`${open().app.origin}${new URL(address).pathname}`);
        const file = await response.text();
        return { status: response.status, notice: /^UID:(paused|gone)@/m.exec(file)?.[1] ?? null };
      };
      expect(await read()).toEqual({ status: 200, notice: null });
      await page.keyboard.press("Escape");
      await card.getByText("On since").waitFor();

      await page.getByRole("contentinfo").getByRole("button", { name: "Sign out" }).click();
      await expect.poll(read, { timeout: 10_000 }).toEqual({ status: 200, notice: "paused" });
      await page.goto(`${open().app.origin}/flex/profile`);
      await page.waitForURL("**/login?back=**");
      await enter(page, member.phoneNumber, PASSWORD);
      await expect.poll(read, { timeout: 10_000 }).toEqual({ status: 200, notice: null });

      await card.getByRole("switch", { name: "Show pay" }).click();
      await card.getByRole("button", { name: "Turn off" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Turn off" }).click();
      await card.getByRole("button", { name: "Add to calendar" }).waitFor();
      expect(await read()).toEqual({ status: 200, notice: "gone" });
      await page.context().close();
    });
  });
}
