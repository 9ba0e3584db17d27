import { describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { platformWorld, postJson } from "../../support/sandbox-client.ts";
import { createActiveDriver, publishOffer, type OpenHarness } from "../harness.ts";
import { openConsole, picture } from "./console-harness.ts";

/** A driver whom support looks for. */
export function describeSupport(open: OpenHarness): void {
  describe("support", () => {
    it("finds a driver by the last four digits, reads why no block came, and asks for the number", async () => {
      const driver = await createActiveDriver(open());
      const { filters } = await driver.client.filters();
      await driver.client.saveFilters({ ...filters, minHourlyCents: 9000 });
      await publishOffer(open(), driver.warehouseIds[0]!, { payCents: 6000 });
      const { page, context, errors } = await openConsole(open(), "support");
      await page.getByRole("link", { name: "Drivers", exact: true }).click();
      await page.getByRole("searchbox").fill(driver.phoneNumber.slice(-4));
      const table = page.getByRole("table", { name: "Drivers" });
      await table.getByRole("row").nth(1).focus();
      await page.keyboard.press("Tab");
      await picture(page, "search");
      await page.keyboard.press("Enter");
      await page.getByTestId("driver-phase").getByText("Looking for blocks").waitFor();
      await page.getByText("Below your hourly minimum").waitFor();
      expect(await page.getByText(`••• ${driver.phoneNumber.slice(-4)}`).count()).toBeGreaterThan(0);
      await picture(page, "driver-support");
      await page.getByRole("button", { name: "Show", exact: true }).click();
      await page.getByRole("button", { name: "Show the number" }).click();
      await page.getByText("Say why, in three letters at least.").waitFor();
      await page.getByLabel("Why").fill("to call back");
      await page.getByRole("button", { name: "Show the number" }).click();
      await page
        .getByText(`+1 (555) ${driver.phoneNumber.slice(5, 8)}-${driver.phoneNumber.slice(8)}`)
        .waitFor();
      const log = page.getByRole("table", { name: "What operators did" });
      await log.getByText("to call back").waitFor();
      expect(await findViolations(page)).toEqual([]);
      expect(errors).toEqual([]);
      await context.close();
    });

    it("sees in the fleet that the platform has signed a driver out, and where to find them", async () => {
      const driver = await createActiveDriver(open());
      const target = { fetch, origin: open().app.origin };
      const { drivers } = await platformWorld(target);
      const account = drivers.find(({ email }) => email === driver.email);
      const { page, context, errors } = await openConsole(open(), "support");
      const fleet = page.url();
      const count = page.locator('[data-count="signedOut"]');
      await postJson(target, `/sandbox/platform/drivers/${account?.driverId}/sign-out`, {});
      // Drivers of earlier stories sign out too when the platform's world is reset.
      const phone = page.getByText(`••• ${driver.phoneNumber.slice(-4)}`);
      await expect
        .poll(async () => {
          await page.goto(fleet);
          const figure = Number(await count.locator("span").first().textContent());
          await count.click();
          const isListed = await phone.waitFor({ timeout: 2_000 }).then(
            () => true,
            () => false,
          );
          return isListed && figure > 0;
        })
        .toBe(true);
      expect(await findViolations(page)).toEqual([]);
      await picture(page, "fleet");
      expect(errors).toEqual([]);
      await context.close();
    });
  });
}
