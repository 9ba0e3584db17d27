import { afterAll, beforeAll, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import {
  createActiveDriver,
  openDashboard,
  openE2eHarness,
  publishOffer,
  type E2eHarness,
} from "./harness.ts";

const PLATFORM_APP = "https://platform.example/blocks";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness({ GIVE_BACK_URL: PLATFORM_APP });
});
afterAll(() => harness.close());

it("a held block says until when it can be forfeited, where, and what else is offered then", async () => {
  const actor = await createActiveDriver(harness);
  const [warehouseId] = actor.warehouseIds;
  if (!warehouseId) throw new Error("no warehouse");
  const { page, context, errors } = await openDashboard(harness, actor);
  await publishOffer(harness, warehouseId, { inMinutes: 180, payCents: 8_800 });
  const next = page.getByTestId("next-block");
  await next.getByText("$88").first().waitFor();
  const line = await next.getByTestId("next-give-back").textContent();
  expect(line).toMatch(/^Free to forfeit until .*\d{1,2}:\d\d\s.M$/);

  await publishOffer(harness, warehouseId, { inMinutes: 200, payCents: 12_000 });
  await page.getByTestId("feed").getByText("$120").first().waitFor();
  await next.getByRole("button", { name: "Details" }).click();
  const details = page.getByTestId("won-details");
  await details.getByTestId("other-offers").getByText("$120").waitFor();
  const link = details.getByRole("link", { name: "Forfeit on the platform" });
  expect(await link.getAttribute("href")).toBe(PLATFORM_APP);
  expect(await findViolations(page)).toEqual([]);

  await page.goto(`${harness.app.origin}/flex/profile`);
  await page.getByText("When we notify you").click();
  await page.getByRole("switch", { name: "90 minutes before a block: Push" }).click();
  const saved = () => actor.client.fetchJson<{ give_back_90: object }>("GET", "/flex/v1/user/reminders");
  await expect.poll(async () => (await saved()).give_back_90).toEqual({ text: false, push: false });
  expect(errors).toEqual([]);
  await context.close();
});
