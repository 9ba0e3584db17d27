import { Button } from "../ui/button.tsx";
import { FormError } from "../ui/form-error.tsx";
import { consoleErrorMessage } from "./console-error-message.ts";
import { m } from "./messages/messages.js";
import { useOperator } from "./operator.ts";

/** How a form ends: why it was refused, unless a field says so, and its two buttons. */
export function FormEnd({
  error,
  isPending,
  submitLabel,
  onClose,
}: {
  error: Error | null;
  isPending: boolean;
  submitLabel: string;
  onClose: () => void;
}) {
  const me = useOperator();
  return (
    <>
      {error && <FormError title={consoleErrorMessage(error, me)} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{m.cancel()}</Button>
        <Button type="submit" variant="primary" disabled={isPending}>
          {submitLabel}
        </Button>
      </div>
    </>
  );
}
