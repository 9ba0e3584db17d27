import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Clock } from "lucide-react";
import type { PaymentInProgress } from "../../../worker/contract/money/payments.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { cancelPayment, paymentQuery } from "../../api/queries/payments.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { errorMessage } from "../language/error-messages.ts";
import { formatMoney, formatTime } from "../language/format.ts";
import { useUser } from "../session/use-user.ts";
import { formatPlan } from "./payment-labels.ts";

/** A payment that the bank has: what it is, since when, what that means, and whether it can be canceled. */
export function PaymentUnderWay({
  inProgress,
  onRefresh,
}: {
  inProgress: PaymentInProgress;
  onRefresh: () => void;
}) {
  const queryClient = useQueryClient();
  const { humanTimezone: timeZone } = useUser();
  const now = useNow(MINUTE_MS);
  const { id, plan, totalCents, currency, since, canCancel } = inProgress;
  const cancel = useMutation({
    mutationFn: () => cancelPayment(id),
    onSuccess: (response) => cacheResponse(queryClient, paymentQuery(id), response),
  });
  const wasRefused = cancel.data?.payment.status === "processing";
  const mayCancel = canCancel && !wasRefused;
  return (
    <StatusPanel
      Icon={Clock}
      title={m.pay_processing_title()}
      actions={
        <>
          <Button onClick={onRefresh}>{m.pay_look_again()}</Button>
          {mayCancel && (
            <Button
              variant="quiet"
              aria-disabled={cancel.isPending}
              onClick={() => cancel.isPending || cancel.mutate()}
            >
              {cancel.isPending ? m.pay_canceling() : m.pay_cancel()}
            </Button>
          )}
          {cancel.error && <FormError title={m.pay_cancel_failed()} hint={errorMessage(cancel.error)} />}
        </>
      }
    >
      <span className="figures mb-2 block font-semibold text-ink">
        {m.pay_processing_since({
          money: formatMoney(totalCents, currency),
          plan: formatPlan(plan),
          time: formatTime(since, { timeZone, now }),
        })}
      </span>
      {m.pay_processing_text()}
      <span className="mt-2 block">{mayCancel ? m.pay_processing_cancel() : m.pay_processing_final()}</span>
    </StatusPanel>
  );
}
