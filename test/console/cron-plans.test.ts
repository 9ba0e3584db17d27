import { describe, expect, it } from "vitest";
import type { Env } from "../../durable/runtime/env.ts";
import { hourSteps } from "../../worker/cron/hourly-cron.ts";
import { minuteSteps } from "../../worker/cron/watchdog.ts";
import { countingStatements } from "../../worker/http/request-scope.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { openTenThousand } from "./fleet/ten-thousand.ts";

const { binding, database, plansOf } = openTenThousand();
// More is due than a run takes: of news, of service and account changes, of spots, of Stripe's events to delete; and
// the limit of one city was lifted.
database.exec(`
  INSERT INTO driver_news (source, driver_id, kind, subject, at) SELECT 'n-' || id, id, 'spot_passed', 'City 2', 1 FROM users;
  INSERT INTO service_news (source, driver_id, kind, at) SELECT 's-' || id, id, 'paid', 1 FROM users;
  INSERT INTO account_changes (user_id, revision, is_deleted, changed_at) SELECT id, 1, 0, 1 FROM users;
  INSERT INTO pool_users (id, phone_number, phone_verified, status, enabled, password, attributes, sms_mfa, software_token_mfa, totp_used_step, created_at)
    SELECT id, phone_number, 1, 'CONFIRMED', 1, '', '{}', 0, 0, 0, 0 FROM users WHERE id LIKE '%7' OR id LIKE '%8';
  INSERT INTO pool_sessions (origin_jti, user_id, created_at, expires_at, revoked_at) SELECT 's-' || id, id, 0, 9e12, 1 FROM pool_users;
  INSERT INTO city_spots (city, spots) SELECT DISTINCT city, 200 FROM spots WHERE city <> 'City 1';
  UPDATE service_credits SET at = 1 WHERE driver_id LIKE '%0';
  INSERT INTO stripe_events (id, type, received_at) SELECT 'evt-' || id, 'charge.succeeded', 1 FROM users`);

const answer = async () => null;
/** Objects that take whatever they are told. */
const object = new Proxy({}, { get: () => answer });
const env = {
  ...DEMO_SETTINGS,
  DB: binding,
  DRIVER: { getByName: () => object },
  ASSETS: {},
} as unknown as Env;

/** Tables that a step may read from end to end, and why. */
const WHOLE: Record<string, Record<string, string>> = {
  watch: {
    service_alerts: "holds an alert for each kind of service",
    operator_orders: "holds those that are not carried out yet",
  },
  former_steps: { cron_steps: "holds a row for each step" },
  fleet_states: { driver_states: "counts drivers by state, each quarter of an hour" },
  past_alerts: { service_alerts: "holds an alert for each kind of service" },
  account_changes: {
    text_replies: "of deletions only: holds a row for each number that said STOP",
    later: "the same table",
    price_cuts: "of deletions only: holds what operators gave by hand, until it ends",
    payment_calls: "of deletions only: holds the calls of the last minutes",
  },
  stripe: { pending_stripe_events: "stops at the first row" },
  texts: { text_replies: "each hour: holds a row for each number that said STOP" },
  master_keys: {
    master_key_uses: "holds a row for each key",
    pool_users: "each hour, and when the last secret was sealed anew",
    pool_signing_keys: "holds a few keys",
    pool_registrations: "holds those of a day",
  },
  books: {
    booked: "the sums of closed days, and the lines after them",
    service_credits: "once a day, when it is closed",
  },
};
/** Steps that call Stripe, which nobody plays here: they end at the first call. */
const CALLS_STRIPE = new Set(["stripe", "payments", "books"]);

it("has one name for each step of all crons, under which its runs are stored", () => {
  const names = [...minuteSteps(env), ...hourSteps(env)].map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe.each([
  ["minute", minuteSteps(env)],
  ["hour", hourSteps(env)],
])("among ten thousand drivers the cron of the %s", (_name, steps) => {
  it.each(steps.map((step) => [step.name, step] as const))(
    "takes no more statements than its step %s states, each by an index",
    async (name, { run, statements }) => {
      const usage = { statements: 0 };
      let hasFailed = false;
      const plans = await plansOf(async () => {
        await countingStatements(usage, run).catch(() => {
          hasFailed = true;
        });
      });
      expect(hasFailed).toBe(CALLS_STRIPE.has(name));
      expect(usage.statements).toBeLessThanOrEqual(statements);
      const whole = plans
        .flatMap(({ details }) => details)
        .flatMap(
          (detail) => /^SCAN (?!CONSTANT|\(|.*VALUES CLAUSE|.* VIRTUAL TABLE )(\w+)/.exec(detail)?.[1] ?? [],
        );
      expect([...new Set(whole)].filter((table) => !(table in (WHOLE[name] ?? {})))).toEqual([]);
    },
  );
});
