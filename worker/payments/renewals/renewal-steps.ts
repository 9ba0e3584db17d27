import { toDriverOwner, type DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import { loadPaymentInProgress } from "../../../db/queries/payments/payments.ts";
import { storeRenewal, type RenewalChange, type RenewalRow } from "../../../db/queries/payments/renewals.ts";
import { loadNoticeConfirmedAt, noticeSource } from "../../../db/queries/payments/renewal-notices.ts";
import { planForSale, type PlanForSale } from "../../../db/shapes/money/plans.ts";
import type { ServiceChange } from "../../../db/shapes/profile.ts";
import type { RenewalPause } from "../../../db/shapes/money/renewal.ts";
import { MINUTE_MS, type Cents, type EpochMs } from "../../../db/shapes/units.ts";
import { possibleNow } from "../../../db/shapes/work/possible-now.ts";
import { isQuiet } from "../../../durable/driver/notify/channels.ts";
import type { SavedCard } from "../../contract/money/saved-cards.ts";
import type { CardCheckoutContext } from "../checkout.ts";
import { priceForDriver } from "../prices/quote.ts";
import { serviceTimeOf, type PricedOrder } from "../prices/prices.ts";
import { abandonRenewal, chargeRenewal, type RenewalLook } from "./renewal-charge.ts";
import { nextRenewalStep, type RenewalStep } from "./renewal-schedule.ts";
import { findUsableCard } from "../saved-cards.ts";
import { deliverServiceChanges } from "../service-changes.ts";

/** While the driver is not served, or pays by hand. */
const RECHECK_MS = 30 * MINUTE_MS;

/** When it is first asked whether a notice arrived. */
const CONFIRMATION_CHECK_MS = 5 * MINUTE_MS;

/** A renewal that a call has claimed. */
export type RenewalClaim = Omit<RenewalLook, "serviceUntil">;

export async function takeStep(
  checkout: CardCheckoutContext,
  { renewal: claimed, driver, lastPaymentId }: RenewalClaim,
): Promise<unknown> {
  const now = checkout.deps.now();
  const { serviceUntil } = driver.profile;
  const renewal = await withConfirmation(checkout, claimed);
  const step = stepOf({ renewal, driver }, now);
  if (step.kind === "wait") return save(checkout, renewal, { dueAt: step.until, tries: 0 });
  if (step.kind === "untold") return pause(checkout, renewal, "untold");
  const plan = planForSale.safeParse(renewal.plan);
  if (step.kind === "ended" || serviceUntil === null) {
    const current = await loadPaymentInProgress(checkout.db, renewal.driverId);
    if ((await abandonRenewal(checkout, current)) === "paid")
      return save(checkout, renewal, { dueAt: now, tries: 0 });
    return pause(checkout, renewal, (await isServed(checkout, driver)) ? "failed" : "not_served");
  }
  if (!plan.success) return pause(checkout, renewal, "plan_gone");
  const card = await findUsableCard(checkout, renewal, now);
  if (!card) return pause(checkout, renewal, "method_gone");
  const order = await priceRenewal(checkout, driver, plan.data);
  if (order.totalCents > renewal.capCents || order.currency !== renewal.currency)
    return pause(checkout, renewal, "over_cap", order.totalCents);
  const look = { renewal, driver, serviceUntil, lastPaymentId };
  // The charge is the amount that the driver was told, or less.
  const isDearer = order.totalCents > (renewal.noticedCents ?? 0);
  if (step.kind === "notify") return notify(checkout, look, { order, card, chargeAt: step.chargeAt });
  if (isDearer) return save(checkout, renewal, { noticedEnd: null, noticeConfirmedAt: null, dueAt: now });
  if (!(await isServed(checkout, driver)))
    return save(checkout, renewal, { dueAt: now + RECHECK_MS, tries: 0 });
  const charged = await chargeRenewal(checkout, { ...look, order });
  switch (charged.kind) {
    case "paid":
      // Settling moved the end of service, which woke the renewal; what is told comes with the payment.
      return save(checkout, renewal, { dueAt: now, tries: 0 });
    case "busy":
      return save(checkout, renewal, { dueAt: now + RECHECK_MS, tries: 0 });
    case "stopped":
      return;
    case "failed":
      return pause(checkout, renewal, charged.pause, order.totalCents);
  }
}

/** The next step of a renewal, by what was read of its driver. */
export function stepOf({ renewal, driver }: Omit<RenewalClaim, "lastPaymentId">, now: EpochMs): RenewalStep {
  const { notifications, timeZone } = toDriverOwner(driver);
  return nextRenewalStep(renewal, {
    serviceUntil: driver.profile.serviceUntil,
    isQuiet: isQuiet(notifications.quietHours, now, timeZone),
    now,
  });
}

/** The renewal with when its notice was confirmed, which is looked up until it is. */
async function withConfirmation({ db }: CardCheckoutContext, renewal: RenewalRow): Promise<RenewalRow> {
  const source = unconfirmedSource(renewal);
  if (source === null) return renewal;
  return { ...renewal, noticeConfirmedAt: await loadNoticeConfirmedAt(db, source) };
}

/** The notice that nothing has confirmed as far as the row says; null if there is none. */
export function unconfirmedSource(renewal: RenewalRow): string | null {
  const { consentId, noticedEnd: end, noticedCents: cents, noticeConfirmedAt } = renewal;
  return end === null || cents === null || noticeConfirmedAt !== null
    ? null
    : noticeSource({ consentId, end, cents });
}

/** Says what will be charged and when; the renewal is charged no sooner, and only while this end of service holds. */
async function notify(
  checkout: CardCheckoutContext,
  { renewal, serviceUntil }: RenewalLook,
  notice: { order: PricedOrder; card: SavedCard; chargeAt: EpochMs },
): Promise<void> {
  const { change, news } = noticeOf(renewal, { ...notice, serviceUntil, now: checkout.deps.now() });
  await save(checkout, renewal, change, news);
}

/** The change that a notice writes, and its news. A bank may have replaced the card: the one that will be charged is shown. */
export function noticeOf(
  renewal: RenewalRow,
  {
    order,
    card,
    chargeAt,
    serviceUntil,
    now,
  }: { order: PricedOrder; card: SavedCard; chargeAt: EpochMs; serviceUntil: EpochMs; now: EpochMs },
): { change: RenewalChange; news: ServiceChange } {
  const { consentId } = renewal;
  const change = {
    noticedEnd: serviceUntil,
    noticedAt: now,
    noticedCents: order.totalCents,
    noticeConfirmedAt: null,
    methodBrand: card.brand,
    methodLast4: card.last4,
    dueAt: now + CONFIRMATION_CHECK_MS,
    tries: 0,
  };
  const source = noticeSource({ consentId, end: serviceUntil, cents: order.totalCents });
  return {
    change,
    news: newsOf(renewal, { kind: "renewal_ahead", source, cents: order.totalCents, chargeAt }),
  };
}

/** Stops a renewal that can't go on, and says so once. Nothing more is tried until the driver acts. */
async function pause(
  checkout: CardCheckoutContext,
  renewal: RenewalRow,
  reason: RenewalPause,
  cents: Cents | null = null,
): Promise<void> {
  const source = `renewal:${renewal.consentId}:${renewal.revision}:${reason}`;
  const news = newsOf(renewal, { kind: `renewal_${reason}`, source, cents });
  const change: RenewalChange = { status: "paused", pause: reason, dueAt: null };
  if (!(await save(checkout, renewal, change, news))) return;
  const { driverId, consentId } = renewal;
  checkout.deps.log("info", "payments.renewal.paused", { driverId, consentId, reason });
}

/** @returns false if the driver turned it off, or another call took it over */
async function save(
  checkout: CardCheckoutContext,
  renewal: RenewalRow,
  change: RenewalChange,
  news: ServiceChange | null = null,
): Promise<boolean> {
  const { db, deps } = checkout;
  const { noticeConfirmedAt } = renewal;
  const isSaved = await storeRenewal(db, renewal, {
    change: { noticeConfirmedAt, ...change },
    news,
    now: deps.now(),
  });
  if (isSaved && news) await deliverServiceChanges(checkout, renewal.driverId);
  return isSaved;
}

function newsOf(
  { plan, currency }: RenewalRow,
  { cents, ...about }: Pick<ServiceChange, "kind" | "source" | "chargeAt"> & { cents: Cents | null },
): ServiceChange {
  const money = cents === null ? null : { cents, currency };
  return { ...about, money, changedMs: serviceTimeOf(plan) };
}

/** The plan at its price now, with the discounts that hold, without points. */
async function priceRenewal(
  checkout: CardCheckoutContext,
  driver: DriverRecord,
  plan: PlanForSale,
): Promise<PricedOrder> {
  return (await priceForDriver(checkout, driver, { plan, points: 0, priceId: null })).order;
}

/** Whether the service does something for the driver: switched on, linked, and not waiting for a spot. */
async function isServed({ deps }: CardCheckoutContext, { row }: DriverRecord): Promise<boolean> {
  if (!row.switchedOn || row.waitingForSpot) return false;
  return possibleNow(await deps.driver(row.id).snapshot(), deps.now()).renew;
}
