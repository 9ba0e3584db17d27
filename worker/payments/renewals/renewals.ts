import { loadDriver } from "../../../db/queries/accounts/drivers.ts";
import { loadLastPaymentId } from "../../../db/queries/payments/payments.ts";
import {
  claimLeasedRenewals,
  claimRenewal,
  leaseDueRenewals,
  listDueRenewals,
  storeRenewal,
  storeRenewals,
} from "../../../db/queries/payments/renewals.ts";
import { MINUTE_MS, type DriverId } from "../../../db/shapes/units.ts";
import type { Deps } from "../../../durable/deps.ts";
import { eachLimit } from "../../../durable/watch/each-limit.ts";
import { partsOf } from "../../../db/parts-of.ts";
import { sendTasks, type TaskOf, type TaskQueue } from "../../cron/tasks.ts";
import type { CardCheckoutContext } from "../checkout.ts";
import { renewalRetryMs } from "./renewal-schedule.ts";
import { deliverServiceChangesTo } from "../service-changes.ts";
import { describePaymentError } from "../stripe/responses.ts";
import { type RenewalClaim, takeStep } from "./renewal-steps.ts";
import { STEPS_AT_ONCE, readClaims, sortLooks } from "./renewal-batches.ts";

/** How many renewals a minute handles without a queue. */
const BATCH_SIZE = 20;

/** With a queue: how many are queued in one statement, in how many statements a minute, and in which tasks. */
const PAGE_SIZE = 1_000;

const PAGES_PER_RUN = 20;

const RENEWALS_A_TASK = 25;

/** Renewals whose task nobody carried out by then are due again. */
const LEASE_MS = 15 * MINUTE_MS;

/** A look that was cut off is repeated after so long. */
const CLAIM_MS = 5 * MINUTE_MS;

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
    await tryRenewal(checkout, driverId);
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
      partsOf(leased, RENEWALS_A_TASK).map((drivers) => ({
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

/**
 * Takes the next steps of a task's renewals: of each once, however often the task is delivered, since a claim changes
 * its revision. They are claimed, read and written together; what charges or pauses one is done by itself.
 */
export async function runLeasedRenewals(
  checkout: CardCheckoutContext,
  { drivers: leased, dueAt: leasedUntil }: TaskOf<"renew">,
): Promise<void> {
  const { db, deps } = checkout;
  const now = deps.now();
  const claimed = await claimLeasedRenewals(db, leased, { now, until: now + CLAIM_MS, leasedUntil });
  const claims = await readClaims(checkout, claimed);
  const { saves, others } = await sortLooks(checkout, claims);
  const saved = await storeRenewals(db, saves, now);
  const told = saves.filter(({ renewal, news }) => news && saved.has(renewal.driverId));
  await deliverServiceChangesTo(
    checkout,
    told.map(({ renewal }) => renewal.driverId),
  );
  await eachLimit(others, STEPS_AT_ONCE, (claim) => tryStep(checkout, claim));
}

/** Takes the next step of a renewal. One that fails is due again later. */
async function tryRenewal(checkout: CardCheckoutContext, driverId: DriverId): Promise<void> {
  try {
    await runRenewal(checkout, driverId);
  } catch (error) {
    logFailure(checkout, driverId, error);
  }
}

function logFailure({ deps }: CardCheckoutContext, driverId: DriverId, error: unknown): void {
  deps.log("warn", "payments.renewal.failed", { driverId, ...describePaymentError(error) });
}

/**
 * Takes the next step of a driver's renewal. Of several callers at once, one takes it.
 * @throws {CardProcessorError} `unreachable`: it is repeated, later each time
 */
async function runRenewal(checkout: CardCheckoutContext, driverId: DriverId): Promise<void> {
  const { db, deps } = checkout;
  const now = deps.now();
  const renewal = await claimRenewal(db, driverId, { now, until: now + CLAIM_MS });
  if (!renewal) return;
  // Before the end of service: what is paid by hand from here on moves that end, and nothing is charged for the old one.
  const lastPaymentId = await loadLastPaymentId(db, driverId);
  const driver = await loadDriver(db, driverId);
  if (driver) await takeStepOrWait(checkout, { renewal, driver, lastPaymentId });
}

/** @throws what the step throws, after which the renewal is due again later each time */
async function takeStepOrWait(checkout: CardCheckoutContext, claim: RenewalClaim): Promise<void> {
  const { db, deps } = checkout;
  const { renewal } = claim;
  const now = deps.now();
  try {
    await takeStep(checkout, claim);
  } catch (error) {
    const change = { dueAt: now + renewalRetryMs(renewal.tries) };
    await storeRenewal(db, renewal, { change, news: null, now });
    throw error;
  }
}

/** The same for one of several, which holds up no other. */
async function tryStep(checkout: CardCheckoutContext, claim: RenewalClaim): Promise<void> {
  try {
    await takeStepOrWait(checkout, claim);
  } catch (error) {
    logFailure(checkout, claim.renewal.driverId, error);
  }
}
