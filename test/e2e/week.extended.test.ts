import { expect, it } from "vitest";
import type { ProposedGain } from "../../db/shapes/log/passed-over.ts";
import { findViolations } from "../support/accessibility.ts";
import { publishOffer } from "./harness.ts";
import { looksOfRun } from "./looks.ts";
import { openStories } from "./story.ts";

const LOOKS = [
  {
    locale: "en-US",
    title: "Weekly summary",
    empty: "Nothing captured or worked",
    one: "1 block",
    earlier: "Week before",
    before: "Week before:",
    since: "We have your blocks from",
    save: "Save",
  },
  {
    locale: "es-MX",
    title: "Resumen semanal",
    empty: "Nada capturado ni trabajado",
    one: "1 bloque",
    earlier: "Semana anterior",
    before: "Semana anterior:",
    since: "Conocemos tus bloques desde",
    save: "Guardar",
  },
  {
    locale: "pt-BR",
    title: "Resumo semanal",
    empty: "Nada capturado nem trabalhado",
    one: "1 bloco",
    earlier: "Semana anterior",
    before: "Semana anterior:",
    since: "Conhecemos seus blocos desde",
    save: "Salvar",
  },
] as const;

const tell = openStories();

it.each(looksOfRun(LOOKS))(
  "a driver of one day reads the week, and tries a change of the filters without saving it, in $locale",
  ({ locale, title, empty, one, earlier, before, since, save }) =>
    tell({ path: "/flex/week", locale }, async ({ harness, actor, page }) => {
      const [warehouseId] = actor.warehouseIds;
      if (!warehouseId) throw new Error("no warehouse");
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await page.getByText(empty).waitFor();
      expect(await page.getByRole("main").innerText()).not.toContain("NaN");
      expect(await findViolations(page)).toEqual([]);

      await publishOffer(harness, warehouseId, { inMinutes: 600, payCents: 8_800 });
      await expect
        .poll(async () => {
          const answer = await actor.client.fetchJson<{ total: { count: number } | null }>(
            "GET",
            "/flex/v1/blocks?type=won",
          );
          return answer.total?.count;
        })
        .toBe(1);
      await page.reload();
      await page.getByTestId("week-figures").getByText(one).first().waitFor();
      expect(await page.getByTestId("week-figures").innerText()).not.toContain("NaN");
      expect(await findViolations(page)).toEqual([]);
      // Of the weeks before nothing is known, and nothing is said.
      await page.getByText(since).waitFor();
      expect(await page.getByRole("link", { name: earlier }).count()).toBe(0);
      expect(await page.getByText(before).count()).toBe(0);

      const { filters, version } = await actor.client.filters();
      const [first, ...others] = filters.warehouses;
      if (!first) throw new Error("no filter");
      const strict = { ...first, minPriceCents: 9_000 };
      await actor.client.saveFilters({ ...filters, warehouses: [strict, ...others] });
      await publishOffer(harness, first.warehouseId, { inMinutes: 1_000, payCents: 7_500 });
      const week = () =>
        actor.client.fetchJson<{ monday: string; best: ProposedGain | null }>("GET", "/flex/v1/week");
      await expect.poll(async () => (await week()).best?.offers, { interval: 6_000 }).toBe(1);
      const { monday, best } = await week();
      if (best?.change.kind !== "min_price") throw new Error("another change");
      await page.goto(`${harness.app.origin}/flex/week?try=${monday}`);
      await page.getByRole("button", { name: save, exact: true }).first().waitFor();
      await page.waitForURL(/\/flex\/filters$/);
      expect(await actor.client.filters()).toMatchObject({ version: version + 1 });
      await page.getByRole("button", { name: save, exact: true }).first().click();
      const leastOf = async () => {
        const { warehouses } = (await actor.client.filters()).filters;
        return warehouses.find((filter) => filter.warehouseId === first.warehouseId)?.minPriceCents;
      };
      await expect.poll(leastOf).toBe(best.change.cents);
    }),
);
