import { loadDriver, toDriverOwner, type DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import { loadLastPaymentId, loadPaymentInProgress } from "../../../db/queries/payments/payments.ts";
import {
  claimRenewal,
  leaseDueRenewals,
  listDueRenewals,
  storeRenewal,
  type RenewalChange,
  type RenewalRow,
} from "../../../db/queries/payments/renewals.ts";
import { loadNoticeConfirmedAt, noticeSource } from "../../../db/queries/payments/renewal-notices.ts";
import { planForSale, type PlanForSale } from "../../../db/shapes/money/plans.ts";
import type { ServiceChange } from "../../../db/shapes/profile.ts";
import type { RenewalPause } from "../../../db/shapes/money/renewal.ts";
import { MINUTE_MS, type Cents, type DriverId, type EpochMs } from "../../../db/shapes/units.ts";
import { possibleNow } from "../../../db/shapes/work/possible-now.ts";
import { isQuiet } from "../../../durable/driver/notify/channels.ts";
import type { Deps } from "../../../durable/deps.ts";
import { chunksOf, sendTasks, type TaskOf, type TaskQueue } from "../../tasks/task.ts";
import type { CardCheckoutContext } from "../checkout.ts";
import { priceForDriver } from "../prices/quote.ts";
import { serviceTimeOf, type PricedOrder } from "../prices/prices.ts";
import { abandonRenewal, chargeRenewal, type RenewalLook } from "./renewal-charge.ts";
import { nextRenewalStep, renewalRetryMs } from "./renewal-schedule.ts";
import { findUsableCard } from "../saved-cards.ts";
import { deliverServiceChanges } from "../service-changes.ts";
import { describePaymentError } from "../stripe/responses.ts";

/** How many renewals a minute handles without a queue. */
const BATCH_SIZE = 20;
/** With a queue: how many are queued in one statement, in how many statements a minute, and in which tasks. */
const PAGE_SIZE = 1_000;
const PAGES_PER_RUN = 20;
const RENEWALS_A_TASK = 2;
/** Renewals whose task nobody carried out by then are due again. */
const LEASE_MS = 15 * MINUTE_MS;
/** A look that was cut off is repeated after so long. */
const CLAIM_MS = 5 * MINUTE_MS;
/** While the driver is not served, or pays by hand. */
const RECHECK_MS = 30 * MINUTE_MS;
/** When it is first asked whether a notice arrived. */
const CONFIRMATION_CHECK_MS = 5 * MINUTE_MS;

/**
 * Every minute: tells drivers of renewals ahead, and charges those that are due: by the queue as many as there are, and without
 * one a few. None since a database was restored, until an owner lets them go on.
 */
export async function runDueRenewals(
  checkout: CardCheckoutContext,
  queue: TaskQueue | null = null,
): Promise<void> {
  const { db, deps } = checkout;
  if (!(await renewalsMayGoOn(deps))) return;
  if (queue) return queueDueRenewals(checkout, queue);
  for (const driverId of await listDueRenewals(db, { now: deps.now(), limit: BATCH_SIZE }))
    await tryRenewal(checkout, driverId, null);
}

/** Whether no owner has to let renewals go on first. */
export async function renewalsMayGoOn({ restoreRecord }: Pick<Deps, "restoreRecord">): Promise<boolean> {
  return ((await restoreRecord()?.renewalsHeldSince()) ?? null) === null;
}

async function queueDueRenewals({ db, deps }: CardCheckoutContext, queue: TaskQueue): Promise<void> {
  for (let page = 0; page < PAGES_PER_RUN; page += 1) {
    const now = deps.now();
    const until = now + LEASE_MS;
    const leased = await leaseDueRenewals(db, { now, until, limit: PAGE_SIZE });
    await sendTasks(
      queue,
      chunksOf(leased, RENEWALS_A_TASK).map((drivers) => ({
        kind: "renew",
        version: 1,
        id: `renew:${until}:${drivers[0]?.driverId}`,
        dueAt: until,
        drivers,
      })),
    );
    if (leased.length < PAGE_SIZE) return;
  }
}

/** Takes the next steps of a task's renewals: of each once, however often the task is delivered, since a claim changes its revision. */
export async function runLeasedRenewals(
  checkout: CardCheckoutContext,
  { drivers, dueAt: until }: TaskOf<"renew">,
): Promise<void> {
  for (const { driverId, revision } of drivers) await tryRenewal(checkout, driverId, { revision, until });
}

type Lease = { revision: number; until: EpochMs };

/** Takes the next step of a renewal. One that fails is due again later. */
async function tryRenewal(
  checkout: CardCheckoutContext,
  driverId: DriverId,
  lease: Lease | null,
): Promise<void> {
  try {
    await runRenewal(checkout, driverId, lease);
  } catch (error) {
    checkout.deps.log("warn", "payments.renewal.failed", { driverId, ...describePaymentError(error) });
  }
}

/**
 * Takes the next step of a driver's renewal. Of several callers at once, one takes it.
 * @throws {CardProcessorError} `unreachable`: it is repeated, later each time
 */
async function runRenewal(
  checkout: CardCheckoutContext,
  driverId: DriverId,
  lease: Lease | null,
): Promise<void> {
  const { db, deps } = checkout;
  const now = deps.now();
  const renewal = await claimRenewal(db, driverId, { now, until: now + CLAIM_MS, lease });
  if (!renewal) return;
  // Before the end of service: what is paid by hand from here on moves that end, and nothing is charged for the old one.
  const lastPaymentId = await loadLastPaymentId(db, driverId);
  const driver = await loadDriver(db, driverId);
  if (!driver) return;
  try {
    await takeStep(checkout, { renewal, driver, lastPaymentId });
  } catch (error) {
    await storeRenewal(db, renewal, {
      change: { dueAt: now + renewalRetryMs(renewal.tries) },
      news: null,
      now,
    });
    throw error;
  }
}

async function takeStep(
  checkout: CardCheckoutContext,
  { renewal: claimed, driver, lastPaymentId }: Omit<RenewalLook, "serviceUntil">,
): Promise<unknown> {
  const now = checkout.deps.now();
  const { serviceUntil } = driver.profile;
  const renewal = await withConfirmation(checkout, claimed);
  const { notifications, timeZone } = toDriverOwner(driver);
  const step = nextRenewalStep(renewal, {
    serviceUntil,
    isQuiet: isQuiet(notifications.quietHours, now, timeZone),
    now,
  });
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
  if (!(await findUsableCard(checkout, renewal, now))) return pause(checkout, renewal, "method_gone");
  const order = await priceRenewal(checkout, driver, plan.data);
  if (order.totalCents > renewal.capCents || order.currency !== renewal.currency)
    return pause(checkout, renewal, "over_cap", order.totalCents);
  const look = { renewal, driver, serviceUntil, lastPaymentId };
  // The charge is the amount that the driver was told, or less.
  const isDearer = order.totalCents > (renewal.noticedCents ?? 0);
  if (step.kind === "notify") return notify(checkout, look, { order, chargeAt: step.chargeAt });
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

/** The renewal with when its notice was confirmed, which is looked up until it is. */
async function withConfirmation({ db }: CardCheckoutContext, renewal: RenewalRow): Promise<RenewalRow> {
  const { consentId, noticedEnd: end, noticedCents: cents, noticeConfirmedAt: known } = renewal;
  if (end === null || cents === null || known !== null) return renewal;
  const noticeConfirmedAt = await loadNoticeConfirmedAt(db, noticeSource({ consentId, end, cents }));
  return { ...renewal, noticeConfirmedAt };
}

/** Says what will be charged and when; the renewal is charged no sooner, and only while this end of service holds. */
async function notify(
  checkout: CardCheckoutContext,
  { renewal, serviceUntil }: RenewalLook,
  { order, chargeAt }: { order: PricedOrder; chargeAt: EpochMs },
): Promise<void> {
  const now = checkout.deps.now();
  const change = {
    noticedEnd: serviceUntil,
    noticedAt: now,
    noticedCents: order.totalCents,
    noticeConfirmedAt: null,
    dueAt: now + CONFIRMATION_CHECK_MS,
    tries: 0,
  };
  const { consentId } = renewal;
  const source = noticeSource({ consentId, end: serviceUntil, cents: order.totalCents });
  const news = newsOf(renewal, { kind: "renewal_ahead", source, cents: order.totalCents, chargeAt });
  await save(checkout, renewal, change, news);
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
