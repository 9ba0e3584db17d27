import { afterAll, beforeAll, expect, it } from "vitest";
import type { BlocksResponse } from "../../worker/contract/work/blocks.ts";
import { measureOrder } from "../claims/in-page-order.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";
import {
  createActiveDriver,
  openDashboard,
  openE2eHarness,
  publishOffer,
  type E2eHarness,
} from "./harness.ts";

let harness: E2eHarness;

beforeAll(async () => {
  // Asks whether sessions may be recorded.
  harness = await openE2eHarness({
    RECORDING_SCRIPT_URL: "http://recorder.localhost/tag/1",
    RECORDING_ORIGINS: "http://recorder.localhost",
    OPS_URL: "http://ops.localhost",
  });
});
afterAll(() => harness.close());

it("the dashboard is read in the order in which its cards stand, with the glance in a phone's first 420 px", async () => {
  const actor = await createActiveDriver(harness);
  const { page, context } = await openDashboard(harness, actor);
  await page.getByText("Looking for blocks").first().waitFor();
  await publishOffer(harness, actor.warehouseIds[0]!, { payCents: 9_950 });
  await page.getByTestId("feed-won").getByText("$99.50").waitFor();
  await page.getByTestId("earnings").waitFor();

  await page.setViewportSize({ width: 375, height: 667 });
  const glance = await page.getByTestId("glance").boundingBox();
  expect((glance?.y ?? 0) + (glance?.height ?? 0)).toBeLessThan(420);
  await expect.poll(() => page.getByTestId("glance").innerText()).toContain("$99.50");
  const heights = await page
    .getByTestId("offer-line")
    .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
  expect(new Set(heights)).toEqual(new Set([56]));
  const menu = await page.getByTestId("language-menu").boundingBox();
  expect(menu?.width).toBeLessThanOrEqual(96);
  const tabs = page.getByRole("navigation", { name: "Main menu" }).getByRole("link");
  await expect.poll(() => tabs.allInnerTexts()).toEqual(["Home", "My blocks", "Filters", "Payments"]);

  for (const width of [375, 768, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const cards = await page.evaluate(() =>
      [...document.querySelectorAll("main section[data-testid]")]
        .filter((card) => card.checkVisibility() && !card.parentElement?.closest("section"))
        .map((card) => {
          const { left, top, bottom } = card.getBoundingClientRect();
          return { id: card.getAttribute("data-testid"), left, top, bottom };
        }),
    );
    // Each card stands below the one before it, beside it, or at the top of the next column.
    const misplaced = cards.filter((card, index) => {
      const before = cards[index - 1];
      return before && card.top < before.bottom && card.left <= before.left;
    });
    expect({ width, misplaced }).toEqual({ width, misplaced: [] });
    expect(cards.map(({ id }) => id).slice(0, 4)).toEqual(["system-card", "next-block", "feed", "today"]);
  }
  await context.close();
});

it("twenty offers are five and a link, of which a phone shows twelve at once, and below them is one question", async () => {
  const actor = await createActiveDriver(harness);
  // A driver with three captures is asked what they think, besides.
  await harness.app.sql(
    `INSERT INTO won_days (driver_id, day, currency, blocks, pay_cents, minutes) VALUES (?, 20000, 'USD', 3, 9000, 180)`,
    actor.driverId,
  );
  const [warehouseId] = actor.warehouseIds;
  if (warehouseId === undefined) throw new Error("there is no warehouse");
  const choosy = permissiveWarehouseFilter(warehouseId, { minPriceCents: 20_000 });
  await actor.client.saveFilters(permissiveFilters([choosy]));
  for (let index = 0; index < 20; index += 1)
    await publishOffer(harness, warehouseId, { inMinutes: 180 + index });
  const skipped = async () =>
    (await actor.client.fetchJson<BlocksResponse>("GET", "/flex/v1/blocks?type=disliked")).items.length;
  await expect.poll(skipped, { timeout: 20_000 }).toBe(20);
  const { page, context } = await openDashboard(harness, actor);
  const rows = page.getByTestId("offer-line");
  await rows.first().waitFor();
  await expect.poll(() => rows.count()).toBe(5);
  await page.getByTestId("feedback").waitFor({ state: "attached" });
  await page.getByTestId("recording").waitFor({ state: "attached" });
  const questions = page.getByTestId("asks").locator("section");
  await expect.poll(() => questions.count()).toBeGreaterThan(1);
  await expect.poll(() => questions.locator("visible=true").count()).toBe(1);
  const top = async (testId: string) => (await page.getByTestId(testId).boundingBox())?.y ?? 0;
  expect(await top("asks")).toBeGreaterThan(await top("feed"));

  await page.getByTestId("feed").getByRole("button", { name: "Show 15 more" }).click();
  await expect.poll(() => rows.count()).toBe(20);
  const shown = await rows.evaluateAll((lines) => {
    const header = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
    scrollBy({ top: (lines[0]?.getBoundingClientRect().top ?? 0) - header, behavior: "instant" });
    const tabs = [...document.querySelectorAll("nav")].find(
      (nav) => getComputedStyle(nav).position === "fixed" && nav.checkVisibility(),
    );
    const foot = tabs?.getBoundingClientRect().top ?? 0;
    return lines.filter((line) => {
      const { top: lineTop, bottom } = line.getBoundingClientRect();
      return lineTop >= header - 1 && bottom <= foot + 1;
    }).length;
  });
  expect(shown).toBe(12);
  await context.close();
});

it("paused cards are announced before the sum, on a desk and a phone", async () => {
  const actor = await createActiveDriver(harness);
  const { page, context } = await openDashboard(harness, actor);
  await page.route("**/flex/v1/plans", async (route) => {
    const response = await route.fetch();
    const plans: Record<string, unknown> = await response.json();
    await route.fulfill({ json: { ...plans, pausedUntil: Date.now() + 600_000 } });
  });
  await page.goto(`${harness.app.origin}/flex/payments`);
  const paused = page.getByText("You can try a card again", { exact: false }).first();
  await paused.waitFor();
  const summary = page.locator("section[aria-labelledby=pay-summary]");
  for (const width of [375, 1_440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(measureOrder)).toEqual([]);
    const tops = [await paused.boundingBox(), await summary.boundingBox()].map((box) => box?.y ?? 0);
    if (width === 375) expect(tops[0]).toBeLessThan(tops[1] ?? 0);
  }
  await context.close();
});
