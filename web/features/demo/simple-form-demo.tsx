import { m } from "../../messages/messages.js";
import { FormDemo, needed } from "./form-demo.tsx";

const FIELDS = [
  { name: "title", label: m.demo_form_title, check: needed },
  { name: "note", label: m.demo_form_note, check: () => undefined },
];

export function SimpleFormDemo() {
  return <FormDemo title={m.demo_form_simple()} fields={FIELDS} />;
}
