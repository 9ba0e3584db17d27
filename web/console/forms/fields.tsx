import { TextField, SelectField } from "../../ui/form/fields.tsx";
import { m } from "../messages/messages.js";
import { PLANS_FOR_SALE } from "../../../db/shapes/money/plans.ts";
import { formatPlan } from "../../features/payments/payment-labels.ts";
import { useOperator } from "../calls/operator.ts";
import { Button } from "../../ui/button.tsx";
import { SubmitButton, SubmitError } from "../../ui/form/app-form.tsx";

/** Why an act is done, which the log keeps. */
export function ReasonField({ hint }: { hint?: string | undefined }) {
  return <TextField label={m.field_reason()} hint={hint} name="reason" maxLength={300} />;
}

/** A date and a time of day, in the operator's own time zone. */
export function InstantField({ label, hint, name }: { label: string; hint?: string; name: string }) {
  return <TextField label={label} hint={hint} name={name} type="datetime-local" />;
}

/** One of the plans that are for sale. */
export function PlanField() {
  const options = PLANS_FOR_SALE.map((plan) => ({ value: plan, label: formatPlan(plan) }));
  return <SelectField label={m.plan()} name="plan" options={options} />;
}

/** A plan's price, in the deployment's currency. */
export function PriceField({ hint }: { hint?: string | undefined }) {
  const { currency } = useOperator();
  return (
    <TextField
      label={m.field_price({ currency })}
      hint={hint}
      name="price"
      inputMode="decimal"
      autoComplete="off"
    />
  );
}

/** How a form ends: why it was refused, unless a field says so, and its two buttons. */
export function FormEnd({
  submitLabel,
  variant = "primary",
  onClose,
}: {
  submitLabel: string;
  variant?: "primary" | "danger";
  onClose: () => void;
}) {
  return (
    <>
      <SubmitError />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{m.cancel()}</Button>
        <SubmitButton pendingLabel={submitLabel} variant={variant}>
          {submitLabel}
        </SubmitButton>
      </div>
    </>
  );
}
