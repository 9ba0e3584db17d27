import {
  claimIncident,
  listIncidents,
  saveIncident,
  updateIncident,
  type Incident,
} from "../../db/queries/fleet/alerts.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { AlertMessage, AlertTarget } from "./alert-request.ts";
import { alertOfOutage, followOutage } from "./database-outage.ts";
import { listTrouble, READ_LIMIT_MS, type Trouble } from "./list-trouble.ts";
import { within } from "./run-steps.ts";
import { sendAlert, type AlertDeps } from "./send-alert.ts";

/** Trouble that is not seen for so long is over: trouble that comes and goes is one incident. */
const OVER_AFTER_MS = 3 * MINUTE_MS;
/** A message that was not taken is sent again after this. */
const RETRY_MS = MINUTE_MS;
/** Longer than a request can take, so that no other run sends the same meanwhile. */
const CLAIM_MS = 5 * MINUTE_MS;
/** How many messages a run sends. */
const MESSAGES_PER_RUN = 10;

/**
 * Every minute: tells operators of what began and of what ended, each once. A message that isn't taken is sent again,
 * as the same.
 * @throws what a source threw, or a message that wasn't taken, after all others: health shows both
 */
export async function alertOperators(deps: AlertDeps): Promise<void> {
  const target = deps.config.alerts;
  if (target === null) return;
  const known = await within(deps, READ_LIMIT_MS, listIncidents(deps.db)).catch(async (error: unknown) => {
    await alertOfOutage(deps, target);
    throw error;
  });
  await followOutage(deps, known);
  const { found, failures, isUnknown } = await listTrouble(deps, known);
  await noteIncidents(deps, { known, found, isUnknown });
  const unsent = (await listIncidents(deps.db)).filter(
    ({ beginToldAt, endedAt, endToldAt }) => beginToldAt === null || (endedAt !== null && endToldAt === null),
  );
  // Those that were refused come after those that weren't.
  const next = unsent.toSorted((one, other) => one.dueAt - other.dueAt).slice(0, MESSAGES_PER_RUN);
  for (const incident of next) {
    const failure = await sendNext(deps, incident, target);
    if (failure !== null) failures.push(failure);
  }
  if (failures.length > 0) throw failures[0];
}

async function noteIncidents(
  { db, now }: AlertDeps,
  {
    known,
    found,
    isUnknown,
  }: { known: readonly Incident[]; found: readonly Trouble[]; isUnknown: (incident: string) => boolean },
): Promise<void> {
  const lastOf = new Map(known.map((incident) => [incident.name, incident]));
  for (const { name, reason, since } of found) {
    const last = lastOf.get(name);
    lastOf.delete(name);
    if (last && last.endToldAt === null)
      await updateIncident(db, last, { seenAt: now(), endedAt: null, reason });
    else await saveIncident(db, begin({ name, reason, since }, now()));
  }
  for (const gone of lastOf.values()) {
    if (gone.endedAt === null && now() - gone.seenAt >= OVER_AFTER_MS && !isUnknown(gone.name))
      await updateIncident(db, gone, { endedAt: now() });
  }
}

function begin({ name, reason, since }: Trouble, now: EpochMs): Incident {
  const told = { beginToldAt: null, endToldAt: null, dueAt: 0 };
  return { name, id: `${name}:${now}`, reason, begunAt: since, seenAt: now, endedAt: null, ...told };
}

/** @returns why the message wasn't taken; null if it was, or if another run sends it */
async function sendNext(deps: AlertDeps, { name, id }: Incident, target: AlertTarget): Promise<unknown> {
  const { db, now } = deps;
  const claimed = await claimIncident(db, { name, id }, { now: now(), until: now() + CLAIM_MS });
  if (!claimed) return null;
  const event: AlertMessage["event"] = claimed.beginToldAt === null ? "begins" : "ends";
  const { reason, begunAt: since } = claimed;
  const endedAt = event === "ends" ? claimed.endedAt : null;
  try {
    await sendAlert(deps, { id, event, name, reason, since, endedAt }, target);
  } catch (error) {
    await updateIncident(db, claimed, { dueAt: now() + RETRY_MS });
    return error;
  }
  const told = event === "begins" ? { beginToldAt: now() } : { endToldAt: now() };
  await updateIncident(db, claimed, { ...told, dueAt: 0 });
  return null;
}
