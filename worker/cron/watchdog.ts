import { sampleFleetStates } from "../../db/queries/fleet/state-history.ts";
import { MINUTE_MS, HOUR_MS } from "../../db/shapes/units.ts";
import { forgetOtherSteps } from "../../db/queries/fleet/cron-steps.ts";
import type { Env } from "../../durable/runtime/env.ts";
import type { SettingProblem } from "../../durable/runtime/setting-groups.ts";
import { takeCityIncreases } from "../../db/queries/fleet/cities.ts";
import { CITY_FIELDS } from "../../db/shapes/city-counts.ts";
import type { Deps } from "../../durable/deps.ts";
import { deliverPendingNews } from "../texts/driver-news.ts";
import { STALE_MS } from "../console/fleet-problems.ts";
import { carryOutLeftOrders } from "../console/orders.ts";
import { retryAnnouncements, sendAnnouncements } from "../texts/announcements.ts";
import { followLeftChanges } from "../accounts/account-changes.ts";
import { followEndedSessions } from "../accounts/ended-sessions.ts";
import { followChatContacts } from "../accounts/chat-contacts.ts";
import { isolateOf } from "../http/isolate.ts";
import { closingOf } from "../http/gate/maintenance.ts";
import { runDueRenewals } from "../payments/renewals/renewals.ts";
import { closeRaffles } from "../payments/raffles.ts";
import { deliverPendingChanges } from "../payments/service-changes.ts";
import { createCheckoutContext } from "../payments/checkout.ts";
import { watchStripe } from "../payments/stripe/watch-stripe.ts";
import { handleDueEvents } from "../payments/stripe/events.ts";
import { watchCities } from "../cities/watch-cities.ts";
import { moveLines } from "../cities/spots.ts";
import { findKeyProblem } from "./key-problem.ts";
import { hourSteps } from "./hourly-cron.ts";
import { maintainSeals } from "./master-keys.ts";
import { alertOperators } from "./alert-operators.ts";
import { watchQueue } from "./tasks.ts";
import { watchObjects, watchService } from "./watch-service.ts";
import { runSteps, type CronStep } from "./run-steps.ts";

/** How long after a success a step of the minute counts as missed: two runs may be late. */
const OVERDUE_MS = 3 * MINUTE_MS;
/** By then the next run begins, whose steps do what is left. */
const LASTS_MS = MINUTE_MS;

/**
 * Every minute: lets the watchers wake the objects that missed their deadline and, unless the deployment is closed,
 * looks whether the card processor and the queue answer, and repeats what failed: events of the card processor, service
 * changes, news, what follows from a changed account and from ended sessions, what operators ordered; moves the lines
 * for spots, closes the entries of raffles, goes on with announcements, and takes the next step of renewals that are due.
 * @returns the names of the steps that failed
 */
export async function runWatchdog(env: Env): Promise<string[]> {
  const { deps } = isolateOf(env);
  const keyProblem = await findKeyProblem(env);
  // While the database is being restored, nobody is charged or told by what it happens to hold.
  const isClosed = keyProblem !== null || closingOf(deps.config, deps.now()) !== null;
  return runSteps(deps, minuteSteps(env, keyProblem), { isClosed, overdueMs: OVERDUE_MS, lastsMs: LASTS_MS });
}

/** The steps of a minute, of which one tells of the master keys' problem. */
export function minuteSteps(env: Env, keyProblem: SettingProblem | null = null): CronStep[] {
  const { deps } = isolateOf(env);
  const problems = [...deps.config.problems, ...(keyProblem ? [keyProblem] : [])];
  const checkout = createCheckoutContext({ deps, db: deps.db });
  const { cards } = checkout;
  const queue = env.TASKS ?? null;
  const forgetFormerSteps = () =>
    forgetOtherSteps(
      deps.db,
      [...steps, ...hourSteps(env)].map(({ name }) => name),
    );
  const steps: CronStep[] = [
    { name: "objects", statements: 20, run: () => watchObjects(deps), runsClosed: true },
    {
      name: "watch",
      statements: 20,
      run: () => watchService({ ...deps, config: { problems } }),
      runsClosed: true,
    },
    { name: "queue", statements: 3, run: () => watchQueue(deps, queue) },
    { name: "former_steps", statements: 1, run: forgetFormerSteps, runsClosed: true },
    {
      name: "alerts",
      statements: 60,
      run: () => alertOperators(deps),
      runsClosed: true,
      needsNoDatabase: true,
    },
    {
      name: "fleet_states",
      statements: 2,
      run: () => sampleFleetStates(deps.db, { now: deps.now(), staleAt: deps.now() - STALE_MS }),
    },
    { name: "city_health", statements: 3, run: () => watchCities(deps) },
    {
      name: "metrics",
      statements: 100,
      run: async () => env.METRICS && writeMetrics(deps, env.METRICS),
    },
    { name: "account_changes", statements: 660, run: () => followLeftChanges(checkout) },
    { name: "ended_sessions", statements: 470, run: () => followEndedSessions(deps, queue) },
    { name: "chat_contacts", statements: 12, run: () => followChatContacts(deps) },
    { name: "service_changes", statements: 430, run: () => deliverPendingChanges(checkout) },
    // Without cards they have nothing to do, and are not missed.
    {
      name: "events",
      statements: 800,
      run: async () => cards && handleDueEvents({ ...checkout, cards }),
    },
    { name: "stripe", statements: 5, run: async () => cards && watchStripe({ ...checkout, cards }) },
    {
      name: "renewals",
      statements: 800,
      run: async () => cards && runDueRenewals({ ...checkout, cards }, queue),
    },
    { name: "spots", statements: 800, run: () => moveLines(deps) },
    { name: "news", statements: 430, run: () => deliverPendingNews(deps) },
    { name: "announcement_retries", statements: 260, run: () => retryAnnouncements(deps) },
    { name: "announcements", statements: 50, run: () => sendAnnouncements(deps, { queue }) },
    { name: "raffles", statements: 60, run: () => closeRaffles(deps) },
    { name: "orders", statements: 500, run: () => carryOutLeftOrders(checkout) },
    { name: "master_keys", statements: 400, run: () => maintainSeals(env) },
  ];
  return steps;
}

/** The hours whose counts may still grow: objects report what they counted within a quarter of an hour. */
const OPEN_HOURS = 2;
/** Analytics Engine takes 250 points of an invocation. */
const MOST_CITIES = 200;
/** The most bytes that it takes as an index. */
const INDEX_BYTES = 96;

export type MetricPoint = { indexes: string[]; blobs: string[]; doubles: number[] };

/** As much of a name as an index may have. A region may be in a driver's own words, and a hundred letters long. */
function toIndex(name: string): string {
  const { read } = new TextEncoder().encodeInto(name, new Uint8Array(INDEX_BYTES));
  return name.slice(0, read);
}

/**
 * Every minute, where a dataset is bound: a metric point for each city of what its drivers' objects reported since the
 * last one. The city is `blob1` and the index, by which the dataset samples; the counts are `double1` and on, in the
 * order of `CITY_FIELDS`. Nothing in it says whose they are.
 */
export async function writeMetrics(
  { db, now }: Pick<Deps, "db" | "now">,
  metrics: { writeDataPoint(point: MetricPoint): void },
): Promise<void> {
  const from = Math.floor(now() / HOUR_MS) - OPEN_HOURS;
  for (const { city, counts } of await takeCityIncreases(db, from, MOST_CITIES)) {
    metrics.writeDataPoint({
      indexes: [toIndex(city)],
      blobs: [city],
      doubles: CITY_FIELDS.map((field) => counts[field]),
    });
  }
}
