import { createFileRoute } from "@tanstack/react-router";
import { FormDemo } from "../../../features/demo/form-demo.tsx";
import { m } from "../../../messages/messages.js";

export const Route = createFileRoute("/demo/form/simple")({ component: SimpleFormDemo });

const isScore = (value: string) =>
  /^(?:[1-9]|10)$/.test(value.trim()) ? undefined : m.demo_form_score_invalid();

const FIELDS = [
  { name: "score", label: m.demo_form_score, validate: isScore },
  { name: "comment", label: m.demo_form_comment, validate: () => undefined },
];

/** The question to a driver after a few captures. */
function SimpleFormDemo() {
  return (
    <FormDemo
      title={m.demo_form_simple()}
      text={m.demo_form_simple_text()}
      code="web/routes/demo/form/simple.tsx"
      fields={FIELDS}
    />
  );
}
