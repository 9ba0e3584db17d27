import { deleteExpiredSessions } from "../../db/queries/identity/live-sessions.ts";
import { deleteOldStripeEvents } from "../../db/queries/payments/stripe-events.ts";
import { DAY_MS, type DurationMs } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import type { CronStep } from "./run-steps.ts";

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
