import type { WebSocketRoute } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BlocksResponse } from "../../worker/contract/work/blocks.ts";
import { findViolations } from "../support/accessibility.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";
import {
  fetchAccepts,
  publishOffer,
  createActiveDriver,
  openDashboard,
  openE2eHarness,
  type E2eHarness,
} from "./harness.ts";
import { looksOfRun } from "./looks.ts";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

/** Screens, each with the element that is rendered last. */
const SCREENS = [
  ["/flex/dashboard", "[data-testid=earnings]"],
  ["/flex/filters", "[data-testid=warehouse-card]"],
  ["/flex/blocks", "main h1"],
  ["/", "main h2"],
] as const;

describe("the dashboard of a driver who is on", () => {
  it("shows a published offer as captured, and D1 has it", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context, errors } = await openDashboard(harness, actor);
    await page.getByText("Looking for blocks").first().waitFor();
    const offerId = await publishOffer(harness, actor.warehouseIds[0]!, { payCents: 10_150 });
    await page.getByText("$101.50").first().waitFor();
    await page.getByText("Captured", { exact: false }).first().waitFor();
    // Two at once are both read out, each by one live region.
    const payOf = (text: string) => /\$[\d.]+/.exec(text)?.[0];
    await publishOffer(harness, actor.warehouseIds[1]!, { inMinutes: 600, payCents: 11_250 });
    const announced = page.getByTestId("capture-announcement").locator("p");
    await expect
      .poll(async () => (await announced.allInnerTexts()).map(payOf))
      .toEqual(["$101.50", "$112.50"]);
    const toast = page.locator("[data-sonner-toast]", { hasText: "$112.50" });
    await toast.locator("[aria-hidden=true]", { hasText: "$112.50" }).waitFor();

    const listed = () => actor.client.fetchJson<BlocksResponse>("GET", "/flex/v1/blocks?type=won");
    const offerIds = async () =>
      (await listed()).items.map((item) => (item.type === "won" ? item.block.offerId : null));
    await expect.poll(offerIds).toContain(offerId);
    const sums = () =>
      harness.app.sql(
        `SELECT sum(blocks) AS blocks, sum(pay_cents) AS cents FROM won_days WHERE driver_id = ?`,
        actor.driverId,
      );
    await expect.poll(sums).toEqual([{ blocks: 2, cents: 21_400 }]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("explains why an offer was rejected, with the required and the actual value", async () => {
    const actor = await createActiveDriver(harness);
    await actor.client.saveFilters(
      permissiveFilters([permissiveWarehouseFilter(actor.warehouseIds[0]!, { minPriceCents: 12_000 })]),
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
    const { warehouses } = await actor.client.warehouses();
    const { warehouseId, name } = warehouses[0]!;
    await actor.client.saveFilters(
      permissiveFilters([permissiveWarehouseFilter(warehouseId, { minPriceCents: 12_000 })]),
    );
    const { page, context } = await openDashboard(harness, actor);
    const offerId = await publishOffer(harness, warehouseId, { inMinutes: 600, payCents: 7_777 });
    await page.getByText("$77.77").first().waitFor();
    expect(await fetchAccepts(harness)).toEqual([]);

    const menu = page.getByRole("navigation", { name: "Main menu" });
    await menu.getByRole("link", { name: "Filters" }).click();
    const card = page
      .getByTestId("warehouse-card")
      .filter({ has: page.getByRole("heading", { name: name ?? "" }) });
    await card.getByRole("button", { name: /^Edit filters/ }).click();
    await card.getByLabel("Minimum block pay").fill("77");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await menu.getByRole("link", { name: "Home" }).click();
    await page.getByTestId("next-block").getByText("$77.77").first().waitFor();
    expect((await fetchAccepts(harness)).map((accept) => accept.offerId)).toEqual([offerId]);
    await context.close();
  });

  it("turns off only after a confirmation, and accepts nothing until it is turned on", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openDashboard(harness, actor);
    await page.getByRole("switch").first().click();
    await page.getByText("turn off the days").waitFor();
    await page.getByRole("button", { name: "Turn off" }).click();
    const isOff = page.getByText("We won't capture anything until you turn it on.");
    await isOff.waitFor();
    const offerId = await publishOffer(harness, actor.warehouseIds[0]!, { inMinutes: 900, payCents: 8_765 });
    await page.reload();
    await isOff.waitFor();
    const turnedOnAt = Date.now();
    await page.getByRole("switch").first().click();
    await page.getByTestId("next-block").getByText("$87.65").first().waitFor();
    const taken = await fetchAccepts(harness);
    expect(taken.map((accept) => [accept.offerId, accept.at >= turnedOnAt])).toEqual([[offerId, true]]);
    await context.close();
  });

  it("catches up on events missed while offline", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openDashboard(harness, actor);
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/flex\/v1\/live$/, (socket) => {
      sockets.push(socket);
      socket.connectToServer();
    });
    await page.reload();
    await page.getByText("Looking for blocks").first().waitFor();
    await context.setOffline(true);
    // A browser that emulates being offline only holds back what an open socket brings.
    expect(sockets).toHaveLength(1);
    await sockets[0]!.close();
    await publishOffer(harness, actor.warehouseIds[0]!, { inMinutes: 400, payCents: 6_543 });
    await expect
      .poll(() =>
        harness.app.sql(`SELECT sum(blocks) AS blocks FROM won_days WHERE driver_id = ?`, actor.driverId),
      )
      .toEqual([{ blocks: 1 }]);
    expect(await page.getByText("$65.43").count()).toBe(0);
    await context.setOffline(false);
    await page.getByText("$65.43").first().waitFor();
    expect(sockets.length).toBeGreaterThan(1);
    await context.close();
  });

  it("stays where code can't be fetched in the moment of a capture, and fetches it when it can", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openDashboard(harness, actor);
    const asked: string[] = [];
    const isMenuOpen = Promise.withResolvers<void>();
    await context.route(/\/assets\/messages-en-rest-/, async (route) => {
      const count = asked.push(route.request().url());
      if (count === 2) await isMenuOpen.promise;
      await (count > 2 ? route.continue() : route.abort());
    });
    await page.reload();
    await expect.poll(() => asked).toHaveLength(1);
    await publishOffer(harness, actor.warehouseIds[0]!, { inMinutes: 400, payCents: 6_543 });
    await page.getByText("$65.43").first().waitFor();
    // Code for a capture is fetched again after a failure; what is opened before that fails, too, has a try of its own.
    await expect.poll(() => asked.map((url) => url.split("?")[1])).toEqual([undefined, "again=1"]);
    // By keyboard: the toast of the capture may lie over it.
    await page.getByRole("button", { name: "Menu" }).press("Enter");
    await page.getByRole("dialog").waitFor();
    isMenuOpen.resolve();
    await page.getByRole("dialog").getByRole("link", { name: "Payments" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("switch").first().waitFor();
    await page.getByText("$65.43").first().waitFor();
    await context.close();
  });

  it.each(
    looksOfRun([
      ["phone, light, English", { colorScheme: "light", locale: "en-US" }],
      ["phone, dark, Portuguese", { colorScheme: "dark", locale: "pt-BR" }],
      [
        "desk, light, Spanish",
        { colorScheme: "light", locale: "es-MX", viewport: { width: 1280, height: 800 } },
      ],
    ] as const),
  )("has no axe violations: %s", async (_name, look) => {
    const actor = await createActiveDriver(harness);
    // Colors in transition would have the wrong contrast.
    const { page, context } = await openDashboard(harness, actor, { ...look, reducedMotion: "reduce" });
    const faults = [];
    for (const [path, part] of SCREENS) {
      await page.goto(`${harness.app.origin}${path}`);
      await page.locator(part).first().waitFor();
      faults.push(...(await findViolations(page)).map((fault) => `${path} ${fault}`));
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
