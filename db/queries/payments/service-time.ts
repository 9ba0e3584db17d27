import { isPauseGrant, PAUSE_LIMITS, pauseEndSource, type PauseTime } from "../../shapes/money/pause.ts";
import { DAY_MS, type DurationMs, type EpochMs, type DriverId, MINUTE_MS } from "../../shapes/units.ts";
import { asc, eq, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "../../client.ts";
import { isAmong } from "../../expressions.ts";
import { serviceCredits } from "../../schema/drivers.ts";

/**
 * One entry of the service ledger. A grant has a source of its own (`payment:<id>`); debits from it and returns to it have
 * sources that begin with the grant's (`payment:<id>:<refund>` and `payment:<id>:<refund>:undone`).
 */
export type ServiceEntry = { source: string; durationMs: DurationMs; at: EpochMs };

/** A grant, with its unused part and the part that has run. */
type ServiceGrant = { source: string; unusedMs: DurationMs; usedMs: DurationMs };

/** The service ledger at an instant. */
export type ServiceTime = {
  /** The end of the paid time; null if nothing was ever granted. */
  until: EpochMs | null;
  /** The change by each entry, by source: a taking entry is negative, and never takes more than its grant had left. */
  appliedMs: ReadonlyMap<string, DurationMs>;
  /** The unused part of each grant, by source. */
  unusedMs: ReadonlyMap<string, DurationMs>;
  /** How much of each grant has run, by source. */
  usedMs: ReadonlyMap<string, DurationMs>;
};

const UNDONE = ":undone";

/**
 * Reads the service ledger. Service runs from the first grant on, without a pause, and uses up the oldest grant first. A debit
 * takes at most what is unused of its own grant, so service is never below zero and no other payment's days are touched; a
 * return gives back exactly what its debit took. A debit without a grant of its own takes from the oldest. A pause is a grant
 * of time in which no service runs: it runs before all others, and only its own entry takes from it.
 * @param entries in the order in which they were written
 * @param now the instant for which to compute what is unused; by default that of the last entry
 */
export function readServiceLedger(entries: readonly ServiceEntry[], now: EpochMs = -Infinity): ServiceTime {
  let at: EpochMs = -Infinity;
  let until: EpochMs | null = null;
  const grants: ServiceGrant[] = [];
  const appliedMs = new Map<string, DurationMs>();
  const advance = (to: EpochMs) => {
    if (to > at) run(grants, to - at);
    at = Math.max(at, to);
  };
  for (const entry of entries) {
    // An entry from a clock that was behind counts from the entry before it.
    advance(entry.at);
    const applied = applyEntry(grants, entry, appliedMs);
    appliedMs.set(entry.source, applied);
    if (applied !== 0 || (until === null && entry.durationMs >= 0)) until = at + sumUnused(grants);
  }
  advance(now);
  return {
    until,
    appliedMs,
    unusedMs: new Map(grants.map(({ source, unusedMs }) => [source, unusedMs])),
    usedMs: new Map(grants.map(({ source, usedMs }) => [source, usedMs])),
  };
}

/** The end of the paid time; null if nothing was ever granted. */
export function serviceUntilOf(entries: readonly ServiceEntry[]): EpochMs | null {
  return readServiceLedger(entries).until;
}

/** A driver's pauses at an instant, by their ledger. A pause that was ended early counts with the time that it lasted. */
export function readPauses(entries: readonly ServiceEntry[], now: EpochMs): PauseTime {
  const { appliedMs, unusedMs } = readServiceLedger(entries, now);
  const from = now - PAUSE_LIMITS.perDays * DAY_MS;
  const begun = entries.filter(({ source }) => isPauseGrant(source) && unusedMs.has(source));
  const latest = begun.at(-1)?.source ?? null;
  const restMs = latest === null ? 0 : (unusedMs.get(latest) ?? 0);
  const ofYear = begun.filter(({ at }) => at > from);
  const lasted = entries.filter(({ source }) =>
    ofYear.some((pause) => source === pause.source || source === pauseEndSource(pause.source)),
  );
  const lastedMs = lasted.reduce((total, { source }) => total + (appliedMs.get(source) ?? 0), 0);
  return {
    until: restMs > 0 ? now + restMs : null,
    latest,
    count: begun.length,
    pausesLeft: Math.max(0, PAUSE_LIMITS.pauses - ofYear.length),
    daysLeft: Math.max(0, Math.floor(PAUSE_LIMITS.days - lastedMs / DAY_MS)),
  };
}

/** When the latest pause ends or ended; null if there was none. */
export function pausedUntilOf(entries: readonly ServiceEntry[]): EpochMs | null {
  const last = entries.at(-1);
  return last ? readPauses(entries, Math.max(...entries.map(({ at }) => at))).until : null;
}

/** How much of each grant ran in a span, by source; only grants that did. */
export function serviceUsedMs(
  entries: readonly ServiceEntry[],
  { from, to }: { from: EpochMs; to: EpochMs },
): ReadonlyMap<string, DurationMs> {
  const usedBy = (instant: EpochMs) =>
    readServiceLedger(
      entries.filter(({ at }) => at <= instant),
      instant,
    ).usedMs;
  const before = usedBy(from);
  const used = [...usedBy(to)].map(([source, ms]) => [source, ms - (before.get(source) ?? 0)] as const);
  return new Map(used.filter(([, ms]) => ms > 0));
}

function applyEntry(
  grants: ServiceGrant[],
  { source, durationMs }: ServiceEntry,
  appliedMs: ReadonlyMap<string, DurationMs>,
): DurationMs {
  const own = grants.find((grant) => source.startsWith(`${grant.source}:`));
  if (durationMs < 0) return 0 - takeFrom(own ? [own] : grants.filter(isService), -durationMs);
  const debit = source.endsWith(UNDONE) ? appliedMs.get(source.slice(0, -UNDONE.length)) : undefined;
  const addedMs = debit === undefined ? durationMs : Math.min(durationMs, Math.abs(debit));
  if (own) own.unusedMs += addedMs;
  else grants.push({ source, unusedMs: addedMs, usedMs: 0 });
  return addedMs;
}

const isService = ({ source }: ServiceGrant) => !isPauseGrant(source);

/** Time passes: a pause is used first, then the oldest grant. */
function run(grants: readonly ServiceGrant[], passedMs: DurationMs): void {
  let left = passedMs;
  const pauses = grants.filter(({ source }) => isPauseGrant(source));
  for (const grant of [...pauses, ...grants.filter(isService)]) {
    const part = Math.min(grant.unusedMs, left);
    grant.unusedMs -= part;
    grant.usedMs += part;
    left -= part;
  }
}

/** Takes from the oldest grant first. @returns how much it could take */
function takeFrom(grants: readonly ServiceGrant[], wantedMs: DurationMs): DurationMs {
  let taken = 0;
  for (const grant of grants) {
    const part = Math.min(grant.unusedMs, wantedMs - taken);
    grant.unusedMs -= part;
    taken += part;
  }
  return taken;
}

/** The time that is left until the end, pauses included: without service there is no pause. */
function sumUnused(grants: readonly ServiceGrant[]): DurationMs {
  const sum = (some: readonly ServiceGrant[]) => some.reduce((total, { unusedMs }) => total + unusedMs, 0);
  return sum(grants.filter(isService)) === 0 ? 0 : sum(grants);
}

/** A driver's service ledger as it was written: entries of one instant in the order in which they were inserted. */
export function serviceLedgerQuery(db: Db, driverId: DriverId | SQL) {
  return db
    .select()
    .from(serviceCredits)
    .where(eq(serviceCredits.driverId, driverId))
    .orderBy(asc(serviceCredits.at), sql`${serviceCredits}.rowid`);
}

/** The ledgers of several drivers, each in its order. */
export function serviceLedgersQuery(db: Db, driverIds: readonly DriverId[]) {
  return db
    .select()
    .from(serviceCredits)
    .where(isAmong(serviceCredits.driverId, driverIds))
    .orderBy(asc(serviceCredits.at), sql`${serviceCredits}.rowid`);
}

const known = alias(serviceCredits, "known");

/** The instant of a new entry: never before the driver's last one, so that the order survives differing clocks. */
export function atAfterLedger(driverId: SQL, now: EpochMs): SQL {
  return sql`max(${now}, coalesce((SELECT max(${known.at}) FROM ${serviceCredits} ${known}
    WHERE ${known.driverId} = ${driverId} AND ${known.at} < ${now + MINUTE_MS}), 0))`;
}
