import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { findViolations } from "../../support/accessibility.ts";
import { DriverClient } from "../../support/driver-client.ts";
import { signIn } from "../../support/sandbox-client.ts";
import type { RegisteredDriver } from "../../support/drivers.ts";
import { createActiveDriver, openAs } from "../harness.ts";
import {
  CARD_FRAME,
  CARDS,
  openPaymentsHarness,
  typeCard,
  type PaymentsHarness,
} from "../payments-harness.ts";

let harness: PaymentsHarness;
beforeAll(async () => {
  harness = await openPaymentsHarness();
});
afterAll(() => harness.close());

const HOUR_MS = 3_600_000;
const reports = z.object({
  texts: z.array(z.array(z.object({ url: z.string(), body: z.string(), signature: z.string() }))),
});
const OUTCOME = "payment-outcome";

/** Pays for a week with a new card. */
async function payWeek(
  page: Page,
  { card = CARDS.good, saves = false }: { card?: string; saves?: boolean } = {},
) {
  await harness.openPayments(page, "?plan=7days");
  const frame = page.frameLocator(CARD_FRAME);
  await frame.getByLabel("Card number").waitFor();
  if (saves) await page.getByRole("checkbox", { name: "Save this card for next time" }).check();
  await typeCard(page, card);
  await page.getByRole("button", { name: "Pay $50.22" }).click();
  if (card === CARDS.threeDSecure)
    await page.frameLocator('iframe[title*="3D Secure"]').getByRole("button", { name: "Complete" }).click();
  await page.getByTestId(OUTCOME).getByText("$50.22 for 7 days of service").waitFor();
}

/** Leaves so many hours of service. */
async function leaveHours({ driverId }: RegisteredDriver, hours: number): Promise<void> {
  const [row] = await harness.app.sql(
    `SELECT min(at) + sum(duration_ms) AS until FROM service_credits WHERE driver_id = ?`,
    driverId,
  );
  const passed = Number(row?.["until"]) - Date.now() - hours * HOUR_MS;
  await harness.app.sql(`UPDATE service_credits SET at = at - ? WHERE driver_id = ?`, passed, driverId);
  for (const column of ["noticed_end", "noticed_at", "notice_confirmed_at"])
    await harness.app.sql(
      `UPDATE renewals SET ${column} = ${column} - ? WHERE driver_id = ?`,
      passed,
      driverId,
    );
  await harness.app.sql(`UPDATE renewals SET due_at = 0 WHERE driver_id = ? AND status = 'on'`, driverId);
  await harness.app.sql(`UPDATE users SET revision = revision + 1 WHERE id = ?`, driverId);
}

/** The minute hands renewals to a queue, which carries them out when it can. */
const QUEUE = { timeout: 15_000 };

/** The notice of the renewal arrives, as the gateway reports, and the renewal learns of it. */
async function confirmNotice({ driverId, phoneNumber }: RegisteredDriver): Promise<void> {
  const { app } = harness;
  const sent = () =>
    app.sql(`SELECT id FROM sent_texts WHERE account = ? AND about LIKE 'renewal:%'`, driverId);
  await expect.poll(sent, QUEUE).not.toEqual([]);
  const query = new URLSearchParams({ to: phoneNumber });
  const answer = await fetch(`${app.origin}/sandbox/sms/reports?${query}`);
  const { texts } = reports.parse(await answer.json());
  for (const { url, body, signature } of texts.flat())
    await fetch(url.replace(new URL(url).origin, app.origin), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature },
      body,
    });
  await app.sql(`UPDATE renewals SET due_at = 0 WHERE driver_id = ? AND status = 'on'`, driverId);
  await app.runCron("* * * * *");
  // Before the story changes the renewal's row again, the look at it has to have ended.
  const learned = () =>
    app.sql(`SELECT tries FROM renewals WHERE driver_id = ? AND notice_confirmed_at IS NOT NULL`, driverId);
  await expect.poll(learned, QUEUE).not.toEqual([]);
}

/** Sends the driver's object what the database has by now. */
async function syncObject(actor: RegisteredDriver): Promise<void> {
  const target = { fetch, origin: harness.app.origin };
  const client = new DriverClient({ ...target, token: await signIn(target, actor) });
  await client.patchUser({ language: "en", updateLanguage: true });
}

const again = (page: Page) => page.goto(`${harness.app.origin}/flex/payments?again=1`);

describe("the same again", () => {
  it("is offered when service ends, and pays the saved card with one button", async () => {
    const { actor, page, context, errors } = await harness.enter();
    await payWeek(page, { saves: true });
    await leaveHours(actor, 5);
    await syncObject(actor);
    await page.goto(`${harness.app.origin}/flex/dashboard`);
    await page.getByRole("link", { name: "Buy again" }).click();
    await page.getByRole("heading", { name: "Buy again" }).waitFor();
    await page.getByText("Visa ending in 4242").waitFor();
    expect(await page.getByTestId("total").innerText()).toBe("$50.22");
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Pay $50.22" }).dblclick();
    await page.getByTestId(OUTCOME).getByText("$50.22 for 7 days of service").waitFor();
    expect((await harness.paidOf(actor)).map(({ status }) => status)).toEqual(["settled", "settled"]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("says that the price has changed, and asks the bank where the bank wants it", async () => {
    const { actor, page, context } = await harness.enter();
    await payWeek(page, { saves: true, card: CARDS.threeDSecure });
    await harness.app.sql(
      `INSERT INTO price_cuts (id, kind, plan, price_cents, driver_id, starts_at, ends_at) VALUES (?, 'special_price', '7days', 4000, ?, 0, ?)`,
      `cut-${actor.driverId}`,
      actor.driverId,
      Date.now() + 24 * HOUR_MS,
    );
    await again(page);
    await page.getByText("The price has changed: it was $50.22 last time.").waitFor();
    await page.getByRole("button", { name: "Pay $40.28" }).click();
    await page.frameLocator('iframe[title*="3D Secure"]').getByRole("button", { name: "Complete" }).click();
    await page.getByTestId(OUTCOME).getByText("$40.28 for 7 days of service").waitFor();
    await context.close();
  });

  it("says why the card was declined, and opens the ordinary form", async () => {
    const { actor, page, context } = await harness.enter();
    await payWeek(page, { saves: true });
    await harness.control("switches", { declineNext: "insufficient_funds" });
    await again(page);
    await page.getByRole("button", { name: "Pay $50.22" }).click();
    await page.getByRole("alert").getByText("There isn't enough money on this card.").waitFor();
    const frame = page.frameLocator(CARD_FRAME);
    // The saved card is offered here too, beside a new one.
    await frame.getByLabel("New card").check();
    await typeCard(page, "5555555555554444");
    await page.getByRole("button", { name: "Pay $50.22" }).click();
    await page.getByTestId(OUTCOME).getByText("$50.22 for 7 days of service").waitFor();
    expect((await harness.paidOf(actor)).map(({ status }) => status)).toEqual(["settled", "settled"]);
    await context.close();
  });

  it("is the ordinary form without a saved card, and after it was removed", async () => {
    const { page, context } = await harness.enter();
    await payWeek(page);
    await again(page);
    await page.frameLocator(CARD_FRAME).getByLabel("Card number").waitFor();
    await payWeek(page, { saves: true });
    await harness.openPayments(page);
    await page.getByRole("button", { name: "Remove Visa ending in 4242" }).click();
    await page.getByText("Visa ending in 4242 was removed").waitFor();
    await again(page);
    await page.frameLocator(CARD_FRAME).getByLabel("Card number").waitFor();
    await context.close();
  });
});

describe("renewal", () => {
  it("is chosen and never by default, off in one tap with a way back, and charged before service ends", async () => {
    const driver = await createActiveDriver(harness);
    await harness.control("endpoint", {
      url: `${harness.app.origin}/webhooks/stripe`,
      secret: "whsec_sandbox",
    });
    const { page, context, errors } = await openAs(harness, driver, "/flex/payments");
    await harness.openPayments(page, "?plan=7days");
    const choice = page.getByRole("checkbox", { name: "Renew when my days run out" });
    expect(await choice.isChecked()).toBe(false);
    await page.getByText("Paid once, nothing renews").first().waitFor();
    const card = page.frameLocator(CARD_FRAME);
    await card.getByLabel("Card number").waitFor();
    await typeCard(page, CARDS.good);
    const agreement = card.getByText("you allow the shop to charge your card");
    const saving = page.getByRole("checkbox", { name: "Save this card for next time" });
    await choice.check();
    await page.getByText("Renews for at most $50.22").first().waitFor();
    await agreement.waitFor();
    await expect.poll(() => saving.count()).toBe(0);
    await choice.uncheck();
    await agreement.waitFor({ state: "hidden" });
    await saving.waitFor();
    await choice.check();
    await agreement.waitFor();
    expect(await choice.evaluate((box) => document.activeElement === box)).toBe(true);
    expect(await card.getByLabel("Card number").inputValue()).toBe("4242 4242 4242 4242");
    expect(await card.getByLabel("Security code").inputValue()).toBe("123");
    await page.getByRole("button", { name: "Pay $50.22" }).click();
    await page.getByTestId(OUTCOME).getByText("$50.22 for 7 days of service").waitFor();

    await page.goto(`${harness.app.origin}/flex/profile`);
    const renewal = page.getByTestId("renewal");
    await renewal.getByText(/^Renews \w{3}, \w{3} \d+ for at most \$50\.22$/).waitFor();
    await renewal.getByText("7 days, charged to Visa ending in 4242").waitFor();
    await renewal.getByRole("button", { name: "Turn off" }).click();
    await renewal.getByText("Renewal is off").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await renewal.getByText(/^Renews/).waitFor();

    await leaveHours(driver, 48);
    await harness.app.runCron("* * * * *");
    await confirmNotice(driver);
    await leaveHours(driver, 24.5);
    await harness.app.runCron("* * * * *");
    const paid = async () => (await harness.paidOf(driver)).map(({ status, total }) => [status, total]);
    await expect.poll(paid, QUEUE).toEqual([
      ["settled", 5022],
      ["settled", 5022],
    ]);
    await harness.openPayments(page);
    expect(await page.getByTestId("renewal").getAttribute("data-status")).toBe("on");
    expect(errors).toEqual([]);
    await context.close();
  });

  it("that was declined says so, with the way to pay by hand", async () => {
    const driver = await createActiveDriver(harness);
    const { page, context } = await openAs(harness, driver, "/flex/payments");
    await harness.openPayments(page, "?plan=7days");
    await page.getByRole("checkbox", { name: "Renew when my days run out" }).check();
    await page.getByText("Renews for at most $50.22").first().waitFor();
    await page.frameLocator(CARD_FRAME).getByText("you allow the shop").waitFor();
    await typeCard(page, CARDS.good);
    await page.getByRole("button", { name: "Pay $50.22" }).click();
    await page.getByTestId(OUTCOME).waitFor();
    await leaveHours(driver, 48);
    await harness.app.runCron("* * * * *");
    await confirmNotice(driver);
    await leaveHours(driver, 24.5);
    await harness.control("switches", { declineNext: "insufficient_funds" });
    await harness.app.runCron("* * * * *");
    const paused = () => harness.app.sql(`SELECT status FROM renewals WHERE driver_id = ?`, driver.driverId);
    await expect.poll(paused, QUEUE).toEqual([{ status: "paused" }]);
    await harness.openPayments(page);
    const renewal = page.getByTestId("renewal");
    await renewal.getByText("Renewal is paused").waitFor();
    await renewal.getByText("Your bank declined the payment.").waitFor();
    expect(await findViolations(page, { except: "iframe" })).toEqual([]);
    await renewal.getByRole("link", { name: "Add days" }).click();
    await page.getByRole("button", { name: "Pay $50.22" }).click();
    await page.getByTestId(OUTCOME).getByText("$50.22 for 7 days of service").waitFor();
    await context.close();
  });
});
