import { useMutation } from "@tanstack/react-query";
import type { UndoResponse } from "../../../worker/contract/account/undo.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { undoChange } from "../../api/queries/undo.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { useNow } from "../../ui/use-now.ts";
import { errorMessage } from "../language/error-messages.ts";
import { DEVICE_TIME_ZONE, formatTime, formatUntil } from "../language/format.ts";
import { updateUndo } from "./undo-store.ts";

const CHANGE_LABELS = {
  phone: m.undo_changed_phone,
  password: m.undo_changed_password,
  factors: m.undo_changed_factors,
} satisfies Record<UndoResponse["kind"], () => string>;

/** What was changed, what undoing it does, and the button that does it. */
export function UndoOffer({ token, change }: { token: string; change: UndoResponse }) {
  const now = useNow(MINUTE_MS);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => undoChange(token),
    onSuccess: () => updateUndo({ isDone: true }),
    // Without a connection it says so, and doesn't wait for one.
    networkMode: "always",
  });
  const reading = { timeZone: DEVICE_TIME_ZONE, now };
  const code = error && errorCodeOf(error);
  return (
    <section className="card grid gap-4 p-5">
      <div>
        <h2 className="text-lg">{CHANGE_LABELS[change.kind]()}</h2>
        <p className="text-sm text-soft figures">{formatTime(change.changedAt, reading)}</p>
      </div>
      <p>{m.undo_if_not_you()}</p>
      <ul className="grid list-disc gap-2 pl-5 text-soft">
        <li className="figures">{m.undo_does_number({ digits: change.phoneEnd })}</li>
        <li>{m.undo_does_sign_out()}</li>
        <li>{m.undo_does_password()}</li>
      </ul>
      {error && (
        <FormError
          title={m.undo_failed()}
          hint={code === "conflict" ? m.undo_conflict() : errorMessage(error)}
        />
      )}
      <Button variant="primary" aria-disabled={isPending} onClick={() => isPending || mutate()}>
        {isPending ? m.undo_sending() : m.undo_button()}
      </Button>
      <p className="text-sm text-soft">
        {m.undo_if_you()} {m.undo_until({ until: formatUntil(change.expiresAt, reading) })}
      </p>
    </section>
  );
}
