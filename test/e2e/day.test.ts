import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BlocksResponse } from "../../worker/contract/blocks.ts";
import type { PassedOverResponse } from "../../worker/contract/passed-over.ts";
import { findViolations } from "../support/accessibility.ts";
import {
  permissiveFilters,
  permissiveWarehouseFilter,
  linkPlatformAccount,
  platformWorld,
  postJson,
  signIn,
} from "../support/sandbox-client.ts";
import { DriverClient } from "../support/driver-client.ts";
import { registerDriver } from "../support/drivers.ts";
import {
  publishOffer,
  createActiveDriver,
  openDashboard,
  openE2eHarness,
  advanceUntil,
  type ActiveDriver,
  type E2eHarness,
} from "./harness.ts";

const HOUR_MS = 3_600_000;
const DESK = { viewport: { width: 1280, height: 900 } };

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

/** A linked driver without filters, and with service only if requested. */
async function beginner(given: { serviceMs?: number } = {}): Promise<ActiveDriver> {
  const outside = { fetch, origin: harness.app.origin };
  await postJson(outside, "/sandbox/world", { reset: true, generate: false, seed: 1 });
  const person = await registerDriver(harness.app, given);
  const client = new DriverClient({ ...outside, token: await signIn(outside, person) });
  await linkPlatformAccount({ ...outside, client }, person.email);
  const { warehouses } = await client.warehouses();
  return { ...person, client, warehouseIds: warehouses.map((warehouse) => warehouse.warehouseId) };
}

const card = (page: Page, name: string) =>
  page.getByTestId("warehouse-card").filter({ has: page.getByRole("heading", { name }) });

describe("a driver's first day", () => {
  it("leads from the refused switch to filters, a capture and the block's calendar file", async () => {
    const actor = await beginner();
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
    await sheet.getByText("You can forfeit it in the platform's own app for another 2 h").waitFor();
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

  it("explains why the switch stays off without service, and links to plans", async () => {
    const actor = await beginner({ serviceMs: 0 });
    await actor.client.saveFilters(permissiveFilters([permissiveWarehouseFilter(actor.warehouseIds[0]!)]));
    const { page, context } = await openDashboard(harness, actor);
    await page.getByTestId("service-time").getByText("None left").waitFor();
    await page.getByTestId("system-switch").click();
    const refusal = page.getByRole("alert").filter({ hasText: "no days of service left" });
    expect(await refusal.getByRole("link").getAttribute("href")).toBe("/flex/payments");
    expect(await page.getByTestId("system-switch").getAttribute("aria-checked")).toBe("false");
    await context.close();
  });

  it("warns on the last day of service with the time at which it ends", async () => {
    const actor = await beginner({ serviceMs: 5 * HOUR_MS });
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
  it.each(["/flex/dashboard", "/flex/filters", "/flex/blocks?type=lost"])(
    "redirect a visitor from %s to sign in, and back afterwards",
    async (path) => {
      const visitor = await harness.browser.newContext({ locale: "en-US" });
      const entering = await visitor.newPage();
      await entering.goto(`${harness.app.origin}${path}`);
      await entering.waitForURL((url) => url.pathname === "/login");
      const back = new URL(entering.url()).searchParams.get("back");
      expect(back).toBe(path);
      await visitor.close();

      const { page, context } = await openDashboard(harness, await createActiveDriver(harness));
      await page.goto(`${harness.app.origin}/login?back=${encodeURIComponent(back ?? "")}`);
      await page.waitForURL(`${harness.app.origin}${path}`);
      await context.close();
    },
  );

  it("replace an unknown list with the won one", async () => {
    const { page, context } = await openDashboard(harness, await createActiveDriver(harness));
    await page.goto(`${harness.app.origin}/flex/blocks?type=everything`);
    await page.getByText("Blocks we captured for you").waitFor();
    await context.close();
  });

  it("redirect a driver without filters to the filters", async () => {
    const { page, context } = await openDashboard(harness, await beginner());
    await page.goto(`${harness.app.origin}/flex`);
    await page.waitForURL("**/flex/filters");
    await context.close();
  });
});

describe("filters in two tabs", () => {
  it("are merged field by field, without losing either tab's changes", async () => {
    const actor = await createActiveDriver(harness);
    const { page: mine, context } = await openDashboard(harness, actor, DESK);
    const theirs = await context.newPage();
    await mine.goto(`${harness.app.origin}/flex/filters`);
    await theirs.goto(`${harness.app.origin}/flex/filters`);
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
    const prices = new Map(filters.warehouses.map((rule) => [String(rule.warehouseId), rule.minPriceCents]));
    expect([prices.get("nyc-dny4"), prices.get("nyc-dbk1")]).toEqual([9100, 7200]);
    expect(filters.schedule.map((day) => day.active)).toEqual([false, true, true, true, true, true, false]);
    expect(filters.schedule[6]?.start).toBe(0);
    await context.close();
  });

  it("show that warehouses could not be loaded, and load them on retry", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openDashboard(harness, actor, { clock: true });
    let isDown = true;
    await page.route("**/flex/v1/warehouses", (route) => (isDown ? route.abort() : route.fallback()));
    await page.goto(`${harness.app.origin}/flex/filters`);
    await advanceUntil(page, () => page.getByText("Could not load warehouses").isVisible());
    await page.getByRole("heading", { name: "Your schedule" }).waitFor();
    isDown = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await card(page, "Bethpage (DNY4)").waitFor();
    await context.close();
  });

  it("says in the bar why a save failed, until one succeeds, and saves presets and all warehouses", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openDashboard(harness, actor);
    await page.goto(`${harness.app.origin}/flex/filters`);
    await page.getByRole("button", { name: "Select all in New York City" }).click();
    await page.getByRole("button", { name: "Weekdays" }).click();
    await page.getByRole("button", { name: "Evenings" }).click();
    let isDown = true;
    await page.route("**/flex/v1/filters", (route) =>
      isDown && route.request().method() === "PUT" ? route.abort() : route.fallback(),
    );
    const bar = page.getByTestId("save-bar");
    await bar.getByRole("button", { name: "Save", exact: true }).click();
    await bar.getByText("Not saved. We couldn't reach the server.").waitFor();
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

  it("can be changed in the dashboard's sheet too", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openDashboard(harness, actor);
    await page.getByTestId("open-filters-sheet").click();
    const sheet = page.getByRole("dialog", { name: "Days and minimums" });
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

describe("earnings", () => {
  it("are on the dashboard by day, with a table for screen readers", async () => {
    const actor = await createActiveDriver(harness);
    const { drivers } = (await platformWorld({ fetch, origin: harness.app.origin })) as unknown as {
      drivers: { driverId: string; email: string }[];
    };
    await postJson({ fetch, origin: harness.app.origin }, "/sandbox/platform/blocks", {
      driverId: drivers.find(({ email }) => email === actor.email)?.driverId,
      warehouseId: actor.warehouseIds[0],
      startsAt: new Date(Date.now() - 168 * HOUR_MS).toISOString(),
      minutes: 120,
      payCents: 7_650,
    });
    const { page, context } = await openDashboard(harness, actor);
    const earnings = page.getByTestId("earnings");
    await earnings.getByRole("definition").filter({ hasText: "$76.50" }).waitFor();
    const row = earnings.getByRole("row").filter({ hasText: "$76.50" });
    const day = new Intl.DateTimeFormat("en-US", { weekday: "long", timeZone: "America/New_York" });
    expect(await row.innerText()).toContain(day.format(Date.now() - 168 * HOUR_MS));
    await context.close();
  });
});

describe("offers that were passed over", () => {
  it("are counted by reason, and what one change would let through is saved and undone with one tap", async () => {
    const actor = await createActiveDriver(harness);
    const [id] = actor.warehouseIds;
    const strict = permissiveFilters([permissiveWarehouseFilter(id!, { minPriceCents: 5_000 })]);
    const { filters: before } = await actor.client.saveFilters(strict);
    await publishOffer(harness, id!, { payCents: 9_000, inMinutes: 1_200 });
    const captured = () => actor.client.fetchJson<BlocksResponse>("GET", "/flex/v1/blocks?type=won");
    await expect.poll(async () => (await captured()).items).toHaveLength(1);
    for (const [index, payCents] of [4_800, 4_700, 4_600].entries())
      await publishOffer(harness, id!, { payCents, inMinutes: 120 + 200 * index });
    await publishOffer(harness, id!, { payCents: 9_500, inMinutes: 1_260 });
    const counted = async () =>
      (await actor.client.fetchJson<PassedOverResponse>("GET", "/flex/v1/blocks/passed-over")).groups.map(
        ({ offers }) => offers,
      );
    await expect.poll(counted).toEqual([3, 1]);

    const { page, context, errors } = await openDashboard(harness, actor);
    await page.goto(`${harness.app.origin}/flex/blocks?type=disliked`);
    const group = page.getByTestId("passed-over-group").filter({ hasText: "Under your minimum pay" });
    await group.getByText("3 offers · $141").waitFor();
    await group.getByText("2 more would have matched: $95").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await group.getByRole("button", { name: "Lower Bethpage (DNY4) to $47" }).click();
    await page.getByText("Saved: Lower Bethpage (DNY4) to $47").waitFor();
    expect((await actor.client.filters()).filters.warehouses[0]?.minPriceCents).toBe(4_700);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Your filters are as before").waitFor();
    expect((await actor.client.filters()).filters).toEqual(before);

    // In the details of one offer, down to what that one pays; another device saves before the undo.
    await page.getByTestId("offer-line").filter({ hasText: "$46" }).click();
    const sheet = page.getByRole("dialog");
    await sheet.getByRole("button", { name: "Lower Bethpage (DNY4) to $46" }).click();
    await sheet.getByText("Saved: Lower Bethpage (DNY4) to $46").waitFor();
    const { filters: elsewhere } = await actor.client.saveFilters({ ...before, minHourlyCents: 100 });
    await sheet.getByRole("button", { name: "Undo" }).click();
    await sheet.getByText("Your filters were changed somewhere else").waitFor();
    expect((await actor.client.filters()).filters).toEqual(elsewhere);

    // An overlap names the block that was held.
    await page.keyboard.press("Escape");
    await page.getByTestId("offer-line").filter({ hasText: "$95" }).click();
    await sheet.getByText("Your block", { exact: true }).waitFor();
    await sheet.getByText(/^Bethpage \(DNY4\), .*\d:\d\d\s[AP]M\sto/).waitFor();
    expect(errors.filter((error) => !error.includes("412"))).toEqual([]);
    await context.close();
  });
});

describe("a long list", () => {
  it("loads more on scrolling, and renders only visible rows", async () => {
    const actor = await createActiveDriver(harness);
    await actor.client.saveFilters(
      permissiveFilters([permissiveWarehouseFilter(actor.warehouseIds[0]!, { minPriceCents: 900_000 })]),
    );
    const COUNT = 64;
    for (let place = 0; place < COUNT; place += 1) {
      await publishOffer(harness, actor.warehouseIds[0]!, {
        inMinutes: 120 + place,
        payCents: 5_000 + place,
      });
    }
    const all = async () => {
      const items = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page: { items: unknown[]; cursor: string | null } = await actor.client.fetchJson(
          "GET",
          `/flex/v1/blocks?type=disliked${cursor && `&cursor=${cursor}`}`,
        );
        items.push(...page.items);
        cursor = page.cursor;
      }
      return items.length;
    };
    await expect.poll(all).toBe(COUNT);

    const { page, context } = await openDashboard(harness, actor, DESK);
    await page.goto(`${harness.app.origin}/flex/blocks?type=disliked`);
    const lines = page.getByTestId("offer-line");
    await lines.first().waitFor();
    expect(await lines.count()).toBeLessThan(50);
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4_000);
        return page.getByText("No more results").isVisible();
      })
      .toBe(true);
    expect(await page.getByTestId("block-list").getAttribute("aria-rowcount")).toBe(String(COUNT + 1));
    expect(await lines.count()).toBeLessThan(50);
    await context.close();
  });

  it("shows an error if it can't be loaded, and loads on retry", async () => {
    const { page, context } = await openDashboard(harness, await createActiveDriver(harness), {
      clock: true,
    });
    let isDown = true;
    await page.route("**/flex/v1/blocks?*", (route) =>
      isDown
        ? route.fulfill({ status: 500, headers: { "x-request-id": "7KQF2M9XT4" }, body: "no JSON" })
        : route.fallback(),
    );
    await page.goto(`${harness.app.origin}/flex/blocks`);
    const failed = page.getByRole("alert").filter({ hasText: "Error loading blocks:" });
    await advanceUntil(page, () => failed.getByText("Unknown error").isVisible());
    await failed.getByText("Reference: 7KQF2M9XT4").waitFor();
    await failed.getByRole("button", { name: "Copy reference" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    isDown = false;
    await failed.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No blocks yet").waitFor();
    await context.close();
  });
});

describe("every signed-in screen", () => {
  it.each([
    ["light", "phone", { colorScheme: "light" }],
    ["dark", "phone", { colorScheme: "dark" }],
    ["light", "desk", { colorScheme: "light", ...DESK }],
    ["dark", "desk", { colorScheme: "dark", ...DESK }],
  ] as const)("has no axe violations: %s, %s", async (_theme, _size, look) => {
    const actor = await createActiveDriver(harness);
    // Colors in transition would have the wrong contrast.
    const { page, context } = await openDashboard(harness, actor, { ...look, reducedMotion: "reduce" });
    await publishOffer(harness, actor.warehouseIds[0]!, { payCents: 9_900 });
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
    await page.goto(`${harness.app.origin}/flex/filters`);
    await page
      .getByRole("button", { name: /^Edit filters/ })
      .first()
      .click();
    await page.getByLabel("Minimum block pay").fill("");
    await inspect("filters");
    for (const type of ["won", "disliked", "lost"]) {
      await page.goto(`${harness.app.origin}/flex/blocks?type=${type}`);
      await page.getByRole("heading", { name: "My blocks" }).waitFor();
      await inspect(type);
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
