import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { DriverClient } from "../../support/driver-client.ts";
import type { RegisteredDriver } from "../../support/drivers.ts";
import { signIn } from "../../support/sandbox-client.ts";
import { looksOfRun } from "../looks.ts";
import { CARDS, openPaymentsHarness, typeCard, type PaymentsHarness } from "../payments-harness.ts";
import { PHONE } from "../profile-harness.ts";

const LANGUAGES = looksOfRun([
  ["en", "Turn renewal off", "Renewal is off", /at most \$50\.22\. We'll tell you/],
  ["es", "Desactivar la renovación", "La renovación está desactivada", /como máximo .*50.22\. Te avisaremos/],
  ["pt", "Desligar a renovação", "A renovação está desligada", /no máximo .*50,22\. Avisamos/],
]);

let harness: PaymentsHarness;
beforeAll(async () => {
  harness = await openPaymentsHarness();
});
afterAll(() => harness.close());

/** Pays for a week and agrees to its renewal. */
async function agree(page: Page): Promise<void> {
  await harness.openPayments(page, "?plan=7days");
  await page.getByRole("checkbox", { name: "Renew when my days run out" }).check();
  await typeCard(page, CARDS.good);
  await page.getByRole("button", { name: "Pay $50.22" }).click();
  await page.getByTestId("payment-outcome").getByText("$50.22 for 7 days of service").waitFor();
}

async function clientOf(actor: RegisteredDriver): Promise<DriverClient> {
  const target = { fetch, origin: harness.app.origin };
  return new DriverClient({ ...target, token: await signIn(target, actor) });
}

async function statusOf({ driverId }: RegisteredDriver): Promise<unknown> {
  const [row] = await harness.app.sql(`SELECT status FROM renewals WHERE driver_id = ?`, driverId);
  return row?.["status"];
}

/** The link in the text that acknowledged the consent, as a path of the test's own host. */
async function linkInText({ phoneNumber }: RegisteredDriver): Promise<string> {
  const query = new URLSearchParams({ to: phoneNumber });
  const read = async () => {
    const response = await fetch(`${harness.app.origin}/sandbox/sms?${query}`);
    const { messages } = (await response.json()) as { messages: { body: string }[] };
    return messages.map(({ body }) => /\/renewal#[\w-]{38}$/.exec(body)?.[0]).find(Boolean);
  };
  await expect.poll(read).toBeTruthy();
  return (await read()) ?? "";
}

describe("the renewal that was agreed to with a payment", () => {
  it("is named on the outcome and the receipt, each with the link that ends it", async () => {
    const { actor, page, context, errors } = await harness.enter(PHONE);
    await agree(page);
    const outcome = page.getByTestId("payment-outcome");
    await outcome
      .getByText("About a day before your service ends, we'll charge at most $50.22 for the same plan.")
      .waitFor();
    const link = await outcome.getByRole("link", { name: "Turn renewal off" }).getAttribute("href");
    expect(link).toBe(await linkInText(actor));
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "View receipt" }).click();
    const receipt = page.getByTestId("receipt");
    expect(await receipt.getByRole("link", { name: "Turn renewal off" }).getAttribute("href")).toBe(link);
    expect(await findViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it.each(LANGUAGES)(
    "ends by the link in the text, without signing in, in %s",
    async (language, button, off, words) => {
      const { actor, page: own, context: signedIn } = await harness.enter(PHONE);
      await agree(own);
      await (await clientOf(actor)).patchUser({ language, updateLanguage: true });
      const link = await linkInText(actor);
      await signedIn.close();

      const context = await harness.browser.newContext({ ...PHONE, locale: "en-US" });
      const page = await context.newPage();
      const addresses: string[] = [];
      page.on("request", (request) => addresses.push(request.url()));
      await page.goto(`${harness.app.origin}${link}`);
      const press = page.getByRole("main").getByRole("button", { name: button });
      await press.waitFor();
      await page.getByText(words).waitFor();
      expect(page.url()).toBe(`${harness.app.origin}/renewal`);
      expect(await findViolations(page)).toEqual([]);
      // A preview of the link, or a look at the page, ends nothing.
      expect(await statusOf(actor)).toBe("on");
      expect(await page.getByText(off).count()).toBe(0);
      await press.click();
      await page.getByText(off).first().waitFor();
      expect(await statusOf(actor)).toBe("off");
      // The terms stay readable.
      await page.getByText(words).waitFor();
      expect(await findViolations(page)).toEqual([]);
      const token = link.slice(link.indexOf("#") + 1);
      expect(
        addresses.filter((address) => new URL(address).pathname !== "/renewal" && address.includes(token)),
      ).toEqual([]);
      await page.goto(`${harness.app.origin}/renewal#${"x".repeat(38)}`);
      await page.getByRole("alert").waitFor();
      expect(await findViolations(page)).toEqual([]);
      await context.close();
    },
  );

  it("has its terms at an address of their own, for everybody", async () => {
    const context = await harness.browser.newContext({ ...PHONE, locale: "en-US" });
    const page = await context.newPage();
    await page.goto(`${harness.app.origin}/renewal`);
    await page.getByText("at most the amount that you saw when you agreed").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.goto("about:blank");
    await page.goto(`${harness.app.origin}/renewal#short`);
    await page.getByText("This link has expired or was already used.").waitFor();
    await context.close();
  });
});

it("shows an announced renewal on the dashboard, which confirms that the driver was told", async () => {
  const { actor, page, context, errors } = await harness.enter(PHONE);
  await agree(page);
  const { driverId } = actor;
  const [row] = await harness.app.sql(
    `SELECT min(at) + sum(duration_ms) AS until FROM service_credits WHERE driver_id = ?`,
    driverId,
  );
  const passed = Number(row?.["until"]) - Date.now() - 48.5 * 3_600_000;
  await harness.app.sql(`UPDATE service_credits SET at = at - ? WHERE driver_id = ?`, passed, driverId);
  await harness.app.sql(`UPDATE renewals SET due_at = 0 WHERE driver_id = ?`, driverId);
  await harness.app.sql(`UPDATE users SET revision = revision + 1 WHERE id = ?`, driverId);
  await harness.app.runCron("* * * * *");
  const announced = () =>
    harness.app.sql(`SELECT id FROM sent_texts WHERE account = ? AND about LIKE 'renewal:%'`, driverId);
  await expect.poll(announced, { timeout: 15_000 }).not.toEqual([]);
  await (await clientOf(actor)).patchUser({ language: "en", updateLanguage: true });
  await page.goto(`${harness.app.origin}/flex/dashboard`);
  const notice = page.getByTestId("renewal-notice");
  await notice.getByText(/^Your service renews .* for \$50\.22$/).waitFor();
  await notice.scrollIntoViewIfNeeded();
  const seen = () => harness.app.sql(`SELECT channel FROM renewal_notices WHERE driver_id = ?`, driverId);
  await expect.poll(seen).toEqual([{ channel: "page" }]);
  expect(await findViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});
