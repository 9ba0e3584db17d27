import { describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { createActiveDriver, DESK, openDashboard, publishOffer, type OpenHarness } from "../harness.ts";
import { looksOfRun } from "../looks.ts";

/** Each signed-in screen with what it is for. */
export function describeScreens(open: OpenHarness): void {
  describe("every signed-in screen", () => {
    it.each(
      looksOfRun([
        ["light", "phone", { colorScheme: "light" }],
        ["dark", "phone", { colorScheme: "dark" }],
        ["light", "desk", { colorScheme: "light", ...DESK }],
        ["dark", "desk", { colorScheme: "dark", ...DESK }],
      ] as const),
    )("has no axe violations: %s, %s", async (_theme, _size, look) => {
      const actor = await createActiveDriver(open());
      // Colors in transition would have the wrong contrast.
      const { page, context } = await openDashboard(open(), actor, { ...look, reducedMotion: "reduce" });
      await publishOffer(open(), actor.warehouseIds[0]!, { payCents: 9_900 });
      await page.getByTestId("next-block").getByText("$99").first().waitFor();
      const faults: string[] = [];
      const inspect = async (name: string) => {
        faults.push(...(await findViolations(page)).map((fault) => `${name}: ${fault}`));
      };
      await page.getByTestId("earnings").waitFor();
      await inspect("dashboard");
      await page.getByTestId("next-block").getByRole("button", { name: "Details" }).click();
      await page.getByTestId("won-details").waitFor();
      await inspect("block");
      await page.goto(`${open().app.origin}/flex/filters`);
      await page
        .getByRole("button", { name: /^Edit filters/ })
        .first()
        .click();
      await page.getByLabel("Minimum block pay").fill("");
      await inspect("filters");
      for (const type of ["won", "disliked", "lost"]) {
        await page.goto(`${open().app.origin}/flex/blocks?type=${type}`);
        await page.getByRole("heading", { name: "My blocks" }).waitFor();
        await inspect(type);
      }
      expect(faults).toEqual([]);
      await context.close();
    });
  });
}
