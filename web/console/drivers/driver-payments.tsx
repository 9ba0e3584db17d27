import type { DriverPage, PaymentLine } from "../../../worker/contract/console/operator-drivers.ts";
import { DEVICE_TIME_ZONE, formatExactMoney } from "../../features/language/format.ts";
import { formatPlan, STATUS_LABELS } from "../../features/payments/payment-labels.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import type { ActDraft } from "../acts/act-form.ts";
import type { Column } from "../tables/data-table.tsx";
import { DRIVER_CSV } from "./driver-csv.tsx";
import { DriverSection } from "./driver-section.tsx";
import { formatInstant } from "../../features/language/format-instant.ts";
import { m } from "../messages/messages.js";
import { useOperator } from "../calls/operator.ts";

const MINUTE_MS = 60_000;

type OwnPrice = DriverPage["prices"][number];

/** The driver's payments and refunds, with a refund button for each; and the prices that are theirs alone. */
export function DriverPayments({ page, onAct }: { page: DriverPage; onAct: (draft: ActDraft) => void }) {
  const now = useNow(MINUTE_MS);
  const { currency } = useOperator();
  const reading = { timeZone: DEVICE_TIME_ZONE, now };
  const columns: Column<PaymentLine>[] = [
    { id: "when", title: m.when(), renderCell: ({ at }) => formatInstant(at, reading) },
    // On a phone the last columns are out of sight.
    {
      id: "refund",
      title: m.what(),
      renderCell: (payment) =>
        payment.canCheck ? (
          <Button
            variant="quiet"
            className="-my-2 text-sm"
            aria-haspopup="dialog"
            onClick={() => onAct({ act: "check_payment", paymentId: payment.id })}
          >
            {m.act_check_payment()}
          </Button>
        ) : (
          payment.refundableCents > 0 && (
            <Button
              variant="quiet"
              className="-my-2 text-sm"
              aria-haspopup="dialog"
              onClick={() => onAct({ act: "refund", payment })}
            >
              {m.refund()}
            </Button>
          )
        ),
    },
    { id: "plan", title: m.plan(), renderCell: ({ plan }) => formatPlan(plan) },
    { id: "status", title: m.status(), renderCell: ({ status }) => STATUS_LABELS[status].name() },
    {
      id: "method",
      title: m.paid(),
      renderCell: ({ method, methodBrand, methodLast4 }) =>
        [methodBrand ?? method, methodLast4 && `•••• ${methodLast4}`].filter(Boolean).join(" "),
      isWideOnly: true,
    },
    {
      id: "total",
      title: m.price(),
      renderCell: (line) => formatExactMoney(line.totalCents, line.currency),
      isFigure: true,
    },
    {
      id: "back",
      title: m.given_back(),
      renderCell: (line) => (
        <>
          {formatExactMoney(line.refundedCents, line.currency)}
          {line.orderedCents > 0 && (
            <span className="block text-warn">
              {m.ordered({ money: formatExactMoney(line.orderedCents, line.currency) })}
            </span>
          )}
        </>
      ),
      isFigure: true,
    },
  ];
  const priceColumns: Column<OwnPrice>[] = [
    { id: "plan", title: m.plan(), renderCell: ({ plan }) => formatPlan(plan) },
    {
      id: "price",
      title: m.price(),
      renderCell: ({ priceCents }) => formatExactMoney(priceCents, currency),
      isFigure: true,
    },
    { id: "until", title: m.until(), renderCell: ({ endsAt }) => formatInstant(endsAt, reading) },
    {
      id: "end",
      title: m.end(),
      renderCell: ({ id, plan }) => (
        <Button
          variant="quiet"
          className="-my-2 text-sm"
          aria-haspopup="dialog"
          onClick={() => onAct({ act: "end_price", discountId: id, plan })}
        >
          {m.end()}
        </Button>
      ),
    },
  ];
  return (
    <div className="grid grid-cols-1 gap-6">
      <DriverSection
        page={page}
        part="payments"
        title={m.payments()}
        note={page.payments.some(({ canCheck }) => canCheck) ? m.payments_unsettled() : undefined}
        columns={columns}
        csvColumns={DRIVER_CSV.payments}
        rows={page.payments}
        rowKey={({ id }) => id}
      />
      {page.prices.length > 0 && (
        <DriverSection
          page={page}
          part="prices"
          title={m.prices()}
          columns={priceColumns}
          csvColumns={DRIVER_CSV.prices}
          rows={page.prices}
          rowKey={({ id }) => id}
        />
      )}
    </div>
  );
}
