import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import {
  advanceUntil,
  createActiveDriver,
  DESK,
  gapAboveTabs,
  openDashboard,
  type OpenHarness,
} from "../harness.ts";
import { card } from "./day-harness.ts";

/** Filters on their screen and in the dashboard's sheet. */
export function describeFilters(open: OpenHarness): void {
  describe("filters in two tabs", () => {
    it("are merged field by field, without losing either tab's changes", async () => {
      const actor = await createActiveDriver(open());
      const { page: mine, context } = await openDashboard(open(), actor, DESK);
      const theirs = await context.newPage();
      await mine.goto(`${open().app.origin}/flex/filters`);
      await theirs.goto(`${open().app.origin}/flex/filters`);
      // A tab opened later would load the other one's draft.
      await card(theirs, "Maspeth (DBK1)").waitFor();
      const setPrice = async (page: Page, name: string, price: string) => {
        await card(page, name).getByRole("button", { name: "Edit filters" }).click();
        await card(page, name).getByLabel("Minimum block pay").fill(price);
      };
      await setPrice(mine, "Bethpage (DNY4)", "91");
      await mine.getByRole("button", { name: /^Sunday/ }).click();
      await mine.getByLabel("Sunday, from").selectOption("480");
      await setPrice(theirs, "Maspeth (DBK1)", "72");
      await theirs.getByRole("switch", { name: "Work on Sunday" }).click();
      await theirs.getByRole("switch", { name: "Work on Monday" }).click();
      await theirs.getByRole("button", { name: "Save", exact: true }).click();
      await theirs.getByText("Saved", { exact: true }).waitFor();

      // The draft survives a reload and the other tab's save.
      await mine.reload();
      await mine.getByText("Unsaved changes").waitFor();
      await mine.getByRole("button", { name: "Save", exact: true }).click();
      const sheet = mine.getByRole("alertdialog");
      const part = (name: string) => sheet.getByRole("group", { name });
      await part("Sunday").getByText("Changed in both places").waitFor();
      await part("Monday").getByText("Changed somewhere else").waitFor();
      await part("Bethpage (DNY4)").getByText("You changed this here").waitFor();
      expect(await findViolations(mine)).toEqual([]);
      await part("Sunday").getByRole("radio", { name: "Saved somewhere else" }).check();
      await sheet.getByRole("button", { name: "Save my choices" }).click();
      await mine.getByText("Saved", { exact: true }).waitFor();

      const { filters } = await actor.client.filters();
      const prices = new Map(
        filters.warehouses.map((rule) => [String(rule.warehouseId), rule.minPriceCents]),
      );
      expect([prices.get("nyc-dny4"), prices.get("nyc-dbk1")]).toEqual([9100, 7200]);
      expect(filters.schedule.map((day) => day.active)).toEqual([false, true, true, true, true, true, false]);
      expect(filters.schedule[6]?.start).toBe(0);
      await context.close();
    });

    it("show that warehouses could not be loaded, and load them on retry", async () => {
      const actor = await createActiveDriver(open());
      const { page, context } = await openDashboard(open(), actor, { clock: true });
      let isDown = true;
      await page.route("**/flex/v1/warehouses", (route) => (isDown ? route.abort() : route.fallback()));
      await page.goto(`${open().app.origin}/flex/filters`);
      await advanceUntil(page, () => page.getByText("Could not load warehouses").isVisible());
      await page.getByRole("heading", { name: "Your schedule" }).waitFor();
      isDown = false;
      await page.getByRole("button", { name: "Try again" }).click();
      await card(page, "Bethpage (DNY4)").waitFor();
      await context.close();
    });

    it("says in the bar why a save failed, until one succeeds, and saves presets and all warehouses", async () => {
      const actor = await createActiveDriver(open());
      const { page, context } = await openDashboard(open(), actor);
      await page.goto(`${open().app.origin}/flex/filters`);
      // A week is seven rows of 48 px until one is opened.
      const rows = page.getByTestId("day-row");
      await expect
        .poll(() => rows.evaluateAll((all) => all.map(({ clientHeight }) => clientHeight)))
        .toEqual(Array<number>(7).fill(48));
      await page.getByRole("button", { name: "Select all in New York City" }).click();
      await page.getByRole("button", { name: "Weekdays" }).click();
      await page.getByRole("button", { name: "Evenings" }).click();
      let isDown = true;
      await page.route("**/flex/v1/filters", (route) =>
        isDown && route.request().method() === "PUT" ? route.abort() : route.fallback(),
      );
      const bar = page.getByTestId("save-bar");
      await expect.poll(() => gapAboveTabs(page, "save-bar")).toBe(0);
      // Phones' browsers leave no more of the screen: a bar that is scrolled away doesn't say that a change isn't saved.
      const opened = page.viewportSize()!;
      const isInView = async () => {
        for (const size of [opened, { width: 390, height: 664 }, { width: 360, height: 640 }]) {
          await page.setViewportSize(size);
          await expect.poll(() => gapAboveTabs(page, "save-bar")).toBe(0);
        }
      };
      await isInView();
      await bar.getByRole("button", { name: "Save", exact: true }).click();
      await bar.getByText("Not saved. We couldn't reach the server.").waitFor();
      await isInView();
      expect(await findViolations(page)).toEqual([]);
      isDown = false;
      await bar.getByRole("button", { name: "Save again" }).click();
      await bar.waitFor({ state: "hidden" });
      const { filters } = await actor.client.filters();
      expect(filters.warehouses.map(({ selected }) => selected)).toEqual(actor.warehouseIds.map(() => true));
      expect(filters.schedule.map(({ active }) => active)).toEqual([
        true,
        true,
        true,
        true,
        true,
        false,
        false,
      ]);
      expect(filters.schedule[0]).toEqual({ active: true, start: 1_020, end: 1_380 });
      await context.close();
    });

    it("are marked at the field that the server refuses, until it is changed", async () => {
      const actor = await createActiveDriver(open());
      const { page, context } = await openDashboard(open(), actor);
      await page.goto(`${open().app.origin}/flex/filters`);
      const edited = card(page, "Maspeth (DBK1)");
      await edited.getByRole("button", { name: "Edit filters" }).click();
      const pay = edited.getByLabel("Minimum block pay");
      await pay.fill("72");
      const WORDS = "Check the fields.";
      const fields = Object.fromEntries(
        actor.warehouseIds.map((_id, index) => [`warehouses.${index}.minPriceCents`, "invalid"]),
      );
      await page.route("**/flex/v1/filters", (route) =>
        route.request().method() === "PUT"
          ? route.fulfill({
              status: 400,
              json: {
                code: "invalid_request",
                message: { en: WORDS, es: WORDS, pt: WORDS },
                requestId: "R",
                fields,
              },
            })
          : route.fallback(),
      );
      await page.getByTestId("save-bar").getByRole("button", { name: "Save", exact: true }).click();
      await expect.poll(() => pay.getAttribute("aria-invalid")).toBe("true");
      const note = await pay.getAttribute("aria-describedby");
      expect(await page.locator(`[id="${note ?? ""}"]`).innerText()).not.toBe("");
      expect(await findViolations(page)).toEqual([]);
      await pay.fill("73");
      await expect.poll(() => pay.getAttribute("aria-invalid")).toBe("false");
      await context.close();
    });

    it("can be changed in the dashboard's sheet too", async () => {
      const actor = await createActiveDriver(open());
      const { page, context } = await openDashboard(open(), actor);
      await page.getByTestId("open-filters-sheet").click();
      const sheet = page.getByRole("dialog", { name: "Quick filters" });
      await sheet.getByRole("button", { name: "Work on Tuesday" }).click();
      await sheet.getByRole("button", { name: "Increase: Minimum at Bethpage (DNY4)" }).click();
      expect(await findViolations(page)).toEqual([]);
      await sheet.getByRole("button", { name: "Save", exact: true }).click();
      await sheet.waitFor({ state: "hidden" });

      const { filters, version } = await actor.client.filters();
      expect(version).toBe(2);
      expect(filters.schedule[1]?.active).toBe(false);
      const rule = filters.warehouses.find(({ warehouseId }) => warehouseId === "nyc-dny4");
      expect(rule?.minPriceCents).toBe(500);
      await context.close();
    });
  });
}
