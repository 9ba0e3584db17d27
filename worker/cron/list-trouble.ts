import { loadAlerts, type Incident } from "../../db/queries/fleet/alerts.ts";
import { loadCronSteps, overdueOf } from "../../db/queries/fleet/cron-steps.ts";
import { listOpenPaymentAlerts } from "../../db/queries/payments/alerts.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import { loadReachedLimits } from "../console/act-log.ts";
import { operatorMark } from "../console/operator-mark.ts";
import { within } from "./run-steps.ts";
import type { AlertDeps } from "./send-alert.ts";

/** A source that takes longer to read fails, alone. */
export const READ_LIMIT_MS = 5_000;

export type Trouble = { name: string; reason: string; since: EpochMs };

/** A place that knows of troubles, and the incidents that are about them. */
type Source = { isOwn: (incident: string) => boolean; list: (deps: AlertDeps) => Promise<Trouble[]> };

/** Each payment is a trouble of its own: one that nobody settles for weeks hides no other. */
const UNSERVED = "payments.unserved";
const FRAUD_WARNING = "payments.fraud_warning";
/** More than an operator can hear of. The console and the program list all. */
const MOST_PAYMENTS = 100;
const isPayment = (name: string) => name.startsWith(UNSERVED) || name.startsWith(`${FRAUD_WARNING}.`);
const isStep = (name: string) => name.startsWith("cron.");
const isLimit = (name: string) => name.startsWith("limits.");

/** Each fails alone. */
const SOURCES: readonly Source[] = [
  {
    isOwn: (name) => !isStep(name) && !isLimit(name) && !isPayment(name),
    list: async ({ db, now }) => {
      const alerts = await loadAlerts(db, now());
      return alerts.map(({ name, reason, since }) => ({ name, reason, since }));
    },
  },
  {
    isOwn: isStep,
    list: async ({ db, now }) => overdueOf(await loadCronSteps(db), now()),
  },
  {
    isOwn: isPayment,
    list: async ({ db }) => {
      const payments = await listOpenPaymentAlerts(db, MOST_PAYMENTS);
      const found = payments.map(({ kind, id, intentId, at }) => ({
        name: `${kind === "fraud_warning" ? FRAUD_WARNING : UNSERVED}.${intentId ?? id}`,
        reason: kind,
        since: at,
      }));
      // A payment may have more than one kind of alert.
      return [...new Map(found.toReversed().map((trouble) => [trouble.name, trouble])).values()];
    },
  },
  {
    isOwn: isLimit,
    list: async ({ db, now, config }) => {
      if (config.operators === null) return [];
      const limits = await loadReachedLimits(db, { limits: config.operators, now: now() });
      return Promise.all(
        limits.map(async ({ operator, kind, acts, at }) => ({
          // The log has the alert's name, and no operator's.
          name: `limits.${kind}.${await operatorMark({ name: operator })}`,
          reason: `${operator}: ${acts}`,
          since: at,
        })),
      );
    },
  },
];

/** Troubles that come by the dozen from one cause. More than so many are one, for whoever has not heard of them. */
const CROWDS = [
  { prefix: "cron.", name: "cron.steps" },
  { prefix: "platform.drift.", name: "platform.drift" },
];
const MOST_ALONE = 3;

/** All troubles; `isUnknown`: an incident of which nobody can say whether it is over, since its source failed. */
export async function listTrouble(
  deps: AlertDeps,
  known: readonly Incident[],
): Promise<{ found: Trouble[]; failures: unknown[]; isUnknown: (incident: string) => boolean }> {
  const lists = await Promise.allSettled(SOURCES.map(({ list }) => within(deps, READ_LIMIT_MS, list(deps))));
  const failed = SOURCES.filter((_, index) => lists[index]?.status === "rejected");
  const standing = new Set(known.filter(({ endToldAt }) => endToldAt === null).map(({ name }) => name));
  const found = lists.flatMap((list) => (list.status === "fulfilled" ? list.value : []));
  // The former release had one for all payments, which is not over while one of them is open.
  const former = found.find(({ name }) => isPayment(name) && standing.has(UNSERVED));
  if (former) found.push({ ...former, name: UNSERVED });
  return {
    found: CROWDS.reduce((troubles, crowd) => gather(troubles, standing, crowd), found),
    failures: lists.flatMap((list): unknown[] => (list.status === "rejected" ? [list.reason] : [])),
    isUnknown: (incident) => failed.some(({ isOwn }) => isOwn(incident)),
  };
}

/** One trouble in place of many of a kind; beside it those of which operators heard before, since theirs is not over. */
function gather(
  troubles: readonly Trouble[],
  standing: ReadonlySet<string>,
  { prefix, name }: (typeof CROWDS)[number],
): Trouble[] {
  const isPart = (one: string) => one.startsWith(prefix);
  const parts = troubles.filter((trouble) => isPart(trouble.name));
  if (parts.length <= MOST_ALONE) return [...troubles];
  const since = Math.min(...parts.map((part) => part.since));
  const told = troubles.filter((trouble) => !isPart(trouble.name) || standing.has(trouble.name));
  return [...told, { name, reason: parts.map((part) => part.name.slice(prefix.length)).join(", "), since }];
}
