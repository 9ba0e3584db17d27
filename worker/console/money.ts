import {
  listDisputes,
  listPaymentsIn,
  listRefundsIn,
  loadMoney,
  type DaySpan,
  type MoneyCursor,
} from "../../db/queries/operators/money.ts";
import type { Period } from "../../db/shapes/units.ts";
import type {
  DisputesInList,
  MoneyInCurrency,
  MoneyListQuery,
  MoneyQuery,
  MoneyResponse,
  PaymentsInList,
  RefundsInList,
  RevenueLine,
} from "../contract/console/operator-money.ts";
import type { ConsoleContext } from "./acts.ts";
import { Temporal } from "temporal-polyfill";
import { ApiError } from "../http/errors/api-error.ts";

const PAGE_SIZE = 50;

/** Income and costs of some days. */
export async function loadMoneyReport(
  { db, deps }: ConsoleContext,
  query: MoneyQuery,
): Promise<MoneyResponse> {
  const days = daysIn(query);
  const found = await loadMoney(db, { days, span: spanOf(days), now: deps.now() });
  const { paying, returning, lost } = found.drivers;
  const rows = [...found.paid, ...found.returned, ...found.fees, ...found.disputeFees];
  const others = new Set(rows.map(({ currency }) => currency));
  others.delete(deps.config.currency);
  return {
    ...inCurrency(found, deps.config.currency),
    others: [...others].toSorted().map((currency) => inCurrency(found, currency)),
    points: found.points.map(({ kind: use, granted, spent }) =>
      // Points held for an unpaid plan weren't spent.
      use === "plans" ? { use, granted: 0, spent: spent - granted } : { use, granted, spent },
    ),
    drivers: { paying, returning, first: paying - returning, lost },
  };
}

type FoundMoney = Awaited<ReturnType<typeof loadMoney>>;

function inCurrency({ paid, returned, fees, disputeFees }: FoundMoney, currency: string): MoneyInCurrency {
  const of = <Row extends { currency: string }>(rows: readonly Row[]) =>
    rows.filter((row) => row.currency === currency);
  const [known] = of(fees);
  return {
    currency,
    revenue: toRevenue(of(paid), of(returned)),
    fees: {
      cents: known?.cents ?? 0,
      known: known?.known ?? 0,
      payments: known?.payments ?? 0,
      disputeCents: of(disputeFees)[0]?.cents ?? 0,
    },
  };
}

function toRevenue(paid: FoundMoney["paid"], returned: FoundMoney["returned"]): RevenueLine[] {
  const lines = new Map<string, RevenueLine>();
  const lineOf = ({ day, plan }: Pick<RevenueLine, "day" | "plan">): RevenueLine => {
    const known = lines.get(`${day} ${plan}`);
    if (known) return known;
    const line = { day, plan, payments: 0, grossCents: 0, refundedCents: 0, disputedCents: 0 };
    lines.set(`${day} ${plan}`, line);
    return line;
  };
  for (const { payments, cents, ...key } of paid) Object.assign(lineOf(key), { payments, grossCents: cents });
  for (const { refundedCents, disputedCents, ...key } of returned) {
    const line = lineOf(key);
    line.refundedCents += refundedCents;
    line.disputedCents += disputedCents;
  }
  return [...lines.values()].toSorted((a, b) => b.day.localeCompare(a.day));
}

function spanOf(days: readonly DaySpan[]): Period {
  return { from: days[0]?.from ?? 0, to: days.at(-1)?.to ?? 0 };
}

/** Payments of some days, newest first: a page, or as many as a file takes. */
export function listPayments(
  { db }: ConsoleContext,
  query: MoneyListQuery,
  size = PAGE_SIZE,
): Promise<PaymentsInList> {
  return pageOf(query, size, (page) => listPaymentsIn(db, page));
}

/** Refunds of some days, newest first. */
export function listRefunds(
  { db }: ConsoleContext,
  query: MoneyListQuery,
  size = PAGE_SIZE,
): Promise<RefundsInList> {
  return pageOf(query, size, (page) => listRefundsIn(db, page));
}

/** Open disputes, the soonest deadline first, then those of some days that are decided. */
export async function listDisputesOf(
  { db }: ConsoleContext,
  query: MoneyQuery,
  size = PAGE_SIZE,
): Promise<DisputesInList> {
  const rows = await listDisputes(db, { ...spanOf(daysIn(query)), limit: size + 1 });
  return { rows: rows.slice(0, size), hasMore: rows.length > size };
}

async function pageOf<Row extends { at: number; id: string }>(
  { cursor, ...days }: MoneyListQuery,
  size: number,
  list: (page: Period & { before: MoneyCursor | null; limit: number }) => Promise<Row[]>,
): Promise<{ rows: Row[]; cursor: string | null }> {
  const found = await list({ ...spanOf(daysIn(days)), before: parseCursor(cursor), limit: size + 1 });
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  return { rows, cursor: last && found.length > size ? `${last.at}.${last.id}` : null };
}

function parseCursor(cursor: string | undefined): MoneyCursor | null {
  if (cursor === undefined) return null;
  const [at = "", id = ""] = cursor.split(".");
  return { at: Number(at), id };
}

/** The most days of one call. */
const MOST_DAYS = 366;

/**
 * The calendar days from one to another, both included, as they begin and end in a time zone.
 * @throws {ApiError} `invalid_request` for days or a zone that don't exist, and for too many days
 */
export function daysIn({ from, to, zone }: { from: string; to: string; zone: string }): DaySpan[] {
  const first = parse("from", () => Temporal.PlainDate.from(from));
  const last = parse("to", () => Temporal.PlainDate.from(to));
  const count = first.until(last, { largestUnit: "day" }).days + 1;
  if (count < 1) throw new ApiError("invalid_request", { fields: { to: "too_small" } });
  if (count > MOST_DAYS) throw new ApiError("invalid_request", { fields: { from: "too_small" } });
  const startOf = (day: Temporal.PlainDate) =>
    parse("zone", () => day.toZonedDateTime(zone).epochMilliseconds);
  return Array.from({ length: count }, (_, index) => {
    const day = first.add({ days: index });
    return { day: day.toString(), from: startOf(day), to: startOf(day.add({ days: 1 })) };
  });
}

function parse<Value>(field: string, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw new ApiError("invalid_request", { fields: { [field]: "invalid" } });
  }
}
