import type { Quote } from "../../../worker/contract/money/payments.ts";
import { m } from "../../messages/messages.js";
import { useOnline } from "../../ui/use-online.ts";
import { formatCount } from "../language/format.ts";
import { METHOD_CLASS, PayBar } from "./checkout-layout.tsx";
import { usePaymentForm } from "./use-payment-form.ts";

/** Where points cover the whole price: no card, only a button. */
export function PointsForm({
  quote,
  isStale,
  lastPaymentId,
}: {
  quote: Quote;
  isStale: boolean;
  lastPaymentId: string | null;
}) {
  const { form } = usePaymentForm({ quote, lastPaymentId, card: null });
  const isHeld = !useOnline() || isStale;
  return (
    <form.AppForm>
      <form.Body isHeld={isHeld} className="contents">
        <div className={METHOD_CLASS}>
          <p className="text-soft">{m.pay_points_cover()}</p>
        </div>
        <PayBar quote={quote} isStale={isStale} isFilled>
          <form.SubmitError />
          <form.SubmitButton
            isHeld={isHeld}
            pendingLabel={m.pay_paying()}
            className="w-full aria-disabled:opacity-55"
          >
            {m.pay_button_points({ points: formatCount(quote.points) })}
          </form.SubmitButton>
        </PayBar>
      </form.Body>
    </form.AppForm>
  );
}
