import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { DriverId } from "../../../db/shapes/units.ts";
import type {
  DisputeInList,
  MoneyQuery,
  PaymentInList,
  RefundInList,
} from "../../../worker/contract/console/operator-money.ts";
import { DEVICE_TIME_ZONE, formatCount, formatExactMoney } from "../../features/language/format.ts";
import { formatPlan, STATUS_LABELS } from "../../features/payments/payment-labels.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { disputesQuery, paymentsQuery, refundsQuery } from "../calls/money.ts";
import { CONSOLE_PATHS } from "../console-page.ts";
import { ExportButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { DataTable, Section, type Column } from "../tables/data-table.tsx";
import { formatInstant } from "../../features/language/format-instant.ts";
import { m } from "../messages/messages.js";
import { backLabel, disputeLabel } from "./money-labels.ts";
import { moneyColumn } from "./money-tables.tsx";
import { QueryState } from "../calls/load-states.tsx";

const MINUTE_MS = 60_000;
/** From here on a deadline is shown as one that presses. */
const SOON_MS = 72 * 60 * MINUTE_MS;

type Whose = { driverId: DriverId; name: string | null; currency: string };
const currencyOf = ({ currency }: Whose) => currency;

/** Disputes with their deadline, and what is to be done. */
export function Disputes({ days }: { days: MoneyQuery }) {
  const now = useNow(MINUTE_MS);
  const found = useQuery(disputesQuery(days));
  const columns: Column<DisputeInList>[] = [
    {
      id: "due",
      title: m.dispute_due(),
      renderCell: ({ dueAt }) =>
        dueAt !== null && (
          <span className={dueAt - now < SOON_MS ? "font-semibold text-bad" : ""}>
            {formatInstant(dueAt, { timeZone: DEVICE_TIME_ZONE, now })}
          </span>
        ),
    },
    driverColumn,
    moneyColumn<DisputeInList>(m.amount(), currencyOf, ({ cents }) => cents),
    { id: "do", title: m.dispute_do(), renderCell: (dispute) => disputeLabel(dispute, now) },
    {
      id: "reason",
      title: m.dispute_reason(),
      renderCell: ({ reason }) => reason.replaceAll("_", " "),
      isWideOnly: true,
    },
    { ...moneyColumn<DisputeInList>(m.fee(), currencyOf, ({ feeCents }) => feeCents), isWideOnly: true },
    { ...whenColumn<DisputeInList>(now), isWideOnly: true },
  ];
  return (
    <Section
      title={m.disputes()}
      note={m.disputes_note()}
      actions={
        <ExportButton
          order={{ table: "disputes", ...days }}
          table={m.disputes()}
          columns={() => CSV_COLUMNS.disputes(now)}
          rowsOf={({ disputes }) => disputes}
        />
      }
    >
      <QueryState query={found} />
      {found.data && (
        <DataTable
          label={m.disputes()}
          columns={columns}
          rows={found.data.rows}
          rowKey={({ id }) => id}
          empty={m.disputes_none()}
        />
      )}
      {found.data?.hasMore && (
        <p className="px-5 py-3 text-sm text-soft">
          {m.disputes_more({ count: formatCount(found.data.rows.length) })}
        </p>
      )}
    </Section>
  );
}

/** Refunds, newest first. */
export function RefundList({ days }: { days: MoneyQuery }) {
  const now = useNow(MINUTE_MS);
  const found = useInfiniteQuery(refundsQuery(days));
  const columns: Column<RefundInList>[] = [
    whenColumn(now),
    driverColumn,
    { id: "what", title: m.what(), renderCell: backLabel },
    { ...planColumn, isWideOnly: true },
    moneyColumn<RefundInList>(m.amount(), currencyOf, ({ cents }) => cents),
    {
      ...moneyColumn<RefundInList>(m.refund_of(), currencyOf, ({ totalCents }) => totalCents),
      isWideOnly: true,
    },
  ];
  return (
    <Section
      title={m.refunds()}
      actions={
        <ExportButton
          order={{ table: "refunds", ...days }}
          table={m.refunds()}
          columns={CSV_COLUMNS.refunds}
          rowsOf={({ refunds }) => refunds}
        />
      }
    >
      <QueryState query={found} />
      {found.data && (
        <DataTable
          label={m.refunds()}
          columns={columns}
          rows={found.data.pages.flatMap(({ rows }) => rows)}
          rowKey={({ id }) => id}
          empty={m.refunds_none()}
        />
      )}
      <MoreRows list={found} />
    </Section>
  );
}

/** Payments, newest first. */
export function PaymentList({ days }: { days: MoneyQuery }) {
  const now = useNow(MINUTE_MS);
  const found = useInfiniteQuery(paymentsQuery(days));
  const columns: Column<PaymentInList>[] = [
    whenColumn(now),
    driverColumn,
    { ...planColumn, isWideOnly: true },
    { id: "status", title: m.status(), renderCell: ({ status }) => STATUS_LABELS[status].name() },
    moneyColumn<PaymentInList>(m.amount(), currencyOf, ({ totalCents }) => totalCents),
    {
      ...moneyColumn<PaymentInList>(m.money_refunded(), currencyOf, ({ refundedCents }) => refundedCents),
      isWideOnly: true,
    },
    {
      id: "fee",
      title: m.fee(),
      renderCell: ({ processorFeeCents, currency }) =>
        processorFeeCents !== null && formatExactMoney(processorFeeCents, currency),
      isFigure: true,
      isWideOnly: true,
    },
  ];
  return (
    <Section
      title={m.payments()}
      actions={
        <ExportButton
          order={{ table: "payments", ...days }}
          table={m.payments()}
          columns={CSV_COLUMNS.payments}
          rowsOf={({ payments }) => payments}
        />
      }
    >
      <QueryState query={found} />
      {found.data && (
        <DataTable
          label={m.payments()}
          columns={columns}
          rows={found.data.pages.flatMap(({ rows }) => rows)}
          rowKey={({ id }) => id}
          empty={m.payments_none()}
        />
      )}
      <MoreRows list={found} />
    </Section>
  );
}

function MoreRows({
  list: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}) {
  if (!hasNextPage) return null;
  return (
    <Button
      variant="quiet"
      className="m-2 text-sm"
      aria-disabled={isFetchingNextPage}
      onClick={() => isFetchingNextPage || void fetchNextPage()}
    >
      {m.more_rows()}
    </Button>
  );
}

function whenColumn<Row extends { at: number }>(now: number): Column<Row> {
  return {
    id: "when",
    title: m.when(),
    renderCell: ({ at }) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now }),
  };
}

const planColumn: Column<Pick<PaymentInList, "plan">> = {
  id: "plan",
  title: m.plan(),
  renderCell: ({ plan }) => formatPlan(plan),
};

const driverColumn: Column<Whose> = {
  id: "driver",
  title: m.driver(),
  renderCell: ({ driverId, name }) =>
    name === null ? (
      <span className="text-soft">{m.account_deleted()}</span>
    ) : (
      <a href={CONSOLE_PATHS.driver(driverId)} className="underline underline-offset-4">
        {name}
      </a>
    ),
};
