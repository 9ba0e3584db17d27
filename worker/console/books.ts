import { listOpenPaymentAlerts } from "../../db/queries/payments/alerts.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import {
  listJournal,
  listRevenue,
  loadLastClosedDay,
  loadTrialBalance,
} from "../../db/queries/payments/journal.ts";
import { loadAlerts } from "../../db/queries/fleet/alerts.ts";
import {
  MOST_RECONCILED_DAYS,
  type AlertsResponse,
  type JournalResponse,
  type ReconcileResponse,
} from "../contract/console/operator-money.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { reconcileBooks } from "../payments/books/reconcile-books.ts";
import type { ConsoleContext } from "./acts.ts";
import { daysIn } from "./money.ts";

/** The most alerts of money that are listed. */
const LIST_SIZE = 500;

/** The most lines of the journal in one file. */
const JOURNAL_SIZE = 20_000;

/** Alerts that an operator must look at, oldest first. */
export async function listOpenAlerts({ db, deps }: ConsoleContext): Promise<AlertsResponse> {
  const [payments, services] = await Promise.all([
    listOpenPaymentAlerts(db, LIST_SIZE + 1),
    loadAlerts(db, deps.now()),
  ]);
  const alerts = [
    ...payments.slice(0, LIST_SIZE).map(({ kind, paymentId, intentId, at }) => {
      return { about: "payment" as const, kind, paymentId, intentId, at };
    }),
    ...services.map(({ name, reason, since }) => ({ about: "service" as const, name, reason, at: since })),
  ];
  return {
    alerts: alerts.toSorted((one, other) => one.at - other.at),
    hasMore: payments.length > LIST_SIZE,
  };
}

/**
 * Stripe's books next to ours.
 * @throws {ApiError} `cards_unavailable` without keys, `invalid_request` for days that don't exist, or for too many
 */
export async function reconcileDays(
  { db, cards }: ConsoleContext,
  { from, to }: { from: string; to: string },
): Promise<ReconcileResponse> {
  const days = daysIn({ from, to, zone: "UTC" });
  if (days.length > MOST_RECONCILED_DAYS)
    throw new ApiError("invalid_request", { fields: { from: "too_small" } });
  if (!cards) throw new ApiError("cards_unavailable");
  const span = { from: days[0]?.from ?? 0, to: days.at(-1)?.to ?? 0 };
  return reconcileBooks({ db, fetchBooks: (of) => cards.fetchBooks(of) }, span);
}

/** The trial balance, the lines and the revenue of some days, for an accountant. */
export async function loadJournal(
  { db }: ConsoleContext,
  { from, to }: { from: string; to: string },
): Promise<JournalResponse> {
  const days = daysIn({ from, to, zone: "UTC" });
  const dayOf = (at: number | undefined) => Math.floor((at ?? 0) / DAY_MS);
  const [first, last] = [dayOf(days[0]?.from), dayOf(days.at(-1)?.from)];
  const [lines, balance, closed, revenue] = await Promise.all([
    listJournal(db, { from: first, to: last, limit: JOURNAL_SIZE + 1 }),
    loadTrialBalance(db, last),
    loadLastClosedDay(db),
    listRevenue(db, { from: first, to: last }),
  ]);
  return {
    closedUntil: closed === null ? null : formatDay(closed),
    balance,
    lines: lines
      .slice(0, JOURNAL_SIZE)
      .map(({ at: _at, ...line }) => ({ ...line, day: formatDay(line.day) })),
    hasMore: lines.length > JOURNAL_SIZE,
    revenue: revenue.map((line) => ({ ...line, day: formatDay(line.day) })),
  };
}

function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
