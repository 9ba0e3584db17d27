import { TextField } from "../../ui/form/text-field.tsx";
import { m } from "../messages/messages.js";
import { useOperator } from "../calls/operator.ts";

/** What a plan costs, in the deployment's currency. */
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
