import type { DriverRecord } from "../../db/queries/accounts/drivers.ts";
import { loadCustomerId, saveCustomerId } from "../../db/queries/payments/payments.ts";
import type { CardCheckoutContext } from "./checkout.ts";

/**
 * The driver's customer at the card processor.
 * @param key the idempotency key under which one is made: a failure that is stored under it stays, so it must not be the driver's for good
 */
export async function loadOrCreateCustomer(
  checkout: CardCheckoutContext,
  driver: DriverRecord,
  key: string,
): Promise<string> {
  return (await loadCustomerId(checkout.db, driver.row.id)) ?? createCustomer(checkout, driver, key);
}

/** Makes a customer, in place of one that is known no longer. */
export async function createCustomer(
  { cards, db }: CardCheckoutContext,
  { row }: DriverRecord,
  key: string,
): Promise<string> {
  const customerId = await cards.createCustomer(row, key);
  await saveCustomerId(db, row.id, customerId);
  return customerId;
}
