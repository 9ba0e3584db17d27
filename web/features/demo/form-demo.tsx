import { useState } from "react";
import { m } from "../../messages/messages.js";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { DemoPage } from "./demo-page.tsx";

type FormField = {
  name: string;
  label: () => string;
  autoComplete?: string;
  /** The fault of a value; undefined if there is none. */
  validate: (value: string) => string | undefined;
};

export const validateRequired = (value: string) => (value.trim() ? undefined : m.field_required());

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
