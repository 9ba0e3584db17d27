import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createActiveDriver,
  openAs,
  openE2eHarness,
  publishOffer,
  type ActiveDriver,
  type E2eHarness,
} from "./harness.ts";

let harness: E2eHarness;
let actor: ActiveDriver;
beforeAll(async () => {
  harness = await openE2eHarness({
    CHATWOOT_URL: "http://chat.localhost",
    CHATWOOT_TOKEN: "web1",
    CHATWOOT_HMAC_KEY: "signing0",
    OPS_URL: "http://ops.localhost",
  });
  actor = await createActiveDriver(harness);
  await publishOffer(harness, actor.warehouseIds[0]!, { payCents: 9_950 });
});
afterAll(() => harness.close());

/** An iPhone on its side, in Safari: https://developer.apple.com/design/human-interface-guidelines/layout */
const ON_ITS_SIDE = { width: 852, height: 340 };
const NOTCH = 59;
const HOME_BAR = 21;

/** Lays the page out around what the device's display lacks. */
async function cutDisplay(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setSafeAreaInsetsOverride", {
    insets: { left: NOTCH, right: NOTCH, bottom: HOME_BAR },
  });
}

/** The texts and controls of the page, or of its open dialog, that are beneath the notch on either side. */
const findBeneath = (page: Page) =>
  page.evaluate((notch) => {
    const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
    const beneath: string[] = [];
    const note = (name: string, rects: Iterable<DOMRect>) => {
      for (const { left, right, width, height } of rects)
        if (width > 1 && height > 1 && (left < notch - 1 || right > innerWidth - notch + 1))
          beneath.push(`${name} ${Math.round(left)} to ${Math.round(right)}`);
    };
    const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!text.parentElement?.checkVisibility() || text.textContent?.trim() === "") continue;
      if (text.parentElement.closest(".sr-only")) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      note(text.textContent ?? "", range.getClientRects());
    }
    for (const control of top.querySelectorAll("button, a, input, select, textarea, [role=switch]"))
      if (control.checkVisibility() && !control.matches(".sr-only"))
        note(control.outerHTML.slice(0, 120), [control.getBoundingClientRect()]);
    return beneath;
  }, NOTCH);

describe("on a phone with a notch that lies on its side", () => {
  it.each([
    ["/flex/dashboard", "Earnings"],
    ["/flex/filters", "Your schedule"],
    ["/flex/payments", "Payment history"],
    ["/flex/profile", "Language and theme"],
    ["/flex/blocks", "My blocks"],
    ["/flex/hours", "Best hours"],
    ["/faqs", "Questions and answers"],
    ["/", "Pay for days, not for blocks"],
  ])("nothing of %s is beneath it", async (path, name) => {
    const { page, context } = await openAs(harness, actor, path, { viewport: ON_ITS_SIDE });
    await cutDisplay(page);
    await page.getByRole("heading", { name }).first().waitFor();
    expect(await findBeneath(page)).toEqual([]);
    await context.close();
  });

  it("nor anything of a sheet", async () => {
    const { page, context } = await openAs(harness, actor, "/flex/dashboard", { viewport: ON_ITS_SIDE });
    await cutDisplay(page);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "My profile" }).waitFor();
    expect(await findBeneath(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByTestId("offer-line").first().click();
    await page.getByRole("dialog").getByText("Hourly pay").waitFor();
    expect(await findBeneath(page)).toEqual([]);
    await context.close();
  });
});
