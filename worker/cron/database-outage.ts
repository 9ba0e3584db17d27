import { saveIncident, updateIncident, type Incident } from "../../db/queries/fleet/alerts.ts";
import { errorName } from "../../durable/runtime/describe-error.ts";
import type { DatabaseOutage } from "../../durable/runtime/env.ts";
import type { AlertTarget } from "./alert-request.ts";
import { READ_LIMIT_MS } from "./list-trouble.ts";
import { within } from "./run-steps.ts";
import { sendAlert, type AlertDeps } from "./send-alert.ts";

const OUTAGE = "database.down";
/** A database that answers again in the next minute had no outage. */
const OUTAGE_AFTER_MS = 45_000;

/**
 * While the database doesn't answer: tells operators once. Incidents stand in the database, so that what is known of this
 * one stands in the record beside it.
 */
export async function alertOfOutage(deps: AlertDeps, target: AlertTarget): Promise<void> {
  const record = deps.restoreRecord();
  if (!record) return;
  const seenAt = deps.now();
  const { since, toldAt } = (await record.outage()) ?? { since: seenAt, toldAt: null };
  await record.noteOutage({ since, seenAt, toldAt });
  if (toldAt !== null || seenAt - since < OUTAGE_AFTER_MS) return;
  const incident = outageIncident({ since, seenAt, toldAt });
  await sendAlert(deps, { ...incident, event: "begins", since, endedAt: null }, target);
  await record.noteOutage({ since, seenAt, toldAt: seenAt });
}

/** Once the database answers again: its outage is an incident like all others, and ends like them. Never throws. */
export async function followOutage(deps: AlertDeps, known: readonly Incident[]): Promise<void> {
  const { db, log, restoreRecord } = deps;
  try {
    const record = restoreRecord();
    const outage = (record && (await within(deps, READ_LIMIT_MS, record.outage()))) ?? null;
    if (!record || outage === null) return;
    const incident = outageIncident(outage);
    const stored = known.find(({ id }) => id === incident.id);
    if (outage.toldAt === null || (stored?.endToldAt ?? null) !== null) await record.endOutage();
    else if (!stored) await saveIncident(db, incident);
    else if (stored.seenAt < outage.seenAt)
      await updateIncident(db, incident, { seenAt: outage.seenAt, endedAt: null });
  } catch (error) {
    log("warn", "alert.outage.unknown", { error: errorName(error) });
  }
}

function outageIncident({ since, seenAt, toldAt }: DatabaseOutage): Incident {
  return {
    name: OUTAGE,
    id: `${OUTAGE}:${since}`,
    reason: "unreachable",
    begunAt: since,
    seenAt,
    endedAt: null,
    beginToldAt: toldAt,
    endToldAt: null,
    dueAt: 0,
  };
}
