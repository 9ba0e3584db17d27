import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { platformWorld, postJson } from "../support/sandbox-client.ts";
import {
  createActiveDriver,
  openAs,
  openDashboard,
  openE2eHarness,
  publishOffer,
  type E2eHarness,
} from "./harness.ts";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

type Look = { viewport?: { width: number; height: number }; locale?: string; colorScheme?: "light" | "dark" };

/** A day of what the fleet counted, opinions and errors, so that no screen is empty. */
async function addPast(driverId: string): Promise<void> {
  const { sql } = harness.app;
  const hour = Math.floor(Date.now() / 3_600_000);
  for (let back = 0; back < 24; back += 1) {
    await sql(
      `INSERT OR REPLACE INTO fleet_hours (hour, shard, captures, losses, answered, failed, limited, late_50, late_250) VALUES (?, 3, ?, ?, 9000, ?, 12, 8000, 900)`,
      hour - back,
      (back * 7) % 12,
      (back * 5) % 23,
      back === 6 ? 140 : back % 3,
    );
  }
  const opinion = (id: string, score: number, comment: string | null, at: number) =>
    sql(`INSERT OR REPLACE INTO feedback VALUES (?, ?, ?, ?, ?)`, id, driverId, score, comment, at);
  await opinion("o-1", 9, "Captured three blocks on my first evening.", Date.now() - 1000);
  await opinion(
    "o-2",
    4,
    "The texts come too late, and I'd like a quieter one at night.",
    Date.now() - 9 * 86_400_000,
  );
  await sql(
    `INSERT OR REPLACE INTO error_groups VALUES ('g', 'error_page', 'TypeError', 'Cannot read properties of undefined', 'render feed.js', 41, 7, ?, ?, 'req-1', 'at render (feed.js:1:3812)', NULL)`,
    Date.now() - 86_400_000,
    Date.now() - 60_000,
  );
}

/** The console, signed in at the sandbox's Access. */
async function openConsole(as: "owner" | "support", look: Look = {}) {
  const context = await harness.browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: "en-US",
    serviceWorkers: "block",
    ...look,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(`${harness.app.origin}/sandbox/access?as=${as}`);
  await page.getByRole("heading", { level: 1, name: /^(Fleet|Flota|Frota)$/ }).waitFor();
  return { page, context, errors };
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env["CONSOLE_PICTURES"];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

async function pay(driver: {
  client: { sealed: (...given: [string, string, unknown]) => Promise<Response> };
}) {
  const response = await driver.client.sealed("POST", "/flex/v1/payments/prepare", {
    plan: "7days",
    points: 0,
    totalCents: 5022,
    lastPaymentId: null,
  });
  const { paymentId, clientSecret } = (await response.json()) as { paymentId: string; clientSecret: string };
  const target = { fetch, origin: harness.app.origin };
  await postJson(target, `/sandbox/stripe/intents/${clientSecret.split("_secret_")[0]}/pay`, {});
  return paymentId;
}

it("leaves no trace in what a driver loads, and opens to nobody without a sign-in", async () => {
  const { origin } = harness.app;
  const read = async (path: string) => (await fetch(`${origin}${path}`)).text();
  const page = await read("/");
  const files = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file ?? "");
  expect(files.length).toBeGreaterThan(1);
  for (const text of [page, await read("/sw.js"), ...(await Promise.all(files.map(read)))])
    expect(text).not.toContain("/ops/");
  for (const path of ["/ops", "/ops.html", "/ops/drivers", "/ops/assets/none.js", "/ops/v1/me"])
    expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 401]);
});

it("support finds a driver by the last four digits, reads why no block came, and asks for the number", async () => {
  const driver = await createActiveDriver(harness);
  const { filters } = await driver.client.filters();
  await driver.client.saveFilters({ ...filters, minHourlyCents: 9000 });
  await publishOffer(harness, driver.warehouseIds[0]!, { payCents: 6000 });
  const { page, context, errors } = await openConsole("support");
  await page.getByRole("link", { name: "Drivers", exact: true }).click();
  await page.getByRole("searchbox").fill(driver.phoneNumber.slice(-4));
  const table = page.getByRole("table", { name: "Drivers" });
  await table.getByRole("row").nth(1).focus();
  await page.keyboard.press("Tab");
  await picture(page, "search");
  await page.keyboard.press("Enter");
  await page.getByTestId("driver-phase").getByText("Looking for blocks").waitFor();
  await page.getByText("Below your hourly minimum").waitFor();
  expect(await page.getByText(`••• ${driver.phoneNumber.slice(-4)}`).count()).toBeGreaterThan(0);
  await picture(page, "driver-support");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByRole("button", { name: "Show the number" }).click();
  await page.getByText("Say why, in three letters at least.").waitFor();
  await page.getByLabel("Why").fill("to call back");
  await page.getByRole("button", { name: "Show the number" }).click();
  await page.getByText(`+1 (555) ${driver.phoneNumber.slice(5, 8)}-${driver.phoneNumber.slice(8)}`).waitFor();
  const log = page.getByRole("table", { name: "What operators did" });
  await log.getByText("to call back").waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});

it("the fleet shows a driver whom the platform has signed out, and where to find them", async () => {
  const driver = await createActiveDriver(harness);
  const target = { fetch, origin: harness.app.origin };
  const { drivers } = await platformWorld(target);
  const account = drivers.find(({ email }) => email === driver.email);
  const { page, context, errors } = await openConsole("support");
  const count = page.locator('[data-count="signedOut"]');
  const before = Number(await count.locator("span").first().textContent());
  await postJson(target, `/sandbox/platform/drivers/${account?.driverId}/sign-out`, {});
  await expect
    .poll(async () => {
      await page.reload();
      return Number(await count.locator("span").first().textContent());
    })
    .toBe(before + 1);
  await count.click();
  await page.getByText(`••• ${driver.phoneNumber.slice(-4)}`).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await picture(page, "fleet");
  expect(errors).toEqual([]);
  await context.close();
});

it("an announcement appears on an open dashboard, below the switch, and stays closed once it is closed", async () => {
  const driver = await createActiveDriver(harness);
  const phone = await openDashboard(harness, driver);
  const systemSwitch = phone.page.getByRole("switch").first();
  await systemSwitch.waitFor();
  const before = await systemSwitch.boundingBox();
  const { page, context, errors } = await openConsole("owner");
  await page.getByRole("link", { name: "Voice" }).click();
  await page.getByRole("button", { name: "Announce", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("In English").fill("No texts between 2 and 3 am on Sunday.");
  await dialog.getByLabel("In Español").fill("Sin mensajes el domingo de 2 a 3 am.");
  await dialog.getByLabel("Why").fill("the gateway is moved");
  await dialog.getByRole("button", { name: "Announce" }).click();
  await dialog.getByText("Write it in this language, too.").waitFor();
  await dialog.getByLabel("In Português").fill("Sem SMS no domingo das 2h às 3h.");
  await picture(page, "announce");
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Announce" }).click();
  await dialog.waitFor({ state: "hidden" });
  const line = phone.page.getByTestId("announcement");
  await line.getByText("No texts between 2 and 3 am on Sunday.").waitFor();
  expect((await systemSwitch.boundingBox())?.y).toBe(before?.y);
  expect(await findViolations(phone.page)).toEqual([]);
  await picture(phone.page, "dashboard-announcement");
  await line.getByRole("button", { name: "Close" }).click();
  await line.waitFor({ state: "detached" });
  await phone.page.reload();
  await systemSwitch.waitFor();
  expect(await line.count()).toBe(0);
  await page.getByRole("cell", { name: "All drivers", exact: true }).waitFor();
  await picture(page, "voice");
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Take back" }).click();
  await dialog.getByLabel("Why").fill("it is done");
  await dialog.getByRole("button", { name: "Take back" }).click();
  await page.getByText("Over", { exact: true }).waitFor();
  expect(errors).toEqual([]);
  await context.close();
  await phone.context.close();
});

it("an owner refunds half a payment, and the driver's open dashboard shows it", async () => {
  const driver = await createActiveDriver(harness);
  const paymentId = await pay(driver);
  await driver.client.fetchJson("GET", `/flex/v1/payments/${paymentId}`);
  const phone = await openDashboard(harness, driver);
  await phone.page.getByText("37 days left").first().waitFor();
  const { page, context, errors } = await openConsole("owner");
  await page.goto(`${harness.app.origin}/ops/drivers/${driver.driverId}`);
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

it("a sale is made, and a driver's payment screen changes; a city gets more spots", async () => {
  const driver = await createActiveDriver(harness);
  const phone = await openAs(harness, driver, "/flex/payments?plan=14days");
  await phone.page.getByTestId("total").waitFor();
  const { page, context, errors } = await openConsole("owner");
  await page.getByRole("link", { name: "Prices" }).click();
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
  await phone.page.reload();
  await phone.page.getByText("$69.99").first().waitFor();
  await page.getByRole("button", { name: "End", exact: true }).click();
  await dialog.getByLabel("Why").fill("it is over");
  await dialog.getByRole("button", { name: "End a sale" }).click();
  await page.getByText("No sale holds, and none is ahead.").waitFor();
  await page.getByRole("link", { name: "Cities" }).click();
  await page.getByRole("button", { name: "Change the number" }).first().click();
  await dialog.getByLabel("Spots").fill("50");
  await dialog.getByLabel("Why").fill("more drivers");
  await picture(page, "spots");
  await dialog.getByRole("button", { name: "Change the number" }).click();
  await page.getByRole("table", { name: "Cities" }).getByText("50", { exact: true }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await picture(page, "cities");
  await harness.app.sql(`DELETE FROM city_spots`);
  expect(errors).toEqual([]);
  await context.close();
  await phone.context.close();
});

it("revenue shows a payment made and refunded, and the table comes as a file", async () => {
  const driver = await createActiveDriver(harness);
  const paymentId = await pay(driver);
  await driver.client.fetchJson("GET", `/flex/v1/payments/${paymentId}`);
  const { page, context, errors } = await openConsole("owner");
  await page.goto(`${harness.app.origin}/ops/drivers/${driver.driverId}`);
  await page.getByRole("button", { name: "Refund", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount (USD)").fill("10.22");
  await dialog.getByLabel("Why").fill("a day without offers");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await dialog.waitFor({ state: "hidden" });
  const [day, now] = [86_400_000, Date.now()];
  await harness.app.sql(
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
  await page.getByRole("table", { name: "Payments" }).getByRole("row").nth(1).focus();
  await page.keyboard.press("End");
  expect(await findViolations(page)).toEqual([]);
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

it("a raffle is announced, ended and drawn, and the draw is checked", async () => {
  const driver = await createActiveDriver(harness);
  const { page, context, errors } = await openConsole("owner");
  await page.getByRole("link", { name: "Raffles" }).click();
  await page.getByRole("button", { name: "Announce a raffle" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name in its address").fill("story");
  await dialog.getByLabel("Plan").selectOption("7days");
  await dialog.getByLabel("From").fill("2026-01-01T00:00");
  for (const [language, words] of [
    ["English", "A bike"],
    ["Español", "Una bici"],
    ["Português", "Uma bicicleta"],
  ] as const)
    await dialog.getByLabel(`Prize in ${language}`).fill(words);
  await dialog.getByText("Premio: Una bici").waitFor();
  const passphrase = await dialog.getByRole("textbox", { name: "Passphrase" }).inputValue();
  await dialog.getByRole("checkbox").check();
  await dialog.getByLabel("Why").fill("a cold month");
  expect(await findViolations(page)).toEqual([]);
  await picture(page, "raffle");
  await dialog.getByRole("button", { name: "Announce a raffle" }).click();
  const table = page.getByRole("table", { name: "Raffles" });
  await table.getByText("Running").waitFor();
  const paymentId = await pay(driver);
  await driver.client.fetchJson("GET", `/flex/v1/payments/${paymentId}`);
  await table.getByRole("button", { name: "End" }).click();
  await dialog.getByLabel("Why").fill("it is full");
  await dialog.getByRole("button", { name: "End a raffle" }).click();
  await table.getByRole("button", { name: "Draw" }).click();
  await dialog.getByRole("textbox", { name: "Passphrase" }).fill("another one of the kind");
  await dialog.getByLabel("Why").fill("it is over");
  await dialog.getByRole("button", { name: "Draw a raffle" }).click();
  await dialog.getByText("This doesn't fit the fingerprint.").waitFor();
  await dialog.getByRole("textbox", { name: "Passphrase" }).fill(passphrase);
  await dialog.getByRole("button", { name: "Draw a raffle" }).click();
  const check = dialog.getByTestId("raffle-check");
  await check.getByText("The seed fits the fingerprint").waitFor();
  await check.getByText(/drew again.*same/).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await picture(page, "raffle-check");
  await page.keyboard.press("Escape");
  await table.getByText("Drawn", { exact: true }).waitFor();
  await picture(page, "raffles");
  await page.getByRole("link", { name: "story" }).click();
  await page.getByTestId("raffle-check").getByText("The seed fits the fingerprint").waitFor();
  await page.getByText("A bike").waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

it.each<[string, Look, string]>([
  ["a phone by day", { viewport: { width: 390, height: 844 } }, "14 days"],
  [
    "a phone by night, in Portuguese",
    { viewport: { width: 390, height: 844 }, colorScheme: "dark", locale: "pt-BR" },
    "14 dias",
  ],
  ["a desk in Spanish", { locale: "es-US" }, "14 días"],
  ["a wide desk by night", { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }, "14 days"],
])("can be used on %s", async (name, look, plan) => {
  const driver = await createActiveDriver(harness);
  await publishOffer(harness, driver.warehouseIds[3]!, { payCents: 6000 });
  await addPast(driver.driverId);
  const { page, context } = await openConsole("owner", look);
  await page.goto(`${harness.app.origin}/ops/drivers/${driver.driverId}`);
  await page.getByTestId("driver-phase").waitFor();
  expect(await findViolations(page)).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(width).toBeLessThanOrEqual(0);
  await picture(page, `driver ${name}`);
  for (const screen of ["log", "fleet", "voice", "prices", "cities"]) {
    await page.goto(`${harness.app.origin}/ops/${screen}`);
    await page.getByRole("table").first().waitFor();
    // What it shares with the drivers' page speaks the operator's language, too.
    if (screen === "prices") await page.getByText(plan, { exact: true }).waitFor();
    expect([screen, await findViolations(page)]).toEqual([screen, []]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await picture(page, `${screen} ${name}`);
  }
  for (const screen of ["money", "raffles"]) {
    await page.goto(`${harness.app.origin}/ops/${screen}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("heading", { level: 2 }).last().waitFor();
    if (screen === "money" && look.locale === "pt-BR") await page.getByText("7 dias").first().waitFor();
    expect([screen, await findViolations(page)]).toEqual([screen, []]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([screen, overflow <= 0]).toEqual([screen, true]);
    await picture(page, `${screen} ${name}`);
  }
  await context.close();
});
