import type { Db } from "../../db/client.ts";
import type { Deps } from "../../durable/deps.ts";
import type { CardProcessor } from "./stripe/card-processor.ts";
import { createCardProcessor } from "./stripe/stripe.ts";
import type { DriverRecord } from "../../db/queries/accounts/drivers.ts";
import { loadCustomerId, saveCustomerId, storeFirstCustomerId } from "../../db/queries/payments/payments.ts";
import { loadDeclines } from "../../db/queries/payments/limits.ts";
import { CardProcessorError } from "./stripe/responses.ts";
import { DAY_MS, HOUR_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";

/** The context for taking payments. */
export type CheckoutContext = {
  deps: Deps;
  /** A D1 session where a driver waits for the response, so that they read their own writes; else D1 itself. */
  db: Db;
  /** Null where no card can be charged. */
  cards: CardProcessor | null;
};

/** A checkout that can charge cards. */
export type CardCheckoutContext = CheckoutContext & { cards: CardProcessor };

export function createCheckoutContext({ deps, db }: Omit<CheckoutContext, "cards">): CheckoutContext {
  return { deps, db, cards: createCardProcessor(deps) };
}

/**
 * The driver's customer at the card processor. However many calls make the first one at once, there is one: they share the
 * driver's key of the day, and what another call stored meanwhile stays.
 * @param key an idempotency key of this call alone, for where the driver's has a failure stored under it, which is repeated
 */
export async function loadOrCreateCustomer(
  checkout: CardCheckoutContext,
  driver: DriverRecord,
  key: string,
): Promise<string> {
  const found = await findOrMakeCustomer(checkout, driver, key);
  return found.isStored ? found.customerId : storeMadeCustomer(checkout, driver, found.customerId);
}

/**
 * The same, for a caller who stores what is made. One that a failed call did not store is found again by the driver's
 * key of the day.
 * @param read the stored one as it was just read; left out, it is read first
 */
export async function findOrMakeCustomer(
  checkout: CardCheckoutContext,
  driver: DriverRecord,
  key: string,
  read?: string | null,
): Promise<{ customerId: string; isStored: boolean }> {
  const { cards, db, deps } = checkout;
  const { row } = driver;
  const known = read === undefined ? await loadCustomerId(db, row.id) : read;
  if (known !== null) return { customerId: known, isStored: true };
  const ofDay = `customer:${row.id}:${Math.floor(deps.now() / DAY_MS)}`;
  const madeId = await cards.createCustomer(row, ofDay).catch((error: unknown) => {
    const isStored = error instanceof CardProcessorError && (error.isReplayed || error.kind === "refused");
    if (!isStored) throw error;
    return cards.createCustomer(row, key);
  });
  return { customerId: madeId, isStored: false };
}

/**
 * Stores a driver's first customer; deletes it where another call stored one meanwhile, or the account was deleted.
 * @returns the stored one
 * @throws {CardProcessorError} `refused` after the account was deleted
 */
export async function storeMadeCustomer(
  { cards, db }: CardCheckoutContext,
  { row }: DriverRecord,
  madeId: string,
): Promise<string> {
  const customerId = await storeFirstCustomerId(db, row.id, madeId);
  if (customerId !== madeId) await cards.deleteCustomer(madeId);
  if (customerId === null) throw new CardProcessorError("refused");
  return customerId;
}

/**
 * Makes a customer, in place of one that is known no longer.
 * @throws {CardProcessorError} `refused` after the account was deleted, whose customer is not made anew
 */
export async function createCustomer(
  { cards, db }: CardCheckoutContext,
  { row }: DriverRecord,
  key: string,
): Promise<string> {
  const customerId = await cards.createCustomer(row, key);
  if (await saveCustomerId(db, row.id, customerId)) return customerId;
  await cards.deleteCustomer(customerId);
  throw new CardProcessorError("refused");
}

/** After so many declines within an hour a driver waits: whoever tries cards out needs many. */
export const MAX_DECLINES = 5;

/** When a driver with many declines may try the next card; null where it can be tried now. */
export async function loadPause(db: Db, driverId: DriverId, now: EpochMs): Promise<EpochMs | null> {
  const declines = await loadDeclines(db, driverId, { since: now - HOUR_MS, limit: MAX_DECLINES });
  const oldest = declines[MAX_DECLINES - 1];
  return oldest === undefined ? null : oldest + HOUR_MS;
}
