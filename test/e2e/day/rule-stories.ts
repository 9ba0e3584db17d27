import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { addDays, mondayOf, todayAt } from "../../../web/features/filters/dates/dates.ts";
import { NO_LIMITS } from "../../../db/shapes/work/filters.ts";
import { dayKey } from "../../../web/features/language/format.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../../support/sandbox-client.ts";
import { makeExtraRule } from "../../engine/fixtures.ts";
import { createActiveDriver, openAs, openDashboard, publishOffer, type OpenHarness } from "../harness.ts";
import { looksOfRun } from "../looks.ts";
import { card } from "./day-harness.ts";

const LANGUAGES = looksOfRun([
  ["en", "en-US", { width: 390, height: 844 }],
  ["es", "es-MX", { width: 320, height: 640 }],
  ["pt", "pt-BR", { width: 1280, height: 900 }],
]);

/** Further rules, limits and dates, as a driver sets them. */
export function describeRules(open: OpenHarness): void {
  describe("the rules of a person's week", () => {
    it.each(LANGUAGES)("are set, said, taken back and saved in %s", async (language, locale, viewport) => {
      const text = messagesOf(language);
      const actor = await createActiveDriver(open());
      const look = { locale, viewport };
      // The address of the limits, below the warehouses, leads to them.
      const { page, context, errors } = await openAs(open(), actor, "/flex/filters#limits", look);
      const top = async () => (await page.locator("#limits").boundingBox())?.y;
      await expect.poll(top).toBeLessThan(viewport.height);
      const shop = card(page, "Maspeth (DBK1)");
      await shop.getByRole("button", { name: text("warehouse_edit", { name: "Maspeth (DBK1)" }) }).click();

      await shop.getByLabel(text("rule_min_price")).fill("90");

      // A new rule is the first one's copy, which says that it is useless until something in it is changed.
      await shop.getByRole("button", { name: text("rule_add") }).click();
      const extra = shop.getByTestId("extra-rule").first();
      const covered = shop.getByText(text("rule_covered", { name: text("rule_first") }));
      await covered.waitFor();
      expect(await focusedLabel(page)).toBe(text("rule_name"));
      await page.keyboard.type("Sunday");
      await extra.getByRole("switch", { name: text("rule_hours_own") }).click();
      await extra.getByLabel(text("rule_hours_from"), { exact: true }).selectOption("1080");
      await extra.getByLabel(text("rule_hours_to"), { exact: true }).selectOption("120");
      await extra.getByLabel(text("rule_min_price")).fill("40");
      await shop.getByRole("button", { name: text("rule_add") }).click();
      await covered.waitFor();
      expect(await findViolations(page)).toEqual([]);

      // Its way back has the focus, and so has the rule that comes back.
      await shop
        .getByRole("button", { name: text("rule_remove_named", { name: numbered(text, 3) }) })
        .click();
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent))
        .toBe(text("change_undo"));
      await page.keyboard.press("Enter");
      const second = shop.getByTestId("extra-rule").nth(1);
      await second.getByLabel(text("rule_min_hourly")).fill("45");
      await second.getByRole("button", { name: text("rule_up", { name: numbered(text, 3) }) }).press("Enter");
      await expect.poll(() => extra.innerText()).toContain(numbered(text, 2));
      expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-disabled"))).toBe("true");
      await extra.getByRole("button", { name: text("rule_copy") }).click();
      await shop
        .getByRole("button", { name: text("warehouse_done"), exact: true })
        .last()
        .click();
      await shop.getByText("Sunday:").waitFor();

      // A limit that is on without a figure keeps everything from being saved.
      await page.getByTestId("open-limits").click();
      const limits = page.getByTestId("limits-sheet");
      await limits.getByRole("switch", { name: text("limit_hours_day") }).click();
      await limits.getByText(text("field_between", { least: "0", most: "24" })).waitFor();
      await limits.getByRole("textbox", { name: text("limit_field_hours") }).fill("8.5");
      await limits.getByRole("switch", { name: text("limit_travel") }).click();
      await limits.getByRole("textbox", { name: text("limit_field_minutes") }).fill("45");
      await limits.getByText("Maspeth (DBK1)").first().waitFor();
      expect(await findViolations(page, { within: "dialog[open]" })).toEqual([]);
      await limits.getByRole("button", { name: text("warehouse_done") }).click();

      // Days off, and one week with another schedule.
      const today = todayAt(Date.now());
      const monday = addDays(mondayOf(today), 7);
      await page.getByTestId("open-dates").click();
      const dates = page.getByTestId("date-sheet");
      const choose = async (label: string, date: string) => {
        await dates.getByLabel(text("date_month", { label })).selectOption(date.slice(0, 7));
        await dates.getByLabel(text("date_day_of", { label })).selectOption(date);
      };
      await choose(text("date_from"), addDays(today, 8));
      await choose(text("date_to"), addDays(today, 10));
      expect(await findViolations(page, { within: "dialog[open]" })).toEqual([]);
      await dates.getByRole("button", { name: text("date_add") }).click();
      await page.getByTestId("date-exception").waitFor();
      await page.getByRole("button", { name: text("week_scope_next") }).click();
      await page.getByRole("button", { name: text("week_preset_weekend") }).click();
      await page.getByRole("button", { name: text("week_scope_every") }).click();
      await expect.poll(() => page.getByTestId("date-exception").count()).toBe(2);
      expect(await findViolations(page)).toEqual([]);
      await page.getByTestId("date-exception").first().getByRole("button").click();
      await expect.poll(() => page.getByTestId("date-exception").count()).toBe(1);
      await page.keyboard.press("Enter");
      await expect.poll(() => page.getByTestId("date-exception").count()).toBe(2);
      const focused = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
      expect(focused).toContain(text("date_remove", { dates: "" }).trim());

      await page
        .getByTestId("save-bar")
        .getByRole("button", { name: text("save_button"), exact: true })
        .click();
      await page.getByTestId("save-bar").waitFor({ state: "hidden" });
      const { filters } = await actor.client.filters();
      const rules = filters.warehouses.find(({ warehouseId }) => warehouseId === "nyc-dbk1")?.extraRules;
      expect(rules?.map(({ name, hours, minHourlyCents }) => [name, hours, minHourlyCents])).toEqual([
        ["", null, 4500],
        ["Sunday", { days: [6, 7], start: 1080, end: 120 }, 0],
      ]);
      const copied = filters.warehouses
        .filter(({ selected }) => selected)
        .map((rule) => rule.extraRules.length);
      expect(copied.toSorted()).toEqual([1, 1, 2]);
      expect(filters.limits).toEqual({
        blocksPerDay: null,
        minutesPerDay: 510,
        minutesPerWeek: null,
        restMinutes: null,
        travelMinutes: 45,
        weekGoalCents: null,
      });
      expect(
        filters.dates.map((date) => (date.kind === "week" ? [date.monday, active(date.schedule)] : date)),
      ).toEqual([{ kind: "off", from: addDays(today, 8), to: addDays(today, 10) }, [monday, [6, 7]]]);
      expect(active(filters.schedule)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(errors).toEqual([]);
      await context.close();
    });

    it.each(LANGUAGES)(
      "say on the dashboard what is used, which rule decided and what one change does, in %s",
      async (language, locale, viewport) => {
        const text = messagesOf(language);
        const actor = await createActiveDriver(open());
        const [warehouseId, otherId] = actor.warehouseIds;
        const saveLimits = (blocksPerDay: number) =>
          actor.client.saveFilters({
            ...permissiveFilters([permissiveWarehouseFilter(warehouseId!)]),
            limits: { ...NO_LIMITS, blocksPerDay, minutesPerWeek: 600 },
          });
        await saveLimits(2);
        const { page, context, errors } = await openDashboard(open(), actor, { locale, viewport });
        const lines = page.getByTestId("limits-used");
        const startsAt = Date.now() + 31 * 60_000;
        await publishOffer(open(), warehouseId!, { inMinutes: 30, payCents: 7_777 });
        await page
          .getByTestId("next-block")
          .getByText(/77[.,]77/)
          .first()
          .waitFor();
        // At night the block may be one of tomorrow.
        const usedNow = () => {
          const today = dayKey(Date.now(), "America/New_York");
          const startsOn = dayKey(startsAt, "America/New_York");
          return {
            blocks: startsOn === today ? 1 : 0,
            hours: mondayOf(startsOn) === mondayOf(today) ? 3 : 0,
          };
        };
        const saysUsed = (most: number) => async () => {
          const { blocks, hours } = usedNow();
          const said = (await lines.innerText()).replaceAll("\u00A0", " ");
          const figures = [
            { used: blocks, most },
            { used: hours, most: 10 },
          ];
          return figures.every((figure) =>
            said.includes(text("limit_used", { used: String(figure.used), most: String(figure.most) })),
          );
        };
        await expect.poll(saysUsed(2)).toBe(true);
        expect(await findViolations(page)).toEqual([]);
        await saveLimits(1);
        await expect.poll(saysUsed(1)).toBe(true);
        // Full today: tomorrow's are there, too.
        await expect.poll(() => lines.locator("dt").count()).toBe(usedNow().blocks === 1 ? 3 : 2);
        await page.emulateMedia({ colorScheme: "dark" });
        // On a phone they are below what is live, which they don't push down.
        const feed = page.getByTestId("feed");
        const [above, below] = await Promise.all([feed.boundingBox(), lines.boundingBox()]);
        if (viewport.width < 1024) expect(below?.y).toBeGreaterThan(above?.y ?? Infinity);

        // A reason names the rule that it is by, and its change is one of that rule; that of a limit is one of the limit.
        const rules = {
          ...permissiveWarehouseFilter(otherId!, { minPriceCents: 90_000, minHourlyCents: 90_000 }),
          extraRules: [makeExtraRule({ name: "Sunday", minPriceCents: 9_500 })],
        };
        await actor.client.saveFilters({
          ...permissiveFilters([permissiveWarehouseFilter(warehouseId!), rules]),
          limits: { ...NO_LIMITS, restMinutes: 600 },
        });
        await publishOffer(open(), otherId!, { inMinutes: 1_200, payCents: 9_000 });
        await publishOffer(open(), warehouseId!, { inMinutes: 250, payCents: 8_000 });
        const sheet = page.getByRole("dialog");
        await feed.getByText(/\(Sunday\)/).click();
        await sheet.getByText(text("offer_rule_named", { name: "Sunday" })).waitFor();
        await sheet.getByRole("button", { name: /Sunday .*: .*90/ }).waitFor();
        expect(await findViolations(page, { within: "dialog[open]" })).toEqual([]);
        await page.keyboard.press("Escape");
        await feed.getByText(text("reason_rest")).click();
        await sheet.getByRole("button", { name: text("change_rest", { figure: "40\u00A0min" }) }).click();
        await sheet.getByTestId("made-change").waitFor();
        const rest = async () => (await actor.client.filters()).filters.limits.restMinutes;
        expect(await rest()).toBe(40);
        await sheet.getByRole("button", { name: text("change_undo") }).click();
        await expect.poll(rest).toBe(600);
        expect(errors).toEqual([]);
        await context.close();
      },
    );
  });
}

const active = (schedule: readonly { active: boolean }[]) =>
  schedule.flatMap((day, index) => (day.active ? [index + 1] : []));

type Texts = (key: string, inputs?: Readonly<Record<string, string>>) => string;

const numbered = (text: Texts, number: number) => text("rule_numbered", { number: String(number) });

function messagesOf(language: string): Texts {
  const words: Record<string, unknown> = JSON.parse(
    readFileSync(new URL(`../../../locales/${language}.json`, import.meta.url), "utf8"),
  );
  return (key, inputs = {}) =>
    Object.entries(inputs).reduce(
      (text, [name, value]) => text.replace(`{${name}}`, value),
      String(words[key]),
    );
}

async function focusedLabel(page: Page): Promise<string | null> {
  return page.evaluate(() =>
    document.activeElement instanceof HTMLInputElement
      ? (document.activeElement.labels?.[0]?.textContent ?? null)
      : null,
  );
}
