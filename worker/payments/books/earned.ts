import {
  bookOnDay,
  listOwedPayments,
  listServedDrivers,
  loadOwedTime,
  loadServiceLedgers,
  type OwedPayment,
} from "../../../db/queries/payments/owed-service.ts";
import { readServiceLedger } from "../../../db/queries/payments/service-time.ts";
import type { Db } from "../../../db/client.ts";
import type { JournalAccount, JournalLine } from "../../../db/shapes/money/journal.ts";
import { ledgerSource } from "../../../db/shapes/money/ledger-source.ts";
import {
  DAY_MS,
  type DriverId,
  type DurationMs,
  type EpochMs,
  type Period,
} from "../../../db/shapes/units.ts";
import { worthOf } from "./journal.ts";

/** Payments whose drivers' ledgers are read at once. */
const BATCH_SIZE = 2_000;

/**
 * Books what was earned on a day that is over: of each payment, the money of the service that was used. The rest that is
 * owed is the worth of the unused days. Safe to repeat.
 */
export async function bookEarned(db: Db, day: number, now: EpochMs): Promise<void> {
  const owed = await listOwedPayments(db, day);
  const until = (day + 1) * DAY_MS;
  for (let at = 0; at < owed.length; at += BATCH_SIZE) {
    const batch = owed.slice(at, at + BATCH_SIZE);
    const drivers = [...new Set(batch.map(({ payment }) => payment.driverId))];
    const ledgers = await loadServiceLedgers(db, drivers, until);
    const lines = batch.flatMap((one) => {
      const { unusedMs } = readServiceLedger(ledgers.get(one.payment.driverId) ?? [], until);
      return earnedLines(one, unusedMs.get(ledgerSource(one.payment)) ?? 0, day);
    });
    await bookOnDay(db, lines, { day, now });
  }
}

/**
 * Books the service time that was used on a day that is over: what is owed then is what is unused. Days
 * that an entry was to take and that were used already stay given. Safe to repeat.
 */
export async function bookUsed(db: Db, day: number, now: EpochMs): Promise<void> {
  const { unusedMs, untaken } = await loadServiceTime(db, { from: day * DAY_MS, to: (day + 1) * DAY_MS });
  const kept = Object.values(untaken).reduce((total, ms) => total + ms, 0);
  const usedMs = (await loadOwedTime(db, day)) + kept - unusedMs;
  const post = (name: string, from: JournalAccount, to: JournalAccount, ms: DurationMs): JournalLine[] => {
    const line = { entry: `${name}:${day}`, unit: "ms", paymentId: null };
    return ms === 0
      ? []
      : [
          { ...line, account: from, amount: ms },
          { ...line, account: to, amount: -ms },
        ];
  };
  const lines = [
    ...post("untaken-rewards", "rewards", "time_owed", untaken.rewards),
    ...post("untaken-goodwill", "goodwill", "time_owed", untaken.goodwill),
    ...post("used", "time_owed", "time_used", usedMs),
  ];
  await bookOnDay(db, lines, { day, now });
}

/** The service of all drivers at the end of a span, by their ledgers. */
type ServiceTimeOfAll = {
  unusedMs: DurationMs;
  /** Time that entries of the span were to take and that was used already. */
  untaken: { rewards: DurationMs; goodwill: DurationMs };
};

export async function loadServiceTime(db: Db, { from, to }: Period): Promise<ServiceTimeOfAll> {
  const found = { unusedMs: 0, untaken: { rewards: 0, goodwill: 0 } };
  for (let after: DriverId | null = null; ;) {
    const drivers: DriverId[] = await listServedDrivers(db, { from, to, after, limit: BATCH_SIZE });
    for (const [, entries] of await loadServiceLedgers(db, drivers, to)) {
      const { unusedMs, appliedMs } = readServiceLedger(entries, to);
      for (const ms of unusedMs.values()) found.unusedMs += ms;
      for (const { source, durationMs, at } of entries)
        if (at >= from)
          found.untaken[source.startsWith("invitation:") ? "rewards" : "goodwill"] +=
            (appliedMs.get(source) ?? 0) - durationMs;
    }
    const last = drivers.at(-1);
    if (last === undefined || drivers.length < BATCH_SIZE) return found;
    after = last;
  }
}

/** The entry after which what is owed of a payment is the worth of its unused service. */
export function earnedLines(
  { payment, unit, owedCents }: OwedPayment,
  unusedMs: DurationMs,
  day: number,
): JournalLine[] {
  const earnedCents = -owedCents - worthOf(payment, unusedMs);
  if (earnedCents === 0) return [];
  const line = { entry: `earned:${day}:${payment.id}`, unit, paymentId: payment.id };
  return [
    { ...line, account: "service_owed", amount: earnedCents },
    { ...line, account: "revenue", amount: -earnedCents },
  ];
}
