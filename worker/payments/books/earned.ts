import { partsOf } from "../../../db/parts-of.ts";
import { loadLastClosedDay } from "../../../db/queries/payments/journal.ts";
import {
  bookOnDay,
  listOwedPayments,
  listPaymentsBooked,
  listServedDrivers,
  loadOwedTime,
  loadServiceLedgers,
  type OwedPayment,
} from "../../../db/queries/payments/owed-service.ts";
import { readServiceLedger } from "../../../db/queries/payments/service-time.ts";
import type { Db } from "../../../db/client.ts";
import type { JournalAccount, JournalLine } from "../../../db/shapes/money/journal.ts";
import { ledgerSource, paymentOfSource } from "../../../db/shapes/money/ledger-source.ts";
import {
  DAY_MS,
  type DriverId,
  type DurationMs,
  type EpochMs,
  type Period,
} from "../../../db/shapes/units.ts";
import { worthOf } from "./journal.ts";

/** How many drivers' ledgers, or payments, are read at once: the memory of a Worker has room for two years of a thousand. */
const BATCH_SIZE = 1_000;

/**
 * Books what was earned and used on a day that is over. Reads no line of days that are closed, except of payments whose service
 * still ran after them. Safe to repeat.
 */
export async function bookDay(db: Db, day: number, now: EpochMs): Promise<void> {
  const closed = await loadLastClosedDay(db);
  const from = day * DAY_MS;
  const since = closed === null ? from : Math.min(from, (closed + 1) * DAY_MS);
  const service = await loadServiceTime(db, { from, to: from + DAY_MS, since });
  await bookEarned(db, service, { day, now, after: closed ?? -1 });
  await bookUsed(db, service, { day, now });
}

/**
 * Books what was earned on a day that is over: of each payment, the money of the service that was used. The rest that is
 * owed is the worth of the unused days.
 */
async function bookEarned(
  db: Db,
  { ofPayments }: ServiceTimeOfAll,
  { day, now, after }: { day: number; now: EpochMs; after: number },
): Promise<void> {
  await eachOwedPayment(db, ofPayments, { after, day }, (owed) => {
    const lines = owed.flatMap((one) => earnedLines(one, ofPayments.get(one.payment.id) ?? 0, day));
    return bookOnDay(db, lines, { day, now });
  });
}

/** Hands on the payments of which the journal owes service at the end of a day and that may have changed, some at a time. */
export async function eachOwedPayment(
  db: Db,
  ofPayments: ServiceTimeOfAll["ofPayments"],
  { after, day }: { after: number; day: number },
  use: (owed: OwedPayment[]) => Promise<void> | void,
): Promise<void> {
  const ids = new Set([...ofPayments.keys(), ...(await listPaymentsBooked(db, { after, upTo: day }))]);
  for (const some of partsOf([...ids], BATCH_SIZE)) await use(await listOwedPayments(db, some, day));
}

/**
 * Books the service time that was used on a day that is over: what is owed then is what is unused. Days
 * that an entry was to take and that were used already stay given.
 */
async function bookUsed(
  db: Db,
  { unusedMs, untaken }: ServiceTimeOfAll,
  { day, now }: { day: number; now: EpochMs },
): Promise<void> {
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
  /** The unused service of each payment that has any, or had at `since`. */
  ofPayments: ReadonlyMap<string, DurationMs>;
};

/** @param since an instant before the span or at its begin */
export async function loadServiceTime(
  db: Db,
  { from, to, since }: Period & { since: EpochMs },
): Promise<ServiceTimeOfAll> {
  const ofPayments = new Map<string, DurationMs>();
  const found = { unusedMs: 0, untaken: { rewards: 0, goodwill: 0 }, ofPayments };
  for (let after: DriverId | null = null; ;) {
    const drivers: DriverId[] = await listServedDrivers(db, { from: since, to, after, limit: BATCH_SIZE });
    for (const [, entries] of await loadServiceLedgers(db, drivers, to)) {
      const { unusedMs, appliedMs } = readServiceLedger(entries, to);
      const before = readServiceLedger(
        entries.filter(({ at }) => at < since),
        since,
      );
      for (const [source, ms] of unusedMs) {
        found.unusedMs += ms;
        const payment = paymentOfSource(source);
        const isGrant = payment !== null && source === ledgerSource({ id: payment });
        if (isGrant && (ms > 0 || (before.unusedMs.get(source) ?? 0) > 0)) ofPayments.set(payment, ms);
      }
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
