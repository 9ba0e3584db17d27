import { deletePastAlerts } from "../../db/queries/fleet/alerts.ts";
import { deleteOldCityDays } from "../../db/queries/fleet/cities.ts";
import { deleteOldCityWeeks } from "../../db/queries/fleet/city-offer-hours.ts";
import { deleteOldErrorGroups } from "../../db/queries/operators/error-groups.ts";
import { deleteOldFleetHours } from "../../db/queries/fleet/reports.ts";
import { deleteOldFleetStates } from "../../db/queries/fleet/state-history.ts";
import { deleteOldSecurityEvents } from "../../db/queries/accounts/security-events.ts";
import { deleteOldTexts } from "../../db/queries/texts/delivery.ts";
import { CITY_WEEKS, cityWeekOf } from "../../db/shapes/work/city-hours.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type DurationMs } from "../../db/shapes/units.ts";
import { deleteOldTasks } from "../../db/queries/fleet/ended-tasks.ts";
import { deleteExpiredSeals } from "../../db/queries/identity/one-time-proofs.ts";
import type { Env } from "../../durable/runtime/env.ts";
import { deleteExpiredSessions } from "../../db/queries/identity/live-sessions.ts";
import { deleteOldStripeEvents } from "../../db/queries/payments/stripe-events.ts";
import type { Deps } from "../../durable/deps.ts";
import { isolateOf } from "../http/isolate.ts";
import { closingOf } from "../http/gate/maintenance.ts";
import { closeYesterday } from "../payments/books/reconcile-books.ts";
import { reconcilePayments } from "../payments/books/reconcile.ts";
import { createCheckoutContext } from "../payments/checkout.ts";
import { findKeyProblem } from "./key-problem.ts";
import { runSteps, type CronStep } from "./run-steps.ts";

/** How long drivers see what happened to their account. */
const SECURITY_EVENT_LIFETIME_MS = 90 * DAY_MS;

/** How long it stays known what the fleet counted in an hour. */
const FLEET_LIFETIME_MS = 35 * DAY_MS;

/** How long an error that is no longer reported stays listed. */
const ERROR_LIFETIME_MS = 90 * DAY_MS;

/** A queue delivers nothing that is older: it keeps messages for four days. */
const TASK_LIFETIME_MS = 7 * DAY_MS;

/** The gateway reports within three days. A number that failed gets another chance in the next quarter. */
const TEXT_LIFETIMES = { textMs: 3 * DAY_MS, failureMs: 90 * DAY_MS };

/** The same as in wrangler.toml. */
export const HOURLY_CRON = "7 * * * *";

/** How long after a success a step of the hour counts as missed: a run may fail. */
const OVERDUE_MS = 2 * HOUR_MS + 10 * MINUTE_MS;
/** The runtime ends a cron after a quarter of an hour. Some hundred payments at Stripe take minutes. */
const LASTS_MS = 14 * MINUTE_MS;

/**
 * Every hour, unless the deployment is closed: reconciles our copies of payments with the card processor, closes the
 * books of a day that is over, deletes expired seals, past alerts, old security events, texts, counts and errors, and
 * accounts that nobody confirmed, ends idle sessions, and rotates signing keys.
 * @returns the names of the steps that failed
 */
export async function runHourly(env: Env): Promise<string[]> {
  const { deps } = isolateOf(env);
  const isClosed = (await findKeyProblem(env)) !== null || closingOf(deps.config, deps.now()) !== null;
  return runSteps(deps, hourSteps(env), { isClosed, overdueMs: OVERDUE_MS, lastsMs: LASTS_MS });
}

/** The steps of an hour. */
export function hourSteps(env: Env): CronStep[] {
  const { deps, userPool } = isolateOf(env);
  const { db, now, log } = deps;
  const checkout = createCheckoutContext({ deps, db });
  const { cards } = checkout;
  const rotateKeys = async () => {
    const rotation = await userPool?.maintainSigningKeys();
    if (rotation && rotation.made + rotation.deleted > 0) log("info", "keys.signing.rotated", rotation);
  };
  return [
    { name: "signing_keys", statements: 20, run: rotateKeys },
    { name: "used_seals", statements: 1, run: () => deleteExpiredSeals(db, now()) },
    { name: "ended_tasks", statements: 1, run: () => deleteOldTasks(db, now() - TASK_LIFETIME_MS) },
    { name: "past_alerts", statements: 1, run: () => deletePastAlerts(db, now()) },
    {
      name: "security_events",
      statements: 1,
      run: () => deleteOldSecurityEvents(db, now(), SECURITY_EVENT_LIFETIME_MS),
    },
    { name: "fleet_hours", statements: 2, run: () => deleteOldFleetHours(db, now() - FLEET_LIFETIME_MS) },
    { name: "city_days", statements: 1, run: () => deleteOldCityDays(db, now() - FLEET_LIFETIME_MS) },
    {
      name: "city_weeks",
      statements: 1,
      run: () => deleteOldCityWeeks(db, cityWeekOf(now()) - CITY_WEEKS + 1),
    },
    {
      name: "past_fleet_states",
      statements: 1,
      run: () => deleteOldFleetStates(db, now() - FLEET_LIFETIME_MS),
    },
    { name: "error_groups", statements: 3, run: () => deleteOldErrorGroups(db, now() - ERROR_LIFETIME_MS) },
    { name: "texts", statements: 10, run: () => deleteOldTexts(db, now(), TEXT_LIFETIMES) },
    { name: "registrations", statements: 20, run: async () => userPool?.sweepUnconfirmed() },
    { name: "idle_sessions", statements: 2, run: async () => userPool?.endIdleSessions() },
    // Without cards they have nothing to do, and are not missed.
    {
      name: "payments",
      statements: 750,
      run: async () => cards && reconcilePayments({ ...checkout, cards }),
    },
    ...sweepSteps(deps),
    { name: "books", statements: 150, run: async () => cards && closeYesterday({ ...checkout, cards }) },
  ];
}

/** A declined card counts against its driver for a day, and Stripe repeats an event for three. */
const STRIPE_EVENT_LIFETIME_MS: DurationMs = 90 * DAY_MS;
/** Longer than an access token lives, whose session is looked up. */
const EXPIRED_SESSION_LIFETIME_MS: DurationMs = DAY_MS;
/** How many of each a run deletes: 100,000 drivers who sign in weekly leave 600 sessions an hour. */
const SWEPT = 5_000;

/** Each hour: rows that nobody asks for any more leave the database. */
export function sweepSteps({ db, now }: Pick<Deps, "db" | "now">): CronStep[] {
  return [
    {
      name: "stripe_events",
      statements: 1,
      run: () => deleteOldStripeEvents(db, now() - STRIPE_EVENT_LIFETIME_MS, SWEPT),
    },
    {
      name: "expired_sessions",
      statements: 1,
      run: () => deleteExpiredSessions(db, now() - EXPIRED_SESSION_LIFETIME_MS, SWEPT),
    },
  ];
}
