import { PLANS_FOR_SALE } from "../../../db/shapes/money/plans.ts";
import { formatPlan } from "../../features/payments/payment-labels.ts";
import { SelectField } from "../../ui/form/select-field.tsx";
import { m } from "../messages/messages.js";

/** One of the plans that are for sale. */
export function PlanField() {
  const options = PLANS_FOR_SALE.map((plan) => ({ value: plan, label: formatPlan(plan) }));
  return <SelectField label={m.plan()} name="plan" options={options} />;
}
