import * as z from "zod/mini";
import type { Db } from "../../db/client.ts";
import type { DriverRecord } from "../../db/queries/accounts/drivers.ts";
import { loadCustomerId, loadLastPayment, type PaymentRow } from "../../db/queries/payments/payments.ts";
import { recordRenewal } from "./renewals/record-renewal.ts";
import { abandonRenewal } from "./renewals/renewal-charge.ts";
import { loadRenewal, turnRenewalOff, type RenewalRow } from "../../db/queries/payments/renewals.ts";
import { planForSale, type PlanForSale } from "../../db/shapes/money/plans.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import type { Quote } from "../contract/money/payments.ts";
import {
  savedCardId,
  savedCardsResponse,
  type CustomerSessionResponse,
  type SameAgain,
  type SavedCard,
  type SavedCardsResponse,
} from "../contract/money/saved-cards.ts";
import {
  type CardCheckoutContext,
  type CheckoutContext,
  createCustomer,
  loadOrCreateCustomer,
} from "./checkout.ts";
import { feeOf } from "./prices/prices.ts";
import { loadQuoteFacts, quoteFrom } from "./prices/quote.ts";
import { CardProcessorError, type StoredCard } from "./stripe/responses.ts";

/**
 * The cards that a driver saved, or that a renewal keeps, and what 'same again' buys with one.
 * @throws {CardProcessorError} `unreachable`
 */
export async function loadSavedCards(
  { cards, ...rest }: CheckoutContext,
  driver: DriverRecord,
): Promise<SavedCardsResponse> {
  if (!cards) return { cards: [], sameAgain: null };
  const checkout = { ...rest, cards };
  const now = checkout.deps.now();
  const [renewal, all, last, facts] = await Promise.all([
    loadRenewal(checkout.db, driver.row.id),
    listKeptCards(checkout, driver.row.id),
    loadLastPayment(checkout.db, driver.row.id),
    loadQuoteFacts(checkout, driver),
  ]);
  const kept = all.filter(
    (card) =>
      (card.mayBeShown || card.id === renewal?.methodId) &&
      !isExpired(card, now) &&
      // One of another kind can be neither shown nor removed here, and holds up none of the others.
      savedCardId.safeParse(card.id).success,
  );
  const quoteOf = (plan: PlanForSale) => quoteFrom(checkout, driver, { input: { plan, points: 0 }, facts });
  const sameAgain = findSameAgain(kept, { last, quoteOf, fee: checkout.deps.config.bankFeeMillionths });
  return z.parse(savedCardsResponse, { cards: kept, sameAgain });
}

/** The plan of the last payment, with the card that paid it or else the latest. */
function findSameAgain(
  kept: readonly SavedCard[],
  { last, quoteOf, fee }: { last: PaymentRow | null; quoteOf: (plan: PlanForSale) => Quote; fee: number },
): SameAgain | null {
  const card = kept.find(({ id }) => id === last?.methodId) ?? kept[0];
  const plan = planForSale.safeParse(last?.plan);
  if (!last || !card || !plan.success) return null;
  const quote = quoteOf(plan.data);
  const former = totalWithoutPoints(last, fee);
  // A deployment may have changed its currency: the figures of two are not compared.
  const hasChanged = last.currency === quote.currency && former !== quote.totalCents;
  return { quote, card, formerTotalCents: hasChanged ? former : null };
}

function totalWithoutPoints(
  { points, priceCents, discountCents, totalCents }: PaymentRow,
  fee: number,
): number {
  const payCents = priceCents - discountCents;
  return points === 0 ? totalCents : payCents + feeOf(payCents, fee);
}

/** The facts that removing a card begins with: the driver's customer at the card processor, and the renewal. */
type CardHolder = { customerId: string | null; renewal: RenewalRow | null };

export async function loadCardHolder(db: Db, driverId: DriverId): Promise<CardHolder> {
  const [customerId, renewal] = await Promise.all([loadCustomerId(db, driverId), loadRenewal(db, driverId)]);
  return { customerId, renewal };
}

/**
 * Removes a driver's own card, and turns off a renewal that uses it, with what is being charged if the bank still allows that.
 * @param holder what was just read, or is read first
 * @returns false if the driver has no such card
 * @throws {CardProcessorError} `unreachable`
 */
export async function removeSavedCard(
  checkout: CardCheckoutContext,
  { driverId, cardId, holder }: { driverId: DriverId; cardId: string; holder?: CardHolder },
): Promise<boolean> {
  const { cards, db, deps } = checkout;
  const { customerId, renewal } = holder ?? (await loadCardHolder(db, driverId));
  const kept = await listCardsOf(checkout, customerId);
  if (!kept.some(({ id }) => id === cardId)) return false;
  // First: a card that is gone must not be what a renewal waits for.
  if (renewal?.methodId === cardId) {
    await recordRenewal(deps, driverId, false);
    const { current } = await turnRenewalOff(db, driverId, deps.now());
    await abandonRenewal(checkout, current);
  }
  await cards.removeSavedCard(cardId);
  return true;
}

/**
 * A session in which the card form shows the driver's cards. Makes the driver's customer if there is none.
 * @throws {CardProcessorError}
 */
export async function openCustomerSession(
  checkout: CardCheckoutContext,
  driver: DriverRecord,
): Promise<CustomerSessionResponse> {
  const { cards } = checkout;
  const key = () => `customer:session:${crypto.randomUUID()}`;
  const customerId = await loadOrCreateCustomer(checkout, driver, key());
  try {
    return { clientSecret: await cards.openCustomerSession(customerId) };
  } catch (error) {
    if (!(error instanceof CardProcessorError) || error.missing !== "customer") throw error;
    const madeId = await createCustomer(checkout, driver, key());
    return { clientSecret: await cards.openCustomerSession(madeId) };
  }
}

/**
 * The card of a renewal, if it is still there and has not expired.
 * @throws {CardProcessorError} `unreachable`
 */
export async function findUsableCard(
  checkout: CardCheckoutContext,
  { driverId, methodId }: Pick<RenewalRow, "driverId" | "methodId">,
  now: EpochMs,
): Promise<SavedCard | null> {
  return findCardOf(checkout, { customerId: await loadCustomerId(checkout.db, driverId), methodId }, now);
}

/** The same among those of a customer that was just read. */
export async function findCardOf(
  checkout: CardCheckoutContext,
  { customerId, methodId }: { customerId: string | null; methodId: string },
  now: EpochMs,
): Promise<SavedCard | null> {
  const kept = await listCardsOf(checkout, customerId);
  return kept.find((card) => card.id === methodId && !isExpired(card, now)) ?? null;
}

async function listKeptCards(checkout: CardCheckoutContext, driverId: DriverId): Promise<StoredCard[]> {
  return listCardsOf(checkout, await loadCustomerId(checkout.db, driverId));
}

async function listCardsOf({ cards }: CardCheckoutContext, customerId: string | null): Promise<StoredCard[]> {
  if (customerId === null) return [];
  try {
    return await cards.listSavedCards(customerId);
  } catch (error) {
    if (error instanceof CardProcessorError && error.missing !== null) return [];
    throw error;
  }
}

/** A card is good to the end of its month. */
function isExpired({ expMonth, expYear }: SavedCard, now: EpochMs): boolean {
  return expMonth !== null && expYear !== null && Date.UTC(expYear, expMonth, 1) <= now;
}
