import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { createActiveDriver, openAs, openDashboard, returnTo, type OpenHarness } from "../harness.ts";
import { openConsole, pay, picture } from "./console-harness.ts";

/** The arrow keys, Home and End go from row to row of a table, and no further than its ends. */
async function walkRows(page: Page, table: string, rows: readonly string[]): Promise<void> {
  const focused = () => page.evaluate(() => document.activeElement?.querySelector("td")?.textContent);
  await page.getByRole("table", { name: table }).getByRole("row").nth(1).focus();
  const [first, second] = rows;
  for (const [key, row] of [
    ["ArrowUp", first],
    ["ArrowDown", second],
    ["End", rows.at(-1)],
    ["ArrowDown", rows.at(-1)],
    ["ArrowUp", rows.at(-2)],
    ["Home", first],
  ] as const) {
    await page.keyboard.press(key);
    expect([key, await focused()]).toEqual([key, row]);
  }
}

/** Keeps each word that the page's pictures write. */
async function readPlots(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const words: string[] = [];
    Object.assign(globalThis, { plotWords: words });
    const write = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (word, ...place) {
      words.push(word);
      write.call(this, word, ...place);
    };
  });
  return () => page.evaluate(() => (globalThis as unknown as { plotWords: string[] }).plotWords);
}

/** By how much each of the page's pictures is narrower than its place. */
const gapsOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("figure .uplot")].map((plot) =>
      Math.floor((plot.parentElement?.clientWidth ?? 0) - plot.clientWidth),
    ),
  );

/** Refunds, prices, the number of spots and the books. */
export function describeMoney(open: OpenHarness): void {
  describe("money", () => {
    it("an owner refunds half a payment, and the driver's open dashboard shows it", async () => {
      const driver = await createActiveDriver(open());
      const paymentId = await pay(open(), driver);
      await driver.client.fetchJson("GET", `/flex/v1/payments/${paymentId}`);
      const phone = await openDashboard(open(), driver);
      await phone.page.getByText("37 days left").first().waitFor();
      const { page, context, errors } = await openConsole(open(), "owner");
      await page.goto(`${open().app.origin}/ops/drivers/${driver.driverId}`);
      const wide = page.viewportSize();
      await page.setViewportSize({ width: 390, height: 844 });
      const button = await page.getByRole("button", { name: "Refund", exact: true }).boundingBox();
      expect((button?.x ?? 390) + (button?.width ?? 0)).toBeLessThanOrEqual(390);
      if (wide) await page.setViewportSize(wide);
      await page.getByRole("button", { name: "Refund", exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Amount (USD)").fill("99");
      await dialog.getByLabel("Why").fill("half a week without offers");
      await picture(page, "refund");
      await dialog.getByRole("button", { name: "Refund" }).click();
      await dialog.getByText("That is too much.").waitFor();
      await dialog.getByLabel("Amount (USD)").fill("25.11");
      await dialog.getByRole("button", { name: "Refund" }).click();
      await dialog.waitFor({ state: "hidden" });
      await page.getByRole("table", { name: "Payments" }).getByText("$25.11").waitFor();
      await phone.page
        .getByText(/3[34]\sdays\sleft/)
        .first()
        .waitFor();
      await picture(page, "driver-owner");
      expect(await findViolations(page)).toEqual([]);
      expect(errors.filter((error) => !error.includes("400"))).toEqual([]);
      await context.close();
      await phone.context.close();
    });

    it("a sale is made and a list price changed, and a driver's open payment screen follows; a city gets more spots", async () => {
      const driver = await createActiveDriver(open());
      const phone = await openAs(open(), driver, "/flex/payments?plan=14days");
      await phone.page.getByTestId("total").waitFor();
      const { page, context, errors } = await openConsole(open(), "owner");
      await page.getByRole("link", { name: "Prices" }).click();
      await walkRows(page, "List prices", ["3 days", "7 days", "14 days", "30 days"]);
      await page.getByRole("button", { name: "Make a sale" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Price (USD)").fill("69.99");
      await dialog.getByText(/\$89\.99 → \$69\.99/).waitFor();
      await dialog.getByLabel("Why").fill("a quiet month");
      await picture(page, "sale");
      await dialog.getByRole("button", { name: "Make a sale" }).click();
      await page.getByRole("table", { name: "Sales" }).getByText("$69.99").waitFor();
      await picture(page, "prices");
      expect(await findViolations(page)).toEqual([]);
      await returnTo(phone.page);
      await phone.page.getByText("$69.99").first().waitFor();
      await page.getByRole("button", { name: "End", exact: true }).click();
      await dialog.getByLabel("Why").fill("it is over");
      await dialog.getByRole("button", { name: "End a sale" }).click();
      await page.getByText("No sale holds, and none is ahead.").waitFor();
      await page.getByRole("button", { name: "Change a list price" }).click();
      await dialog.getByLabel("Price (USD)").fill("0.10");
      await dialog.getByText("That is too little.").waitFor();
      await dialog.getByLabel("Price (USD)").fill("94.99");
      await dialog.getByRole("status", { name: "What drivers will pay" }).getByText("$94.99").waitFor();
      await dialog.getByLabel("Why").fill("a new year");
      await picture(page, "list-price");
      expect(await findViolations(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Change a list price" }).click();
      await page.getByRole("table", { name: "List prices" }).getByText("$94.99").waitFor();
      await returnTo(phone.page);
      await phone.page.getByText("$94.99").first().waitFor();
      await open().app.sql(`DELETE FROM plans WHERE id LIKE 'operator:%'`);
      await page.getByRole("link", { name: "Cities" }).click();
      await page.getByRole("button", { name: "Change the number" }).first().click();
      const typed = () => Promise.all(["Spots", "Why"].map((label) => dialog.getByLabel(label).inputValue()));
      expect(await typed()).toEqual(["", ""]);
      await dialog.getByLabel("Spots").fill("50");
      await dialog.getByLabel("Why").fill("more drivers");
      await picture(page, "spots");
      await dialog.getByRole("button", { name: "Change the number" }).click();
      await page.getByRole("table", { name: "Cities" }).getByText("50", { exact: true }).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await picture(page, "cities");
      await open().app.sql(`DELETE FROM city_spots`);
      // The price that was too low to be previewed.
      expect(errors.filter((error) => !error.includes("400"))).toEqual([]);
      await context.close();
      await phone.context.close();
    });

    it("revenue shows a payment made and refunded, and the table comes as a file", async () => {
      const driver = await createActiveDriver(open());
      const paymentId = await pay(open(), driver);
      await driver.client.fetchJson("GET", `/flex/v1/payments/${paymentId}`);
      const { page, context, errors } = await openConsole(open(), "owner");
      await page.goto(`${open().app.origin}/ops/drivers/${driver.driverId}`);
      await page.getByRole("button", { name: "Refund", exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Amount (USD)").fill("10.22");
      await dialog.getByLabel("Why").fill("a day without offers");
      await dialog.getByRole("button", { name: "Refund" }).click();
      await dialog.waitFor({ state: "hidden" });
      const [day, now] = [86_400_000, Date.now()];
      await open().app.sql(
        `INSERT INTO payment_disputes SELECT 'du_story', id, 'needs_response', 'product_not_received', total_cents, 1500, ${now + 2 * day}, ${now} FROM payments WHERE id = '${paymentId}'`,
      );
      await page.getByRole("link", { name: "Money" }).click();
      await page.getByRole("button", { name: "Today" }).click();
      const refunds = page.getByRole("table", { name: "Refunds" });
      await refunds.getByText("$10.22").first().waitFor();
      await page.getByRole("table", { name: "Payments" }).getByText("$50.22").first().waitFor();
      await page
        .getByRole("table", { name: "Disputes" })
        .getByText("Send evidence in Stripe's dashboard.")
        .waitFor();
      await page.getByRole("table", { name: "Revenue by plan" }).getByText("7 days").waitFor();
      expect(new URL(page.url()).searchParams.get("from")).toBe(new URL(page.url()).searchParams.get("to"));
      const shown = Math.floor(Date.parse(new URL(page.url()).searchParams.get("from") ?? "") / day);
      for (const [unit, cents] of [
        ["USD", 717],
        ["MXN", 9062],
      ] as const)
        await open().app.sql(
          `INSERT INTO journal (entry, account, unit, amount, day, at) VALUES
            ('story', 'service_owed', '${unit}', ${cents}, ${shown}, ${now}), ('story', 'revenue', '${unit}', ${-cents}, ${shown}, ${now})`,
        );
      await open().app.sql(
        `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
          VALUES ('pesos', '${driver.driverId}', '14days', 'paid', 'MXN', 8999, 0, 0, 0, 63, 9062, 0, ${now}, ${now}, 1)`,
      );
      const plotWords = await readPlots(page);
      await page.reload();
      // A picture for each currency: two are never added.
      await page.getByRole("heading", { name: "Also in MXN" }).waitFor();
      await page.getByRole("heading", { name: "Paid and given back, by day (MXN)" }).waitFor();
      await page
        .getByTestId("money-MXN")
        .getByText(/90\.62/)
        .first()
        .waitFor();
      await page.getByRole("table", { name: "Revenue by plan (MXN)" }).getByText("14 days").waitFor();
      expect(await page.getByTestId("money").innerText()).not.toContain("90.62");
      await page.getByRole("heading", { name: "Revenue earned by day, USD" }).waitFor();
      await page.getByRole("heading", { name: "Revenue earned by day, MXN" }).waitFor();
      await page.getByText(/^\$7\.17 in these days/).waitFor();
      await page.getByText(/90\.62 in these days/).waitFor();
      for (const unit of ["USD", "MXN", "Service time", "Points"])
        await page.getByRole("table", { name: `Trial balance: ${unit}` }).waitFor();
      // The pictures of one day are of its hours.
      await expect.poll(plotWords).toContainEqual(expect.stringMatching(/\d\s[AP]M$/));
      expect((await plotWords()).filter((word) => /\b20\d\d$/.test(word))).toEqual([]);
      await page.getByRole("table", { name: "Payments" }).getByRole("row").nth(1).focus();
      await page.keyboard.press("End");
      expect(await findViolations(page)).toEqual([]);
      // The pictures are as wide as their place, also after it became another.
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await expect.poll(() => gapsOf(page)).toEqual([0, 0, 0, 0]);
      }
      await picture(page, "money");
      await page.getByRole("button", { name: "CSV: Refunds" }).click();
      await page.getByRole("dialog").getByLabel("Why").fill("the month's books");
      const waiting = page.waitForEvent("download");
      await page.getByRole("dialog").getByRole("button", { name: "Download" }).click();
      const file = await readFile(await (await waiting).path(), "utf8");
      expect(file.split("\r\n")[0]).toBe("\uFEFFWhen (UTC),Driver,ID,What,Plan,Currency,Amount,Of");
      expect(file).toContain(",USD,10.22,50.22\r\n");
      await page.getByRole("link", { name: "Log" }).click();
      await page.getByText("the month's books").waitFor();
      expect(errors).toEqual([]);
      await context.close();
    });
  });
}
