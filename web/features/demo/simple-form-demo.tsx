import { m } from "../../messages/messages.js";
import { FormDemo, validateRequired } from "./form-demo.tsx";

const FIELDS = [
  { name: "title", label: m.demo_form_title, validate: validateRequired },
  { name: "note", label: m.demo_form_note, validate: () => undefined },
];

export function SimpleFormDemo() {
  return <FormDemo title={m.demo_form_simple()} fields={FIELDS} />;
}
