import { describe, expect, it } from "vitest";
import type { BlocksResponse, PassedOverResponse } from "../../../worker/contract/work/blocks.ts";
import { findViolations } from "../../support/accessibility.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../../support/sandbox-client.ts";
import {
  advanceUntil,
  createActiveDriver,
  DESK,
  openDashboard,
  publishOffer,
  type OpenHarness,
} from "../harness.ts";

const plain = (text: string) => text.replaceAll(/\s/g, " ");

/** Skipped offers, and the ones that a change of the filters would let through. */
export function describePassedOver(open: OpenHarness): void {
  describe("offers that were passed over", () => {
    it("are counted by reason, and what one change would let through is saved and undone with one tap", async () => {
      const actor = await createActiveDriver(open());
      const [id] = actor.warehouseIds;
      const strict = permissiveFilters([permissiveWarehouseFilter(id!, { minPriceCents: 5_000 })]);
      const { filters: before } = await actor.client.saveFilters(strict);
      await publishOffer(open(), id!, { payCents: 9_000, inMinutes: 1_200 });
      const captured = () => actor.client.fetchJson<BlocksResponse>("GET", "/flex/v1/blocks?type=won");
      await expect.poll(async () => (await captured()).items).toHaveLength(1);
      for (const [index, payCents] of [4_800, 4_700, 4_600].entries())
        await publishOffer(open(), id!, { payCents, inMinutes: 120 + 200 * index });
      await publishOffer(open(), id!, { payCents: 9_500, inMinutes: 1_260 });
      const passedOver = () => actor.client.fetchJson<BlocksResponse>("GET", "/flex/v1/blocks?type=disliked");
      await expect.poll(async () => (await passedOver()).items).toHaveLength(4);
      const { groups } = await actor.client.fetchJson<PassedOverResponse>(
        "GET",
        "/flex/v1/blocks/passed-over",
      );
      expect(groups.map(({ offers }) => offers)).toEqual([3, 1]);

      const { page, context, errors } = await openDashboard(open(), actor);
      // Captured ones have their total, and ticks that don't shine beside each other.
      await page.goto(`${open().app.origin}/flex/blocks?type=won`);
      const total = page.getByTestId("list-total");
      await expect.poll(() => total.innerText()).toMatch(/^1 in all\s+3\shr\s·\s\$90\.00$/);
      expect(await page.getByRole("main").locator(".bg-signal").count()).toBe(0);
      await page.goto(`${open().app.origin}/flex/blocks?type=disliked`);
      const group = page.getByTestId("passed-over-group").filter({ hasText: "Under your minimum pay" });
      await group.getByText("3 offers · $141").waitFor();
      await group.getByText("You'd have had 2 more: $95").waitFor();
      // Lines say when an offer was seen by the warehouse's clock, wherever the phone is.
      const seenAt = (await passedOver()).items.flatMap((item) =>
        item.type === "disliked" && item.offer.payCents === 4_600 ? [item.at] : [],
      );
      const clock = { hour: "numeric", minute: "2-digit", timeZone: "America/New_York" } as const;
      const cheapest = page.getByTestId("offer-line").filter({ hasText: "$46" });
      expect(seenAt).toHaveLength(1);
      for (const at of seenAt)
        expect(plain(await cheapest.innerText())).toContain(
          plain(new Intl.DateTimeFormat("en-US", clock).format(at)),
        );
      expect(await findViolations(page)).toEqual([]);
      await group.getByRole("button", { name: "Lower Bethpage (DNY4) to $47" }).click();
      await page.getByText("Saved: Lower Bethpage (DNY4) to $47").waitFor();
      expect((await actor.client.filters()).filters.warehouses[0]?.minPriceCents).toBe(4_700);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("Your filters are as before").waitFor();
      expect((await actor.client.filters()).filters).toEqual(before);

      // In the details of one offer, down to what that one pays; another device saves before the undo.
      await cheapest.click();
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

      // On the narrowest desk that has the table, a warehouse's name has room.
      await page.keyboard.press("Escape");
      await page.setViewportSize({ width: 1_216, height: 900 });
      const where = page.getByRole("columnheader", { name: "Where" });
      await where.waitFor();
      expect((await where.boundingBox())?.width).toBeGreaterThanOrEqual(180);
      expect(errors.filter((error) => !error.includes("412"))).toEqual([]);
      await context.close();
    });
  });
}

/** Blocks that were captured longer ago than the log remembers. */
export function describeOldCaptures(open: OpenHarness): void {
  describe("a block captured long ago", () => {
    it("is still listed, with the day of its capture", async () => {
      const actor = await createActiveDriver(open());
      const startsAt = Date.parse("2026-01-06T15:00:00Z");
      await open().app.sql(
        `INSERT INTO blocks_won (driver_id, block_id, offer_id, attempt_id, warehouse_id, service_type, starts_at, ends_at, pay_cents, currency, captured_at)
         VALUES (?, 'block-1', 'offer-1', 'attempt-1', ?, 'parcel', ?, ?, 9050, 'USD', ?)`,
        actor.driverId,
        actor.warehouseIds[0],
        startsAt,
        startsAt + 3 * 3_600_000,
        Date.parse("2026-01-05T21:30:00Z"),
      );
      const { page, context } = await openDashboard(open(), actor, DESK);
      await page.goto(`${open().app.origin}/flex/blocks?type=won`);
      // Time and day are held together by characters that don't break.
      await expect
        .poll(() => page.getByRole("main").innerText())
        .toMatch(/\$90\.50[^]*Jan\P{L}*5,\P{L}*4:30\P{L}*PM/u);
      await context.close();
    });
  });
}

/** A list of many pages. */
export function describeLongList(open: OpenHarness): void {
  describe("a long list", () => {
    it("loads more on scrolling, renders only visible rows, and all of them on paper", async () => {
      const actor = await createActiveDriver(open());
      await actor.client.saveFilters(
        permissiveFilters([permissiveWarehouseFilter(actor.warehouseIds[0]!, { minPriceCents: 900_000 })]),
      );
      const COUNT = 64;
      for (let place = 0; place < COUNT; place += 1) {
        await publishOffer(open(), actor.warehouseIds[0]!, {
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

      const { page, context } = await openDashboard(open(), actor, DESK);
      await page.goto(`${open().app.origin}/flex/blocks?type=disliked`);
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
      // After the page's own listener.
      await page.evaluate(() =>
        addEventListener("beforeprint", () => {
          const rows = document.querySelectorAll("[data-testid=offer-line]").length;
          document.documentElement.setAttribute("data-printed", String(rows));
        }),
      );
      await page.pdf();
      expect(await page.locator("html").getAttribute("data-printed")).toBe(String(COUNT));
      await expect.poll(() => lines.count()).toBeLessThan(50);
      await context.close();
    });

    it("shows an error if it can't be loaded, and loads on retry", async () => {
      const { page, context } = await openDashboard(open(), await createActiveDriver(open()), {
        clock: true,
      });
      let isDown = true;
      await page.route("**/flex/v1/blocks?*", (route) =>
        isDown
          ? route.fulfill({ status: 500, headers: { "x-request-id": "7KQF2M9XT4" }, body: "no JSON" })
          : route.fallback(),
      );
      await page.goto(`${open().app.origin}/flex/blocks`);
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
}
