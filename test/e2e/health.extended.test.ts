import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod/mini";
import { LANGUAGES } from "../../db/shapes/language.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { formatMessage } from "../../locales/format-message.ts";
import { formatServiceTime } from "../../locales/format.ts";
import { findViolations } from "../support/accessibility.ts";
import { postJson } from "../support/sandbox-client.ts";
import { createActiveDriver, openDashboard, openE2eHarness, type E2eHarness } from "./harness.ts";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
  const now = Date.now();
  const put = (city: string, back: number, state: string, shared: string, ms: [number, number, number]) =>
    harness.app.sql(
      `INSERT INTO city_days (day, city, time_zone, state, since, shared, counted_at, working_ms, slow_ms, down_ms)
       VALUES (?, ?, 'UTC', ?, ?, ?, ?, ?, ?, ?)`,
      Math.floor(now / DAY_MS) - back,
      city,
      state,
      now - 18 * 60_000,
      shared,
      now,
      ...ms,
    );
  for (let back = 20; back > 0; back -= 1)
    await put("New York", back, "working", "[]", [
      20 * HOUR_MS,
      back === 9 ? HOUR_MS : 0,
      back === 4 ? HOUR_MS : 0,
    ]);
  await put("New York", 0, "down", '["unreachable"]', [9 * HOUR_MS, 0, HOUR_MS]);
  await put("Boston", 0, "working", "[]", [9 * HOUR_MS, 0, 0]);
  for (const city of ["New York", "Boston"])
    await harness.app.sql(
      `INSERT INTO spots (driver_id, city, status, since, check_at) VALUES (?, ?, 'held', 1, ?)`,
      `of ${city}`,
      city,
      now + DAY_MS,
    );
});
afterAll(() => harness.close());

it("the platform's status is public, in three languages, before and after the page has come to life", async () => {
  const served = await (await fetch(`${harness.app.origin}/pt/health`)).text();
  expect(served.match(/Sem resposta desde|Funcionando<\/p>/g)).toHaveLength(2);
  expect(served).not.toMatch(/data-case|__\w+__/);
  const context = await harness.browser.newContext({ locale: "es-MX", serviceWorkers: "block" });
  const page = await context.newPage();
  await page.goto(`${harness.app.origin}/health`);
  const cities = page.getByTestId("health-cities").getByRole("listitem");
  await cities.filter({ hasText: "New York" }).getByText("No responde desde").waitFor();
  await page.mouse.move(5, 5);
  await page.mouse.move(9, 9);
  await cities.filter({ hasText: "Boston" }).getByText("Funciona").waitFor();
  await expect.poll(() => cities.count()).toBe(2);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("contentinfo").getByRole("link", { name: "Estado de la plataforma" }).waitFor();
  await context.close();
});

it("a driver without answers reads whether others have none either", async () => {
  const actor = await createActiveDriver(harness);
  await harness.app.sql(`UPDATE spots SET city = 'New York' WHERE driver_id = ?`, actor.driverId);
  const { page, context } = await openDashboard(harness, actor);
  await page.getByText("Looking for blocks").first().waitFor();
  const others = page.getByTestId("others");
  expect(await others.count()).toBe(0);
  await postJson({ fetch, origin: harness.app.origin }, "/sandbox/faults", { operation: "*", fault: "503" });
  await others.getByText("The platform hasn't been answering drivers in New York since").waitFor();
  await others.getByText("You don't need to do anything.").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await others.getByRole("link", { name: "Platform status" }).click();
  await page.getByRole("heading", { level: 1, name: "Platform status" }).waitFor();
  await context.close();
});

it("a driver reads how long we couldn't look, and what came back for it", async () => {
  const actor = await createActiveDriver(harness);
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  const nameOf = (days: number) =>
    daysAgo(days).toLocaleDateString("en-US", {
      weekday: "short",
      month: "short",
      day: "numeric",
      timeZone: "UTC",
    });
  const put = (days: number, lostMs: number, givenMs: number) => {
    const date = daysAgo(days).toISOString().slice(0, 10);
    return harness.app.sql(
      `INSERT INTO lost_days VALUES (?, ?, ?, ?, 1)`,
      actor.driverId,
      date,
      lostMs,
      givenMs,
    );
  };
  await put(2, 130 * 60_000, 130 * 60_000);
  await put(5, 20 * 60_000, 0);
  const { page, context } = await openDashboard(harness, actor);
  const latest = page.getByTestId("lost-day");
  await latest.getByText(`We couldn't check offers for 2 hr 10 min on ${nameOf(2)}`).waitFor();
  await latest.getByText("2 hr 10 min added to your service").waitFor();
  // Below all that is live.
  const feed = page.getByTestId("feed");
  expect(
    await latest.evaluate((line, above) => above.compareDocumentPosition(line), await feed.elementHandle()),
  ).toBe(4);
  await latest.click();
  const rows = page.getByTestId("lost-days").getByRole("listitem");
  await rows
    .first()
    .getByText(`We couldn't check offers for 2 hr 10 min on ${nameOf(2)}`)
    .waitFor();
  await rows.first().getByText("2 hr 10 min added to your service").waitFor();
  await rows.nth(1).getByText("Not added to your service").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await context.close();
});

it("the terms, the questions and the landing page promise the same time back in each language, and the terms link to the status", async () => {
  const read = async (path: string) =>
    (await (await fetch(`${harness.app.origin}${path}`)).text()).replaceAll("&#x27;", "'");
  const { daysBackMinutes } = z.parse(
    z.object({ daysBackMinutes: z.int() }),
    JSON.parse(await read("/status/config")),
  );
  const product = "Jornada";
  for (const language of LANGUAGES) {
    const length = formatServiceTime(language, daysBackMinutes * MINUTE_MS);
    const promise = formatMessage(language, "terms_days_back", { product, length });
    const short = formatMessage(language, "landing_promise_days_text", { product, length });
    const [terms, faqs, landing] = await Promise.all(
      ["terms", "faqs", ""].map((page) => read(`/${language}/${page}`)),
    );
    const says = [terms?.includes(promise), faqs?.includes(promise), landing?.includes(short)];
    expect([
      ...says,
      terms?.match(/<li id="promise".*?<\/li>/)?.[0].includes(`href="/${language}/health"`),
    ]).toEqual([true, true, true, true]);
  }
});
