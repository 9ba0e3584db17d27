import { Button } from "../../ui/button.tsx";
import { SubmitButton, SubmitError } from "../../ui/form/app-form.tsx";
import { m } from "../messages/messages.js";

/** How a form ends: why it was refused, unless a field says so, and its two buttons. */
export function FormEnd({
  submitLabel,
  variant = "primary",
  onClose,
}: {
  submitLabel: string;
  variant?: "primary" | "danger";
  onClose: () => void;
}) {
  return (
    <>
      <SubmitError />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{m.cancel()}</Button>
        <SubmitButton pendingLabel={submitLabel} variant={variant}>
          {submitLabel}
        </SubmitButton>
      </div>
    </>
  );
}
