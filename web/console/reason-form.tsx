import { useState, type FormEvent } from "react";
import type { DeploymentAct } from "../../worker/contract/operators.ts";
import { Button } from "../ui/button.tsx";
import { FormError } from "../ui/form-error.tsx";
import { consoleErrorMessage } from "./console-error-message.ts";
import { m } from "./messages/messages.js";
import { useOperator } from "./operator.ts";
import { ReasonField } from "./reason-field.tsx";
import { useDeploymentAct } from "./use-deployment-act.ts";

const SHORTEST_REASON = 3;

/** An act that needs nothing but a reason. */
export function ReasonForm({
  note,
  submitLabel,
  toAct,
  onClose,
}: {
  note: string;
  submitLabel: string;
  toAct: (reason: string) => DeploymentAct;
  onClose: () => void;
}) {
  const me = useOperator();
  const send = useDeploymentAct(onClose);
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = reason.trim();
    setMissing(given.length < SHORTEST_REASON);
    if (given.length >= SHORTEST_REASON) send.mutate(toAct(given));
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-soft">{note}</p>
      <ReasonField value={reason} isMissing={isMissing} onChange={setReason} />
      {send.isError && <FormError title={consoleErrorMessage(send.error, me)} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{m.cancel()}</Button>
        <Button type="submit" variant="primary" disabled={send.isPending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
