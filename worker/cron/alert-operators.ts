import {
  loadAlerts,
  claimIncident,
  listIncidents,
  saveIncident,
  updateIncident,
  type Incident,
} from "../../db/queries/fleet/alerts.ts";
import { loadCronSteps } from "../../db/queries/fleet/cron-steps.ts";
import { listOpenPaymentAlerts } from "../../db/queries/payments/alerts.ts";
import { sha256Hex } from "../../db/shapes/sha256-hex.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { errorName } from "../../durable/runtime/describe-error.ts";
import type { Config } from "../../durable/runtime/config.ts";
import { loadReachedLimits } from "../console/act-log.ts";
import { alertRequest, type AlertMessage } from "./alert-request.ts";

/** Trouble that is not seen for so long is over: trouble that comes and goes is one incident. */
const OVER_AFTER_MS = 3 * MINUTE_MS;
/** A message that was not taken is sent again after this. */
const RETRY_MS = MINUTE_MS;
/** Longer than a request can take, so that no other run sends the same meanwhile. */
const CLAIM_MS = 5 * MINUTE_MS;
const REQUEST_LIMIT_MS = 10_000;
/** How many messages a run sends. */
const MESSAGES_PER_RUN = 10;

type AlertDeps = Pick<Deps, "db" | "now" | "log" | "send"> & {
  config: Pick<Config, "alerts" | "operators" | "productName" | "publicUrl">;
};

type Trouble = { name: string; reason: string; since: EpochMs };

/**
 * Every minute: tells operators of what began and of what ended, each once. A message that isn't taken is sent again,
 * as the same.
 */
export async function alertOperators(deps: AlertDeps): Promise<void> {
  if (deps.config.alerts === null) return;
  await noteIncidents(deps, await listTrouble(deps));
  const unsent = (await listIncidents(deps.db)).filter(
    ({ beginToldAt, endedAt, endToldAt }) => beginToldAt === null || (endedAt !== null && endToldAt === null),
  );
  // Those that were refused come after those that weren't.
  const next = unsent.toSorted((one, other) => one.dueAt - other.dueAt).slice(0, MESSAGES_PER_RUN);
  for (const incident of next) await sendAlert(deps, incident, deps.config.alerts);
}

async function listTrouble({ db, now, config }: AlertDeps): Promise<Trouble[]> {
  const [alerts, steps, [payment], limits] = await Promise.all([
    loadAlerts(db, now()),
    loadCronSteps(db),
    listOpenPaymentAlerts(db, 1),
    config.operators === null ? [] : loadReachedLimits(db, { limits: config.operators, now: now() }),
  ]);
  return [
    ...alerts.map(({ name, reason, since }) => ({ name, reason, since })),
    ...steps
      .filter(({ overdueAt }) => overdueAt < now())
      .map(({ name, failure, overdueAt }) => ({
        name: `cron.${name}`,
        reason: failure ?? "missed",
        since: overdueAt,
      })),
    ...(payment ? [{ name: "payments.unserved", reason: payment.kind, since: payment.at }] : []),
    ...(await Promise.all(
      limits.map(async ({ operator, kind, acts, at }) => ({
        // The log has the alert's name, and no operator's.
        name: `limits.${kind}.${(await sha256Hex(operator)).slice(0, 12)}`,
        reason: `${operator}: ${acts}`,
        since: at,
      })),
    )),
  ];
}

async function noteIncidents({ db, now }: AlertDeps, found: readonly Trouble[]): Promise<void> {
  const known = new Map((await listIncidents(db)).map((incident) => [incident.name, incident]));
  for (const { name, reason, since } of found) {
    const last = known.get(name);
    known.delete(name);
    if (last && last.endToldAt === null)
      await updateIncident(db, last, { seenAt: now(), endedAt: null, reason });
    else await saveIncident(db, begin({ name, reason, since }, now()));
  }
  for (const gone of known.values()) {
    if (gone.endedAt === null && now() - gone.seenAt >= OVER_AFTER_MS)
      await updateIncident(db, gone, { endedAt: now() });
  }
}

function begin({ name, reason, since }: Trouble, now: EpochMs): Incident {
  const told = { beginToldAt: null, endToldAt: null, dueAt: 0 };
  return { name, id: `${name}:${now}`, reason, begunAt: since, seenAt: now, endedAt: null, ...told };
}

async function sendAlert(
  { db, now, log, send, config }: AlertDeps,
  { name, id }: Incident,
  target: NonNullable<Config["alerts"]>,
): Promise<void> {
  const claimed = await claimIncident(db, { name, id }, { now: now(), until: now() + CLAIM_MS });
  if (!claimed) return;
  const event: AlertMessage["event"] = claimed.beginToldAt === null ? "begins" : "ends";
  const { reason, begunAt: since } = claimed;
  const { productName, publicUrl, operators } = config;
  const endedAt = event === "ends" ? claimed.endedAt : null;
  try {
    const request = await alertRequest(
      target,
      { id, event, name, reason, since, endedAt },
      { sender: { productName, publicUrl, consoleUrl: operators?.url ?? publicUrl }, now: now() },
    );
    const answer = await send(new Request(request, { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) }));
    if (!answer.ok) throw new AlertRefusedError(answer.status);
    const told = event === "begins" ? { beginToldAt: now() } : { endToldAt: now() };
    await updateIncident(db, claimed, { ...told, dueAt: 0 });
  } catch (error) {
    const status = error instanceof AlertRefusedError ? error.status : null;
    log("error", "alert.send.failed", { alert: name, event, status, error: errorName(error) });
    await updateIncident(db, claimed, { dueAt: now() + RETRY_MS });
  }
}

/** The receiver of alerts refused one. */
class AlertRefusedError extends Error {
  override name = "AlertRefusedError";
  readonly status: number;

  constructor(status: number) {
    super("the alert was refused");
    this.status = status;
  }
}
