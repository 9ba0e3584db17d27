import { useForm } from "@tanstack/react-form";
import { useSelector } from "@tanstack/react-store";
import { useState } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { DemoPage } from "./demo-page.tsx";

type FormField = {
  name: string;
  label: () => string;
  autoComplete?: string;
  /** What is wrong with a value; undefined where nothing is. */
  validate: (value: string) => string | undefined;
};

export const validateRequired = (value: string) => (value.trim() ? undefined : m.field_required());

/** A form that says at each field what is missing, and shows what it took. */
export function FormDemo({ title, fields }: { title: string; fields: readonly FormField[] }) {
  const [submitted, setSubmitted] = useState<string | null>(null);
  const empty: Record<string, string> = Object.fromEntries(fields.map(({ name }) => [name, ""]));
  const form = useForm({
    defaultValues: empty,
    onSubmit: ({ value }) => setSubmitted(fields.map(({ name }) => value[name]).join(", ")),
  });
  const wasSubmitted = useSelector(form.store, (state) => state.submissionAttempts > 0);
  return (
    <DemoPage title={title}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void form.handleSubmit();
        }}
      >
        {fields.map(({ name, label, autoComplete = "off", validate }) => (
          <form.Field key={name} name={name} validators={{ onChange: ({ value }) => validate(value) }}>
            {(field) => (
              <TextField
                label={label()}
                name={name}
                autoComplete={autoComplete}
                value={field.state.value}
                onChange={field.handleChange}
                onBlur={field.handleBlur}
                error={wasSubmitted || field.state.meta.isBlurred ? field.state.meta.errors[0] : undefined}
              />
            )}
          </form.Field>
        ))}
        <Button variant="primary" type="submit">
          {m.demo_form_send()}
        </Button>
      </form>
      <output>{submitted && m.demo_form_sent({ values: submitted })}</output>
    </DemoPage>
  );
}
