import { RENEWAL_WORDS } from "../../db/shapes/money/renewal.ts";
import { env } from "cloudflare:test";
import { expect } from "vitest";
import type * as z from "zod/mini";
import type { renewalResponse, SavedCardsResponse } from "../../worker/contract/money/saved-cards.ts";
import { apiTarget, createLinkedDriver, setSystemSwitch, type TestDriver } from "./harness.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";
import {
  createPreparedPayment,
  fetchPayment,
  fetchQuote,
  payIntent,
  rows,
  followPayments,
  fetchTexts,
} from "./payments-harness.ts";

const HOUR_MS = 3_600_000;

/** A linked driver who is switched on, with an hour of service. */
export async function createServedDriver(): Promise<TestDriver> {
  const driver = await createLinkedDriver({ serviceMs: HOUR_MS });
  const rules = driver.warehouseIds.slice(0, 3).map((id) => permissiveWarehouseFilter(id));
  await driver.client.saveFilters(permissiveFilters(rules));
  await setSystemSwitch(driver, true);
  return driver;
}

type Paying = { card?: string; plan?: "3days" | "7days" | "14days"; keep?: boolean };

/** Pays for a plan and agrees to its renewal. @returns what was agreed to */
export async function agreeToRenewal(
  driver: TestDriver,
  { card = "4242424242424242", plan = "7days" }: Paying = {},
): Promise<{ capCents: number; words: number; paymentId: string; intentId: string }> {
  const { renewalCapCents: capCents } = await fetchQuote(driver, { plan, points: 0 });
  const renewal = { capCents, words: RENEWAL_WORDS };
  const { paymentId, intentId } = await createPreparedPayment(driver, { plan, renewal });
  await payIntent(intentId, { card });
  await fetchPayment(driver, paymentId);
  return { ...renewal, paymentId, intentId };
}

/** A served driver who pays for a week and renews. */
export async function createRenewing(paying: Paying = {}): Promise<TestDriver> {
  const driver = await createServedDriver();
  await agreeToRenewal(driver, paying);
  return driver;
}

/** Lets so much time go by for one driver's service, renewal and payments. */
export async function passTime({ driverId }: TestDriver, lengthMs: number): Promise<void> {
  const move = (sql: string) => env.DB.prepare(sql).bind(lengthMs, driverId);
  await env.DB.batch([
    move(`UPDATE service_credits SET at = at - ? WHERE driver_id = ?`),
    move(`UPDATE payments SET created_at = created_at - ? WHERE driver_id = ?`),
    ...["noticed_end", "noticed_at", "notice_confirmed_at", "due_at"].map((column) =>
      move(`UPDATE renewals SET ${column} = ${column} - ? WHERE driver_id = ?`),
    ),
  ]);
}

/** Lets a renewal that waits for its next try take it now. */
export async function retryNow({ driverId }: TestDriver): Promise<void> {
  await env.DB.prepare(`UPDATE renewals SET due_at = 0 WHERE driver_id = ? AND due_at IS NOT NULL`)
    .bind(driverId)
    .run();
  await followPayments();
}

export async function serviceEndOf({ client }: TestDriver): Promise<number> {
  const { Item } = await client.fetchJson<{ Item: { expirationDateTimestamp: number } }>(
    "GET",
    "/flex/v1/user",
  );
  return Item.expirationDateTimestamp;
}

/** Lets time go by until service ends in so many hours, and looks at the renewals then. */
export async function lookBeforeEnd(driver: TestDriver, hours: number): Promise<void> {
  await passTime(driver, (await serviceEndOf(driver)) - Date.now() - hours * HOUR_MS);
  await followPayments();
}

/** The gateway reports that the notices which it was given arrived. */
export async function reportNotices(driver: TestDriver): Promise<void> {
  const sent = () =>
    rows(`SELECT id FROM sent_texts WHERE account = ? AND about LIKE 'renewal:%'`, driver.driverId);
  await expect.poll(sent).not.toEqual([]);
  const query = new URLSearchParams({ to: driver.phoneNumber });
  const answer = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms/reports?${query}`);
  const { texts } = await answer.json<{ texts: { url: string; body: string; signature: string }[][] }>();
  for (const { url, body, signature } of texts.flat())
    await apiTarget.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature },
      body,
    });
}

/** Tells the driver of the renewal, which arrives, and comes to when it is charged. */
export async function comeToCharge(driver: TestDriver): Promise<void> {
  await followPayments();
  await lookBeforeEnd(driver, 48.9);
  await confirmNotice(driver);
  await passTime(driver, 23.95 * HOUR_MS);
}

/** The notice arrives, and the renewal learns of it. */
export async function confirmNotice(driver: TestDriver): Promise<void> {
  await reportNotices(driver);
  await retryNow(driver);
}

export async function renewalOf({ client }: TestDriver) {
  return (await client.fetchJson<z.infer<typeof renewalResponse>>("GET", "/flex/v1/payments/renewal"))
    .renewal;
}

export async function cardsOf({ client }: TestDriver): Promise<SavedCardsResponse> {
  return client.fetchJson<SavedCardsResponse>("GET", "/flex/v1/payments/cards");
}

/** Payments without their ids, oldest first. */
export function paymentsOf({ driverId }: TestDriver) {
  return rows(
    `SELECT status, total_cents AS total, renewal_of IS NOT NULL AS renewed FROM payments WHERE driver_id = ? ORDER BY created_at, id`,
    driverId,
  );
}

export const PAID_BY_HAND = { status: "settled", total: 5022, renewed: 0 };
export const RENEWED = { status: "settled", total: 5022, renewed: 1 };
export const NOT_CHARGED = { status: "abandoned", total: 5022, renewed: 1 };

export const textsAbout = async (driver: TestDriver, words: string | RegExp) =>
  (await fetchTexts(driver)).filter((text) =>
    typeof words === "string" ? text.includes(words) : words.test(text),
  );

export const putRenewal = ({ client }: TestDriver, body: unknown) =>
  client.call("PUT", "/flex/v1/payments/renewal", { body });

/** Looks at the renewals for as long as the service lasts, and after. */
export async function liveThrough(driver: TestDriver): Promise<void> {
  for (const hours of [20, 10, 1, -1, -30]) await lookBeforeEnd(driver, hours);
}
