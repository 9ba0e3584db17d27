import { expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { makeExtraRule } from "../engine/fixtures.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";
import { card } from "./day/day-harness.ts";
import { DESK, publishOffer, type E2eHarness } from "./harness.ts";
import { looksOfRun } from "./looks.ts";
import { openStories, type ActiveDriver } from "./story.ts";

const tell = openStories();

/** Captures one block, and passes two offers over. */
async function livePast(actor: ActiveDriver, harness: E2eHarness): Promise<void> {
  const [id] = actor.warehouseIds;
  await actor.client.saveFilters(
    permissiveFilters([
      permissiveWarehouseFilter(id!, {
        minPriceCents: 5_000,
        extraRules: [makeExtraRule({ minPriceCents: 6_000 })],
      }),
    ]),
  );
  await publishOffer(harness, id!, { payCents: 9_000, inMinutes: 1_200 });
  for (const [index, payCents] of [4_800, 4_700].entries())
    await publishOffer(harness, id!, { payCents, inMinutes: 120 + 200 * index });
  const passed = () => actor.client.fetchJson<{ items: object[] }>("GET", "/flex/v1/blocks?type=disliked");
  await expect.poll(async () => (await passed()).items, { timeout: 20_000 }).toHaveLength(2);
}

it.each(
  looksOfRun([
    {
      locale: "en-US",
      viewport: { width: 390, height: 844 },
      scheme: "light",
      pay: "Minimum block pay",
      edit: "Edit filters for Bethpage (DNY4)",
      line: /Last 7 days: 3 blocks \(\$185\) instead of 1 block \(\$90\)/,
      gained: "Taken with your changes",
      rule: "First rule",
      secure: "Secure",
      tried: "Mode is tried here only.",
    },
    {
      locale: "es-US",
      ...DESK,
      scheme: "dark",
      pay: "Pago mínimo por bloque",
      edit: "Editar filtros de Bethpage (DNY4)",
      line: /Últimos 7 días: 3 bloques/,
      gained: "Se toman con tus cambios",
      rule: "Primera regla",
      secure: "Seguro",
      tried: "Aquí solo pruebas el modo.",
    },
    {
      locale: "pt-BR",
      viewport: { width: 320, height: 640 },
      scheme: "dark",
      pay: "Pagamento mínimo por bloco",
      edit: "Editar filtros de Bethpage (DNY4)",
      line: /Últimos 7 dias: 3 blocos/,
      gained: "Entram com suas mudanças",
      rule: "Primeira regra",
      secure: "Seguro",
      tried: "Aqui você só testa o modo.",
    },
  ] as const),
)(
  "says before a save what edited filters would have taken, and undoes them: $locale",
  ({ locale, viewport, scheme, pay, edit, line, gained, rule, secure, tried }) =>
    tell(
      { path: "/flex/filters", before: livePast, locale, viewport, colorScheme: scheme },
      async ({ actor, page }) => {
        const before = (await actor.client.filters()).filters;
        await card(page, "Bethpage (DNY4)").getByRole("button", { name: edit }).click();
        await card(page, "Bethpage (DNY4)").getByLabel(pay).fill("40");
        const open = page.getByTestId("open-replay");
        await open.getByText(line).waitFor();
        await open.click();
        const sheet = page.getByTestId("replay-sheet");
        await sheet.getByText(gained).waitFor();
        const offers = sheet.getByTestId("offer-line");
        await expect.poll(() => offers.count()).toBe(2);
        // The reasons are those of the nearest rule, by name.
        expect(await offers.first().innerText()).toContain(`(${rule})`);
        await offers.first().click();
        await sheet.getByTestId("replay-reasons").getByText(rule).waitFor();
        const asked = page.waitForRequest((request) => request.url().endsWith("/filters/replay"));
        await sheet.getByRole("button", { name: secure, exact: true }).click();
        expect((await asked).postDataJSON()).toMatchObject({ mode: "secure" });
        await sheet.getByText(tried, { exact: false }).waitFor();
        expect(await findViolations(page)).toEqual([]);
        const undo = sheet.getByRole("button").last();
        await undo.click();
        await open.waitFor({ state: "detached" });
        expect((await actor.client.filters()).filters).toEqual(before);
      },
    ),
);

it("says what will be there where a driver has no offers yet", () =>
  tell({ path: "/flex/filters" }, async ({ page }) => {
    await card(page, "Bethpage (DNY4)")
      .getByRole("button", { name: /^Edit filters/ })
      .click();
    await card(page, "Bethpage (DNY4)").getByLabel("Minimum block pay").fill("40");
    await page.getByTestId("open-replay").getByText("No past offers to check against yet.").click();
    await page.getByTestId("replay-sheet").getByText("No offers in that time yet").waitFor();
  }));
