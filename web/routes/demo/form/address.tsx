import { createFileRoute } from "@tanstack/react-router";
import { FormDemo, validateRequired } from "../../../features/demo/form-demo.tsx";
import { m } from "../../../messages/messages.js";

export const Route = createFileRoute("/demo/form/address")({ component: AddressFormDemo });

const isZip = (value: string) => (/^\d{5}$/.test(value.trim()) ? undefined : m.demo_form_zip_invalid());

const FIELDS = [
  { name: "warehouse", label: m.demo_form_warehouse, validate: validateRequired },
  { name: "street", label: m.demo_form_street, autoComplete: "street-address", validate: validateRequired },
  { name: "city", label: m.demo_form_city, autoComplete: "address-level2", validate: validateRequired },
  { name: "state", label: m.demo_form_state, autoComplete: "address-level1", validate: validateRequired },
  { name: "zip", label: m.demo_form_zip, autoComplete: "postal-code", validate: isZip },
];

/** Where a warehouse is that the list lacks. */
function AddressFormDemo() {
  return (
    <FormDemo
      title={m.demo_form_address()}
      text={m.demo_form_address_text()}
      code="web/routes/demo/form/address.tsx"
      fields={FIELDS}
    />
  );
}
