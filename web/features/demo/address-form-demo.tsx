import { m } from "../../messages/messages.js";
import { FormDemo, validateRequired } from "./form-demo.tsx";

const isZip = (value: string) => (/^\d{5}$/.test(value.trim()) ? undefined : m.demo_form_zip_invalid());

const FIELDS = [
  { name: "warehouse", label: m.demo_form_warehouse, validate: validateRequired },
  { name: "street", label: m.demo_form_street, autoComplete: "street-address", validate: validateRequired },
  { name: "city", label: m.demo_form_city, autoComplete: "address-level2", validate: validateRequired },
  { name: "state", label: m.demo_form_state, autoComplete: "address-level1", validate: validateRequired },
  { name: "zip", label: m.demo_form_zip, autoComplete: "postal-code", validate: isZip },
];

/** Where a warehouse is that the list lacks. */
export function AddressFormDemo() {
  return (
    <FormDemo
      title={m.demo_form_address()}
      text={m.demo_form_address_text()}
      code="web/features/demo/address-form-demo.tsx"
      fields={FIELDS}
    />
  );
}
