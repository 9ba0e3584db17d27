import { PLANS_FOR_SALE, type PlanForSale } from "../../db/shapes/plans.ts";
import { Field, INPUT_CLASS } from "../ui/field.tsx";
import { formatPlan } from "../features/payments/payment-labels.ts";
import { m } from "./messages/messages.js";

/** One of the plans that are for sale. */
export function PlanField({ plan, onChange }: { plan: PlanForSale; onChange: (plan: PlanForSale) => void }) {
  return (
    <Field label={m.plan()}>
      {(props) => (
        <select
          {...props}
          value={plan}
          onChange={(event) => {
            const chosen = PLANS_FOR_SALE.find((one) => one === event.target.value);
            if (chosen) onChange(chosen);
          }}
          className={INPUT_CLASS}
        >
          {PLANS_FOR_SALE.map((one) => (
            <option key={one} value={one}>
              {formatPlan(one)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
