import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EarningsResponse } from "../../db/shapes/work/earnings.ts";
import {
  acceptOnPlatform,
  permissiveFilters,
  permissiveWarehouseFilter,
  platformWorld,
  postJson,
} from "../support/sandbox-client.ts";
import { beginner, card } from "./day/day-harness.ts";
import { describeFilters } from "./day/filter-stories.ts";
import {
  createActiveDriver,
  openDashboard,
  openE2eHarness,
  publishOffer,
  type E2eHarness,
} from "./harness.ts";

const HOUR_MS = 3_600_000;

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

const open = () => harness;

describe("a driver's first day", () => {
  it("leads from the refused switch to filters, a capture and the block's calendar file", async () => {
    const actor = await beginner(harness);
    const { page, context, errors } = await openDashboard(harness, actor);
    await page.getByTestId("system-switch").click();
    await page.getByText("Select at least one warehouse").first().waitFor();
    await page.getByRole("link", { name: "Set filters" }).click();

    await card(page, "Maspeth (DBK1)").getByRole("switch").click();
    await card(page, "Maspeth (DBK1)").getByRole("button", { name: "Edit filters" }).click();
    await page.getByLabel("Minimum block pay").fill("10000");
    await page.getByText("Enter $9,999 or less.").waitFor();
    expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
    await page.getByLabel("Minimum block pay").fill("60");
    for (const day of await page.getByRole("switch", { name: /^Work on/ }).all()) {
      expect(await day.getAttribute("aria-checked")).toBe("true");
    }
    await page.getByRole("button", { name: /^Monday/ }).click();
    await page.getByLabel("Monday, from").selectOption("0");
    await page.getByLabel("Monday, to").selectOption("0");
    await page.getByRole("button", { name: "Copy Monday to all active days" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const { filters, complete } = await actor.client.filters();
    expect(complete).toBe(true);
    expect(filters.schedule).toEqual(Array.from({ length: 7 }, () => ({ active: true, start: 0, end: 0 })));

    await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Home" }).click();
    await page.getByTestId("system-switch").click();
    await page.getByText("Looking for blocks").first().waitFor();
    await publishOffer(harness, filters.warehouses.find((rule) => rule.selected)!.warehouseId, {
      payCents: 8_800,
    });
    await page.getByTestId("next-block").getByText("$88").first().waitFor();

    await page.getByRole("navigation").getByRole("link", { name: "My blocks" }).click();
    await page.getByTestId("block-list").getByTestId("offer-line").first().click();
    const sheet = page.getByRole("dialog");
    await sheet.getByText("You can forfeit it penalty-free until").waitFor();
    expect(await sheet.getByRole("link", { name: "Get directions" }).getAttribute("href")).toContain(
      "destination=40.7196%2C-73.9107",
    );
    const saving = page.waitForEvent("download");
    await sheet.getByRole("button", { name: "Add to calendar" }).click();
    const file = await readFile(await (await saving).path(), "utf8");
    expect(file).toContain("SUMMARY:Block: Maspeth (DBK1)\\, $88");
    expect(file).toMatch(/\r\nDTSTART:\d{8}T\d{6}Z\r\nDTEND:\d{8}T\d{6}Z\r\n/);
    // The browser logs a failed request to its console; the page itself throws nothing.
    expect(errors.filter((error) => !error.includes("409"))).toEqual([]);
    await context.close();
  });

  it("claims no capture of a block that the driver took by hand", async () => {
    const actor = await createActiveDriver(harness);
    const { origin } = harness.app;
    const block = { warehouseId: actor.warehouseIds[0]!, inMinutes: 240 };
    await acceptOnPlatform({ fetch, origin }, actor.email, block);
    const { page, context } = await openDashboard(harness, actor);
    await page.goto(`${origin}/flex/blocks?type=upcoming`);
    await page.getByTestId("offer-line").first().click();
    const sheet = page.getByRole("dialog");
    await sheet.getByText("This one is yours.").waitFor();
    expect(await sheet.innerText()).not.toMatch(/captured/i);
    const saving = page.waitForEvent("download");
    await sheet.getByRole("button", { name: "Add to calendar" }).click();
    expect(await readFile(await (await saving).path(), "utf8")).not.toMatch(/captured/i);
    await context.close();
  });

  it("explains why the switch stays off without service, and links to plans", async () => {
    const actor = await beginner(harness, { serviceMs: 0 });
    await actor.client.saveFilters(permissiveFilters([permissiveWarehouseFilter(actor.warehouseIds[0]!)]));
    const { page, context } = await openDashboard(harness, actor);
    await page.getByTestId("service-time").getByText("None", { exact: true }).waitFor();
    await page.getByTestId("system-switch").click();
    const refusal = page.getByRole("alert").filter({ hasText: "You have no days of service." });
    expect(await refusal.getByRole("link").getAttribute("href")).toBe("/flex/payments");
    expect(await page.getByTestId("system-switch").getAttribute("aria-checked")).toBe("false");
    await context.close();
  });

  it("warns on the last day of service with the time at which it ends", async () => {
    const actor = await beginner(harness, { serviceMs: 5 * HOUR_MS });
    await actor.client.saveFilters(permissiveFilters([permissiveWarehouseFilter(actor.warehouseIds[0]!)]));
    const { page, context } = await openDashboard(harness, actor);
    await page
      .getByTestId("service-ending")
      .getByText(/Your service lasts until (?:\w{3}\s)?\d+:\d\d\s[AP]M/)
      .waitFor();
    await context.close();
  });
});

describe("the route guards", () => {
  it("redirect a visitor to sign in, and back afterwards", async () => {
    const { page, context } = await openDashboard(harness, await createActiveDriver(harness));
    for (const path of ["/flex/dashboard", "/flex/filters", "/flex/blocks?type=lost"]) {
      const visitor = await harness.browser.newContext({ locale: "en-US" });
      const entering = await visitor.newPage();
      await entering.goto(`${harness.app.origin}${path}`);
      await entering.waitForURL((url) => url.pathname === "/login");
      const back = new URL(entering.url()).searchParams.get("back");
      expect(back).toBe(path);
      await visitor.close();
      await page.goto(`${harness.app.origin}/login?back=${encodeURIComponent(back ?? "")}`);
      await page.waitForURL(`${harness.app.origin}${path}`);
    }
    await context.close();
  });

  it("replace an unknown list with the won one", async () => {
    const { page, context } = await openDashboard(harness, await createActiveDriver(harness));
    await page.goto(`${harness.app.origin}/flex/blocks?type=everything`);
    await page.getByText("Blocks we captured for you").waitFor();
    await context.close();
  });

  it("redirect a driver without filters to the filters", async () => {
    const { page, context } = await openDashboard(harness, await beginner(harness));
    await page.goto(`${harness.app.origin}/flex`);
    await page.waitForURL("**/flex/filters");
    await context.close();
  });
});

describe("earnings", () => {
  it("are on the dashboard by day, with last week's tips, and a table for screen readers", async () => {
    const actor = await createActiveDriver(harness);
    const { drivers } = (await platformWorld({ fetch, origin: harness.app.origin })) as unknown as {
      drivers: { driverId: string; email: string }[];
    };
    // The seed decides the tips of a grocery block: a whole number of dollars.
    const startsAt = Date.now() - 168 * HOUR_MS;
    await postJson({ fetch, origin: harness.app.origin }, "/sandbox/platform/blocks", {
      driverId: drivers.find(({ email }) => email === actor.email)?.driverId,
      warehouseId: actor.warehouseIds[0],
      startsAt: new Date(startsAt).toISOString(),
      minutes: 120,
      payCents: 7_650,
      serviceType: "grocery",
    });
    const { earnings: told } = await actor.client.fetchJson<EarningsResponse>(
      "GET",
      "/flex/v1/user/earnings",
    );
    const { cents = 0, tipsCents = 0 } = told?.lastWeek ?? {};
    expect([cents, tipsCents > 0]).toEqual([7_650, true]);
    const dollars = (amount: number) => `$${(amount / 100).toFixed(2)}`;
    const { page, context } = await openDashboard(harness, actor);
    const earnings = page.getByTestId("earnings");
    await earnings
      .getByRole("definition")
      .filter({ hasText: dollars(cents + tipsCents) })
      .waitFor();
    await earnings.getByText(`Includes $${tipsCents / 100} in tips last week.`).waitFor();
    // Of this week, which had none, nothing is said.
    expect(await earnings.getByText(/ in tips /).count()).toBe(1);
    const day = new Intl.DateTimeFormat("en-US", { weekday: "long", timeZone: "America/New_York" });
    const row = earnings.getByRole("row").filter({ hasText: day.format(startsAt) });
    expect(await row.innerText()).toContain(dollars(cents + tipsCents));
    await context.close();
  });
});

describeFilters(open);
