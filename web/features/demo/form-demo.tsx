import { useState } from "react";
import { m } from "../../messages/messages.js";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { DemoPage } from "./demo-page.tsx";

type FormField = {
  name: string;
  label: () => string;
  autoComplete?: string;
  /** What is wrong with a value; undefined where nothing is. */
  validate: (value: string) => string | undefined;
};

export const validateRequired = (value: string) => (value.trim() ? undefined : m.field_required());

const isZip = (value: string) => (/^\d{5}$/.test(value.trim()) ? undefined : m.demo_form_zip_invalid());

const FIELDS = [
  { name: "warehouse", label: m.demo_form_warehouse, validate: validateRequired },
  { name: "street", label: m.demo_form_street, autoComplete: "street-address", validate: validateRequired },
  { name: "city", label: m.demo_form_city, autoComplete: "address-level2", validate: validateRequired },
  { name: "state", label: m.demo_form_state, autoComplete: "address-level1", validate: validateRequired },
  { name: "zip", label: m.demo_form_zip, autoComplete: "postal-code", validate: isZip },
];

/** A form that says at each field what is missing, and shows what was submitted. */
export function FormDemo({
  fields,
  ...page
}: {
  title: string;
  text: string;
  code: string;
  fields: readonly FormField[];
}) {
  const [submitted, setSubmitted] = useState<string | null>(null);
  const empty: Record<string, string> = Object.fromEntries(fields.map(({ name }) => [name, ""]));
  const form = useSubmitForm({
    defaultValues: empty,
    send: (values) => setSubmitted(fields.map(({ name }) => values[name]).join(", ")),
    describeError: (error) => ({ message: { title: String(error) } }),
  });
  return (
    <DemoPage {...page}>
      <form.AppForm>
        <form.Body className="grid gap-4">
          {fields.map(({ name, label, autoComplete = "off", validate }) => (
            <form.AppField key={name} name={name} validators={{ onDynamic: ({ value }) => validate(value) }}>
              {(field) => <field.TextField label={label()} name={name} autoComplete={autoComplete} />}
            </form.AppField>
          ))}
          <form.SubmitButton pendingLabel={m.demo_form_send()}>{m.demo_form_send()}</form.SubmitButton>
        </form.Body>
      </form.AppForm>
      <output>{submitted && m.demo_form_sent({ values: submitted })}</output>
    </DemoPage>
  );
}

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
