import { afterAll, beforeAll, expect, it } from "vitest";
import {
  createActiveDriver,
  openDashboard,
  openE2eHarness,
  publishOffer,
  type E2eHarness,
} from "./harness.ts";

let harness: E2eHarness;

beforeAll(async () => {
  harness = await openE2eHarness();
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
  expect(await page.getByTestId("glance").innerText()).toContain("$99.50");
  const heights = await page
    .getByTestId("offer-line")
    .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
  expect(new Set(heights)).toEqual(new Set([56]));
  const menu = await page.getByTestId("language-menu").boundingBox();
  expect(menu?.width).toBeLessThanOrEqual(96);
  const tabs = page.getByRole("navigation", { name: "Main menu" }).getByRole("link");
  expect(await tabs.allInnerTexts()).toEqual(["Home", "My blocks", "Filters", "Payments"]);

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
