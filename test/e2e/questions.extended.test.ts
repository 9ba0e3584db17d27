import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_NOTIFICATION_PREFERENCES } from "../../db/shapes/notifications.ts";
import { findViolations } from "../support/accessibility.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";
import {
  createActiveDriver,
  fetchAccepts,
  openAs,
  openDashboard,
  openE2eHarness,
  publishOffer,
  type ActiveDriver,
  type E2eHarness,
} from "./harness.ts";
import { looksOfRun } from "./looks.ts";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

const LANGUAGES = looksOfRun([
  ["en", "en-US", { width: 390, height: 844 }],
  ["es", "es-MX", { width: 1280, height: 900 }],
  ["pt", "pt-BR", { width: 320, height: 640 }],
] as const);

function messagesOf(language: string): (key: string) => string {
  const url = new URL(`../../locales/${language}.json`, import.meta.url);
  const texts: unknown = JSON.parse(readFileSync(url, "utf8"));
  return (key) => String(Reflect.get(Object(texts), key));
}

/** A driver whose rules ask, also by text. */
async function createAskedDriver(): Promise<ActiveDriver> {
  const driver = await createActiveDriver(harness);
  const asking = driver.warehouseIds
    .slice(0, 3)
    .map((id) => ({ ...permissiveWarehouseFilter(id), action: "ask" as const, askSeconds: 120 }));
  await driver.client.saveFilters(permissiveFilters(asking));
  const body = { ...DEFAULT_NOTIFICATION_PREFERENCES, question: { text: true, push: true } };
  expect((await driver.client.call("PUT", "/flex/v1/user/notifications", { body })).status).toBe(200);
  return driver;
}

/** The links of the texts that asked, the newest first. */
async function linksOf({ phoneNumber }: ActiveDriver): Promise<string[]> {
  const response = await fetch(
    `${harness.app.origin}/sandbox/sms?${new URLSearchParams({ to: phoneNumber })}`,
  );
  const { messages } = (await response.json()) as { messages: { body: string }[] };
  return messages.flatMap(({ body }) => /\/q#[\w-]{46}$/.exec(body)?.[0] ?? []);
}

const questionOf = (page: Page) => page.getByTestId("question");

describe("an offer that the driver is asked about", () => {
  it.each(LANGUAGES)(
    "is taken, passed on, or answered too late, in %s",
    async (language, locale, viewport) => {
      const text = messagesOf(language);
      const driver = await createAskedDriver();
      await driver.client.patchUser({ language, updateLanguage: true });
      const { page, context, errors } = await openDashboard(harness, driver, { locale, viewport });
      const card = questionOf(page);
      const button = (key: string) => card.getByRole("button", { name: text(key), exact: true });
      const [warehouseId] = driver.warehouseIds;

      await publishOffer(harness, warehouseId!, { inMinutes: 180 });
      await card.getByText(text("question_waiting")).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await button("question_take").click();
      await card.getByText(text("question_captured")).waitFor();
      expect(await fetchAccepts(harness)).toHaveLength(1);

      await publishOffer(harness, warehouseId!, { inMinutes: 600 });
      await button("question_pass").click();
      await card.getByText(text("question_passed")).waitFor();

      // The third is answered in a browser that isn't signed in, after the dashboard.
      await publishOffer(harness, warehouseId!, { inMinutes: 1_000 });
      await button("question_pass").waitFor();
      await expect.poll(async () => (await linksOf(driver)).length).toBe(3);
      const [link] = await linksOf(driver);
      const visitor = await harness.browser.newContext({ viewport, locale: "en-US" });
      const other = await visitor.newPage();
      await other.goto(`${harness.app.origin}${link}`);
      const take = questionOf(other).getByRole("button", { name: text("question_take"), exact: true });
      await take.waitFor();
      expect(other.url()).toBe(`${harness.app.origin}/q`);
      expect(await findViolations(other)).toEqual([]);
      await button("question_pass").click();
      await card.getByText(text("question_passed")).waitFor();
      await take.click();
      await questionOf(other).getByText(text("question_passed")).waitFor();
      expect(await fetchAccepts(harness)).toHaveLength(1);
      await other.goto(`${harness.app.origin}/q#short`);
      await other.getByRole("alert").waitFor();
      expect(errors).toEqual([]);
      await Promise.all([visitor.close(), context.close()]);
    },
  );

  it("is chosen in a rule, with the time to answer", async () => {
    const driver = await createActiveDriver(harness);
    const { page, context } = await openAs(harness, driver, "/flex/filters");
    await page.getByRole("button", { name: "Edit filters for Maspeth (DBK1)" }).click();
    expect(await page.getByText("Time to answer").count()).toBe(0);
    await page.getByRole("radio", { name: "Ask me" }).click();
    await page.getByRole("radio", { name: "30 sec" }).click();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Done", exact: true }).click();
    await page.getByText("asks you first (30 sec)").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const saved = async () => {
      const { filters } = await driver.client.fetchJson<{
        filters: { warehouses: { action: string; askSeconds: number }[] };
      }>("GET", "/flex/v1/filters");
      return filters.warehouses.filter(({ action }) => action === "ask").map(({ askSeconds }) => askSeconds);
    };
    await expect.poll(saved).toEqual([30]);
    await context.close();
  });
});
