import { loadDrivers } from "../../../db/queries/accounts/drivers.ts";
import { loadCustomerIds, loadLastPaymentIds } from "../../../db/queries/payments/payments.ts";
import type { RenewalRow, RenewalSave } from "../../../db/queries/payments/renewals.ts";
import { loadNoticesConfirmed } from "../../../db/queries/payments/renewal-notices.ts";
import { planForSale } from "../../../db/shapes/money/plans.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { eachLimit } from "../../../durable/watch/each-limit.ts";
import type { CardCheckoutContext } from "../checkout.ts";
import { loadPriceFactsOf, priceBy } from "../prices/quote.ts";
import { findCardOf } from "../saved-cards.ts";
import { type RenewalClaim, stepOf, unconfirmedSource, noticeOf } from "./renewal-steps.ts";

/** Renewals of a task for which the card processor is asked at once. */
export const STEPS_AT_ONCE = 5;

/** Claimed renewals with their drivers and when their notices were confirmed, in a few statements for all of them. */
export async function readClaims(
  { db }: CardCheckoutContext,
  claimed: readonly RenewalRow[],
): Promise<RenewalClaim[]> {
  if (claimed.length === 0) return [];
  const ids = claimed.map(({ driverId }) => driverId);
  // Before the end of service, as for one.
  const lastPaymentIds = await loadLastPaymentIds(db, ids);
  const [drivers, confirmed] = await Promise.all([
    loadDrivers(db, ids),
    loadNoticesConfirmed(
      db,
      claimed.flatMap((renewal) => unconfirmedSource(renewal) ?? []),
    ),
  ]);
  return claimed.flatMap((row) => {
    const driver = drivers.get(row.driverId);
    const source = unconfirmedSource(row);
    const confirmedAt = source === null ? undefined : confirmed.get(source);
    const renewal = confirmedAt === undefined ? row : { ...row, noticeConfirmedAt: confirmedAt };
    return driver ? [{ renewal, driver, lastPaymentId: lastPaymentIds.get(row.driverId) ?? null }] : [];
  });
}

/**
 * The looks that only wait or tell, as what they write, and the others, which take their step by themselves: also one
 * with a record that can't be read, whose own step fails, is logged and repeated later.
 */
export async function sortLooks(
  checkout: CardCheckoutContext,
  claims: readonly RenewalClaim[],
): Promise<{ saves: RenewalSave[]; others: RenewalClaim[] }> {
  const now = checkout.deps.now();
  const read = claims.map((claim) => ({ claim, step: orNull(() => stepOf(claim, now)) }));
  const steps = read.flatMap(({ claim, step }) => (step === null ? [] : [{ claim, step }]));
  const unreadable = read.filter(({ step }) => step === null);
  const telling = steps.flatMap(({ claim, step }) => (step.kind === "notify" ? [{ claim, step }] : []));
  const saves = steps.flatMap(({ claim: { renewal }, step }): RenewalSave[] => {
    const { noticeConfirmedAt } = renewal;
    if (step.kind !== "wait") return [];
    return [{ renewal, change: { noticeConfirmedAt, dueAt: step.until, tries: 0 }, news: null }];
  });
  const notices = await findNotices(checkout, telling, now);
  const byThemselves = telling.filter(({ claim }) => !notices.has(claim)).map(({ claim }) => claim);
  const rest = steps.filter(({ step: { kind } }) => kind !== "wait" && kind !== "notify");
  return {
    saves: [...saves, ...notices.values()],
    others: [...byThemselves, ...[...rest, ...unreadable].map(({ claim }) => claim)],
  };
}

/** The notices of renewals that can go on as they are; whatever stands in the way of one is left to its own step. */
async function findNotices(
  checkout: CardCheckoutContext,
  telling: readonly { claim: RenewalClaim; step: { chargeAt: EpochMs } }[],
  now: EpochMs,
): Promise<ReadonlyMap<RenewalClaim, RenewalSave>> {
  const found = new Map<RenewalClaim, RenewalSave>();
  if (telling.length === 0) return found;
  const ids = telling.map(({ claim: { renewal } }) => renewal.driverId);
  const [factsOf, customers] = await Promise.all([
    loadPriceFactsOf(checkout, ids),
    loadCustomerIds(checkout.db, ids),
  ]);
  await eachLimit(telling, STEPS_AT_ONCE, async ({ claim, step: { chargeAt } }) => {
    const { renewal, driver } = claim;
    const { driverId, methodId } = renewal;
    const { serviceUntil } = driver.profile;
    const plan = planForSale.safeParse(renewal.plan);
    if (!plan.success || serviceUntil === null) return;
    const wish = { plan: plan.data, points: 0, priceId: null };
    const order = orNull(() => priceBy(checkout, factsOf(driverId), wish).order);
    if (order === null || order.totalCents > renewal.capCents || order.currency !== renewal.currency) return;
    const customerId = customers.get(driverId) ?? null;
    const card = await findCardOf(checkout, { customerId, methodId }, now).catch(() => null);
    if (card)
      found.set(claim, { renewal, ...noticeOf(renewal, { order, card, chargeAt, serviceUntil, now }) });
  });
  return found;
}

/** The value of some work; null if it throws. */
function orNull<Given>(work: () => Given): Given | null {
  try {
    return work();
  } catch {
    return null;
  }
}
