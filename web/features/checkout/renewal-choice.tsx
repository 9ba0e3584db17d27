import { useId } from "react";
import type { Quote } from "../../../worker/contract/money/payments.ts";
import { m } from "../../messages/messages.js";
import { formatMoney } from "../language/format.ts";

/** Asks whether to renew. Never ticked unless the driver does; then it says what they agree to, with the cap. */
export function RenewalChoice({
  quote,
  renews,
  onChange,
}: {
  quote: Quote;
  renews: boolean;
  onChange: (renews: boolean) => void;
}) {
  const textId = useId();
  const money = formatMoney(quote.renewalCapCents, quote.currency);
  return (
    <div className="border-t border-line pt-2">
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          name="renews"
          checked={renews}
          onChange={(event) => onChange(event.target.checked)}
          aria-describedby={textId}
          className="size-5.5 shrink-0 accent-(--ink)"
        />
        <span>{m.renew_choose()}</span>
      </label>
      <p id={textId} aria-live="polite" className="text-sm text-soft">
        {renews && m.renew_agree({ money })}
      </p>
    </div>
  );
}
