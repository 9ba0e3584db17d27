import { useState, type FormEvent } from "react";
import type { DeploymentAct } from "../../worker/contract/operators.ts";
import { FormEnd } from "./form-end.tsx";
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
      <FormEnd error={send.error} isPending={send.isPending} submitLabel={submitLabel} onClose={onClose} />
    </form>
  );
}
