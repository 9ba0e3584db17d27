import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { prepare, readShift } from "../matrix/in-page.ts";
import { findViolations } from "../support/accessibility.ts";
import { permissiveFilters, permissiveWarehouseFilter, postJson } from "../support/sandbox-client.ts";
import type { User } from "../../worker/contract/account/user.ts";
import {
  createActiveDriver,
  openDashboard,
  openE2eHarness,
  publishOffer,
  type ActiveDriver,
  type E2eHarness,
} from "./harness.ts";

let harness: E2eHarness;
let actor: ActiveDriver;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  actor = await createActiveDriver(harness);
});

const target = () => ({ fetch, origin: harness.app.origin });
const fault = (given: object) => postJson(target(), "/sandbox/faults", { operation: "*", ...given });
const light = (page: Page) => page.getByTestId("system-switch").getAttribute("data-light");
const record = async () => (await actor.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user")).Item;
const topOf = async (page: Page) => (await page.getByTestId("system-switch").boundingBox())?.y;

/** The elements with the signal's color beside the switch's card and the captures. */
const limeElsewhere = (page: Page) =>
  page.evaluate(() => {
    const colorOf = (element: Element) => getComputedStyle(element).backgroundColor;
    const track = document.querySelector('[data-light="answering"]');
    if (!track) return ["the switch, which does not shine"];
    const signal = colorOf(track);
    return [...document.querySelectorAll("main *")]
      .filter((element) => colorOf(element) === signal && element.checkVisibility())
      .filter((element) => !element.closest('[data-testid="system-card"], [data-outcome="won"]'))
      .map((element) => element.outerHTML.slice(0, 120));
  });

describe("the light of the switch", () => {
  it("shines while the platform answers, and the pulse counts answers only", async () => {
    const { page, context } = await openDashboard(harness, actor);
    await page.getByText("Looking for blocks").first().waitFor();
    await page.getByText("Checked just now").waitFor();
    expect(await light(page)).toBe("answering");

    await fault({ fault: "503" });
    await page.getByText("The platform isn't answering").waitFor();
    expect(await light(page)).toBe("waiting");
    await page
      .getByTestId("last-answer")
      .getByText(/^Last answer \d+\ssec/)
      .waitFor();
    await page.getByText(/Next try in 0:\d\d/).waitFor();
    const answers = () => page.getByTestId("pulse").locator(".bg-signal").count();
    expect(await answers()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    await context.close();
  });

  it("waits with a clock that runs down when the platform asks for a pause", async () => {
    const { page, context } = await openDashboard(harness, actor);
    await fault({ fault: "429", retryAfter: 3_000 });
    await page.getByText(/^Waiting until/).waitFor();
    expect(await light(page)).toBe("waiting");
    await page.getByText(/Next try in (49|50):\d\d/).waitFor();
    await context.close();
  });

  it("asks for the driver with the one action that mends it", async () => {
    const { page, context } = await openDashboard(harness, actor);
    await harness.app.sql(`DELETE FROM service_credits WHERE driver_id = ?`, actor.driverId);
    await actor.client.patchUser({ mode: "secure" });
    await page.getByText("No days of service").first().waitFor();
    expect(await light(page)).toBe("action_required");
    const action = page.getByTestId("system-card").getByRole("link", { name: "See plans" });
    const widthOf = async (part: Locator) => (await part.boundingBox())?.width ?? 0;
    // Its parts come one after the other, and have no box before.
    await expect
      .poll(async () => (await widthOf(action)) / (await widthOf(page.getByTestId("system-card"))))
      .toBeGreaterThan(0.85);
    await context.close();
  });

  it("is out when it is off", async () => {
    await actor.client.patchUser({ phoneNumber: actor.phoneNumber, userDisabled: 1 });
    const { page, context } = await openDashboard(harness, actor);
    await page.getByText("We won't capture anything until you turn it on.").waitFor();
    expect(await light(page)).toBe("off");
    await context.close();
  });
});

describe("one glance on a phone", () => {
  it("has state, mode and next block in the first screen, and nothing that arrives moves the switch", async () => {
    const { page, context } = await openDashboard(harness, actor);
    await page.getByText("Looking for blocks").first().waitFor();
    const before = await topOf(page);
    const heightOfNext = async () => (await page.getByTestId("next-block").boundingBox())?.height ?? 0;
    const room = await heightOfNext();
    const mode = await page.getByTestId("mode").boundingBox();
    expect((mode?.y ?? 999) + (mode?.height ?? 0)).toBeLessThan(420);

    await publishOffer(harness, actor.warehouseIds[0]!, { payCents: 10_150 });
    await page.getByTestId("feed-won").getByText("$101.50").waitFor();
    expect(await topOf(page)).toBe(before);
    // Where nothing is held there is room for a block; an address may take a line more.
    expect(Math.abs((await heightOfNext()) - room)).toBeLessThanOrEqual(24);
    expect(await limeElsewhere(page)).toEqual([]);
    const feed = await page.getByTestId("feed").boundingBox();
    expect(feed?.y).toBeLessThan(844);
    await context.close();
  });

  it("keeps what was captured today above all other offers, and shows the blocks of the week", async () => {
    const { page, context } = await openDashboard(harness, actor);
    await publishOffer(harness, actor.warehouseIds[0]!, { payCents: 10_150 });
    await page.getByTestId("feed-won").getByText("$101.50").waitFor();
    const cheap = permissiveWarehouseFilter(actor.warehouseIds[0]!, { minPriceCents: 8_000 });
    await actor.client.saveFilters(permissiveFilters([cheap]));
    for (const index of [0, 1, 2])
      await publishOffer(harness, actor.warehouseIds[0]!, {
        inMinutes: 400 + index,
        payCents: 7_000 + index,
      });
    await page.getByText("$70.02").waitFor();
    const lines = await page.getByTestId("feed").getByTestId("offer-line").allInnerTexts();
    expect(lines[0]).toContain("$101.50");
    expect(lines[0]).toMatch(/ago|now/);
    // The tick says that it was captured: only the lines of others show words.
    const words = page
      .getByTestId("feed-won")
      .getByTestId("offer-line")
      .getByText("Captured", { exact: true });
    expect((await words.boundingBox())?.width).toBeLessThanOrEqual(1);

    await page.getByTestId("week-strip").click();
    await page.waitForURL("**/flex/blocks?type=upcoming");
    await page.getByTestId("offer-line").getByText("$101.50").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await context.close();
  });

  it("changes the mode by its three parts, with the keyboard too", async () => {
    const { page, context } = await openDashboard(harness, actor);
    await page.getByRole("radio", { name: "Turbo" }).focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(async () => (await record()).mode).toBe("secure");
    await page.getByRole("switch", { name: "Whole Foods only" }).click();
    await expect.poll(async () => (await record()).specialMode).toBe("wf");
    await context.close();
  });
});

describe("the dashboard", () => {
  it.each([
    ["a phone", { viewport: { width: 390, height: 844 } }],
    ["a desk", { viewport: { width: 1440, height: 900 } }],
  ])("stays where it is on %s when a block is captured", async (_name, look) => {
    const [id] = actor.warehouseIds;
    await publishOffer(harness, id!, { payCents: 8_000, inMinutes: 90 });
    const { page, context } = await openDashboard(harness, actor, look);
    await page.addInitScript(prepare, 100);
    await page.reload();
    await page.getByTestId("next-block").getByText("$80").first().waitFor();
    await page.getByTestId("earnings").waitFor();
    expect(await page.evaluate(() => Reflect.has(globalThis, "layoutShifts"))).toBe(true);
    const before = await page.evaluate(readShift);
    await publishOffer(harness, id!, { payCents: 9_100, inMinutes: 900 });
    await page.getByTestId("feed-won").getByText("$91").waitFor();
    const after = await page.evaluate(readShift);
    expect(after.sum - before.sum, after.worst).toBeLessThanOrEqual(0.02);
    await context.close();
  });
});
