import { useState, type FormEvent } from "react";
import type { DeploymentAct } from "../../worker/contract/operators.ts";
import { Button } from "../ui/button.tsx";
import { FormError } from "../ui/form-error.tsx";
import { consoleErrorMessage } from "./console-error-message.ts";
import { m } from "./messages/messages.js";
import { useOperator } from "./operator.ts";
import { ReasonField } from "./reason-field.tsx";
import { useDeploymentAct } from "./use-deployment-act.ts";

/** Ends a sale, whose plan costs the list price from now on, or a raffle. */
export function EndForm({
  note,
  label,
  actWith,
  onClose,
}: {
  note: string;
  label: string;
  actWith: (reason: string) => DeploymentAct;
  onClose: () => void;
}) {
  const me = useOperator();
  const send = useDeploymentAct(onClose);
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = reason.trim();
    setMissing(given.length < 3);
    if (given.length >= 3) send.mutate(actWith(given));
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-soft">{note}</p>
      <ReasonField value={reason} isMissing={isMissing} onChange={setReason} />
      {send.isError && <FormError title={consoleErrorMessage(send.error, me)} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{m.cancel()}</Button>
        <Button type="submit" variant="primary" disabled={send.isPending}>
          {label}
        </Button>
      </div>
    </form>
  );
}
