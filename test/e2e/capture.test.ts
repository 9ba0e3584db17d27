import { AxeBuilder } from "@axe-core/playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { permissiveFilters, permissiveRule } from "../support/sandbox-client.ts";
import {
  fetchAccepts,
  publishOffer,
  createActiveDriver,
  openDashboard,
  openE2eHarness,
  type E2eHarness,
} from "./harness.ts";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

describe("the dashboard of a driver who is on", () => {
  it("shows an offer that was dropped as captured, and D1 has it", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context, errors } = await openDashboard(harness, actor);
    await page.getByText("Looking for blocks").first().waitFor();
    const offerId = await publishOffer(harness, actor.warehouseIds[0]!, { payCents: 10_150 });
    await page.getByText("$101.50").first().waitFor();
    await page.getByText("Captured", { exact: false }).first().waitFor();

    const rows = async () =>
      harness.app.sql(`SELECT offer_id FROM blocks_won WHERE driver_id = ?`, actor.driverId);
    await expect.poll(rows, { timeout: 20_000 }).toEqual([{ offer_id: offerId }]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("says in plain words why an offer was passed over, rule beside figure", async () => {
    const actor = await createActiveDriver(harness);
    await actor.client.saveFilters(
      permissiveFilters([permissiveRule(actor.warehouseIds[0]!, { minPriceCents: 12_000 })]),
    );
    const { page, context } = await openDashboard(harness, actor);
    await publishOffer(harness, actor.warehouseIds[0]!, { payCents: 8_250 });
    await page.getByText("Pays less than your minimum").first().click();
    const sheet = page.getByRole("dialog");
    await sheet.getByText("$120").first().waitFor();
    expect(await sheet.innerText()).toContain("$82.50");
    await context.close();
  });

  it("changes a verdict at once when the driver loosens a filter on the page", async () => {
    const actor = await createActiveDriver(harness);
    await actor.client.saveFilters(
      permissiveFilters([permissiveRule(actor.warehouseIds[0]!)], { minHourlyCents: 9_000 }),
    );
    const { page, context } = await openDashboard(harness, actor);
    const offerId = await publishOffer(harness, actor.warehouseIds[0]!, { inMinutes: 600, payCents: 7_777 });
    await page.getByText("$77.77").first().waitFor();
    const before = (await fetchAccepts(harness)).map((accept) => accept.offerId);
    await actor.client.saveFilters(permissiveFilters([permissiveRule(actor.warehouseIds[0]!)]));
    await expect
      .poll(async () => (await fetchAccepts(harness)).map((accept) => accept.offerId), { timeout: 20_000 })
      .toContain(offerId);
    expect(before).not.toContain(offerId);
    await context.close();
  });

  it("turns off only after asking, and then takes nothing", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openDashboard(harness, actor);
    await page.getByRole("switch").first().click();
    await page.getByText("turn off the days").waitFor();
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByText("We won't capture anything until you turn it on.").waitFor();
    const before = (await fetchAccepts(harness)).length;
    await publishOffer(harness, actor.warehouseIds[0]!, { inMinutes: 900 });
    await page.waitForTimeout(2500);
    expect(await fetchAccepts(harness)).toHaveLength(before);
    await context.close();
  });

  it("catches up on what it missed while the phone had no network", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openDashboard(harness, actor);
    await page.getByText("Looking for blocks").first().waitFor();
    await context.setOffline(true);
    await publishOffer(harness, actor.warehouseIds[0]!, { inMinutes: 400, payCents: 6_543 });
    await expect
      .poll(() => harness.app.sql(`SELECT 1 AS one FROM blocks_won WHERE driver_id = ?`, actor.driverId), {
        timeout: 20_000,
      })
      .toHaveLength(1);
    await context.setOffline(false);
    await page.getByText("$65.43").first().waitFor({ timeout: 45_000 });
    await context.close();
  });

  it.each([
    ["phone, light, English", { colorScheme: "light", locale: "en-US" }],
    ["phone, dark, Portuguese", { colorScheme: "dark", locale: "pt-BR" }],
    [
      "desk, light, Spanish",
      { colorScheme: "light", locale: "es-MX", viewport: { width: 1280, height: 800 } },
    ],
  ] as const)("has no fault that axe knows: %s", async (_name, look) => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openDashboard(harness, actor, look);
    const faults = [];
    for (const path of ["/flex/dashboard", "/flex/filters", "/flex/blocks", "/"]) {
      await page.goto(`${harness.app.origin}${path}`);
      await page.waitForLoadState("networkidle").catch(() => undefined);
      await page.waitForTimeout(500);
      const { violations } = await new AxeBuilder({ page }).analyze();
      faults.push(...violations.map(({ id, nodes }) => `${path} ${id} ${nodes[0]?.html ?? ""}`));
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
