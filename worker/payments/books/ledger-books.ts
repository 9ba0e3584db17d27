import {
  hasLateTime,
  listUnbalancedEntries,
  loadBookedTotals,
  loadLastClosedDay,
} from "../../../db/queries/payments/journal.ts";
import {
  listOwedPayments,
  loadOwedTime,
  loadServiceLedgers,
} from "../../../db/queries/payments/owed-service.ts";
import { readServiceLedger } from "../../../db/queries/payments/service-time.ts";
import type { Db } from "../../../db/client.ts";
import { ledgerSource } from "../../../db/shapes/money/ledger-source.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { BookDifference } from "./compare-books.ts";
import { loadServiceTime } from "./earned.ts";
import { worthOf } from "./journal.ts";

/**
 * Where the journal disagrees with itself or with the ledgers of days and points: entries that don't add up to nothing,
 * days and points that only one side has, and service that is owed otherwise than it is unused.
 */
export async function compareLedgers(db: Db): Promise<BookDifference[]> {
  const [unbalanced, totals, closed] = await Promise.all([
    listUnbalancedEntries(db),
    loadBookedTotals(db),
    loadLastClosedDay(db),
  ]);
  return [
    ...unbalanced.map(({ entry, unit, amount }) => differ("entry", `${entry} ${amount} ${unit}`, 0)),
    ...(totals.journalMs === totals.ledgerMs ? [] : [differ("time", totals.journalMs, totals.ledgerMs)]),
    ...(totals.journalPoints === totals.ledgerPoints
      ? []
      : [differ("points", totals.journalPoints, totals.ledgerPoints)]),
    ...(closed === null ? [] : await compareOwed(db, closed)),
  ];
}

/** Compares what was owed at the end of a closed day, unless a clock that was behind wrote to it since: the next day says then. */
async function compareOwed(db: Db, day: number): Promise<BookDifference[]> {
  const until = (day + 1) * DAY_MS;
  if (await hasLateTime(db, day)) return [];
  const [owedMs, { unusedMs }, owed] = await Promise.all([
    loadOwedTime(db, day),
    loadServiceTime(db, { from: day * DAY_MS, to: until }),
    listOwedPayments(db, day),
  ]);
  const ledgers = await loadServiceLedgers(
    db,
    [...new Set(owed.map(({ payment }) => payment.driverId))],
    until,
  );
  const unearned = owed.flatMap(({ payment, owedCents }) => {
    const unused = readServiceLedger(ledgers.get(payment.driverId) ?? [], until).unusedMs;
    const worth = worthOf(payment, unused.get(ledgerSource(payment)) ?? 0);
    return -owedCents === worth
      ? []
      : [{ ...differ("service_owed", -owedCents, worth), paymentId: payment.id, intentId: payment.intentId }];
  });
  return [...(owedMs === unusedMs ? [] : [differ("time_owed", owedMs, unusedMs)]), ...unearned];
}

function differ(what: BookDifference["what"], journal: string | number, ledger: number): BookDifference {
  return { paymentId: null, intentId: null, what, stripe: `journal ${journal}`, ours: `ledger ${ledger}` };
}
