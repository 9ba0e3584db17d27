import type { BrowserContext, Page } from "playwright-core";
import { givePoints, registerDriver, type RegisteredDriver } from "../support/drivers.ts";
import { postJson } from "../support/sandbox-client.ts";
import { openAs, openE2eHarness, type E2eHarness } from "./harness.ts";

export const CARDS = {
  good: "4242424242424242",
  declined: "4000000000009995",
  threeDSecure: "4000002760003184",
} as const;

export const CARD_FRAME = 'iframe[title="Secure payment input frame"]';
export const WALLETS_FRAME = 'iframe[title="Secure express checkout frame"]';

type Look = Parameters<typeof openAs>[3];

/** A driver with a month of service, on the payments screen. */
export type Payer = { actor: RegisteredDriver; page: Page; context: BrowserContext; errors: string[] };

export type PaymentsHarness = E2eHarness & {
  enter: (look?: Look) => Promise<Payer>;
  /** Opens the screen and waits for the price. */
  openPayments: (page: Page, query?: string) => Promise<void>;
  /** A control call of the sandbox's Stripe. */
  control: (path: string, body: object) => Promise<unknown>;
  givePoints: (actor: RegisteredDriver, points: number) => Promise<void>;
  /** The payments of a driver that stand in the database, oldest first. */
  paidOf: (actor: RegisteredDriver) => Promise<Record<string, unknown>[]>;
};

/** The built product with the sandbox, whose Stripe delivers its events. */
export async function openPaymentsHarness(settings: Record<string, string> = {}): Promise<PaymentsHarness> {
  const harness = await openE2eHarness(settings);
  const { app } = harness;
  const control = (path: string, body: object) =>
    postJson({ fetch, origin: app.origin }, `/sandbox/stripe/${path}`, body);
  await control("endpoint", { url: `${app.origin}/webhooks/stripe`, secret: "whsec_sandbox" });
  return {
    ...harness,
    control,
    givePoints: (actor, points) => givePoints(app, actor, { points }),
    enter: async (look = {}) => {
      const actor = await registerDriver(app);
      return { actor, ...(await openAs(harness, actor, "/flex/payments", look)) };
    },
    openPayments: async (page, query = "") => {
      await page.goto(`${app.origin}/flex/payments${query}`);
      await page.getByTestId("total").waitFor();
    },
    paidOf: ({ driverId }) =>
      app.sql(
        `SELECT plan, status, total_cents AS total, points FROM payments WHERE driver_id = ? ORDER BY created_at`,
        driverId,
      ),
  };
}

export async function typeCard(page: Page, number: string): Promise<void> {
  const card = page.frameLocator(CARD_FRAME);
  await card.getByLabel("Card number").fill(number);
  await card.getByLabel("Expiration date").fill("12/39");
  await card.getByLabel("Security code").fill("123");
  await card.getByLabel("ZIP code").fill("10001");
}

/**
 * Presses the button that pays. Where it has to be scrolled to first, a click is given to the frame that stood there until the
 * browser has drawn the page anew.
 */
export async function pressPay(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name });
  await button.scrollIntoViewIfNeeded();
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await button.click();
}
