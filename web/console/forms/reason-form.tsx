import type { DeploymentAct } from "../../../worker/contract/console/operator-acts.ts";
import { FormEnd, ReasonField } from "./fields.tsx";
import { m } from "../messages/messages.js";
import { parseReason } from "./typed-values.ts";
import { useActForm, useDeploymentAct, type Described } from "./use-act-form.ts";

type Texts = { note: string; submitLabel: string; hint?: string };

/** An act that needs nothing but a reason. */
export function ReasonForm({
  toAct,
  onClose,
  ...texts
}: Texts & { toAct: (reason: string) => DeploymentAct; onClose: () => void }) {
  const act = useDeploymentAct(onClose);
  return <GivenReason {...texts} send={(reason) => act.mutateAsync(toAct(reason))} onClose={onClose} />;
}

/** Something that is done once there is a reason for it. */
export function GivenReason({
  note,
  submitLabel,
  hint,
  send,
  onClose,
}: Texts & { send: (reason: string) => Promise<unknown>; onClose: () => void }) {
  const form = useActForm({ defaultValues: { reason: "" }, describe: describeReason, send });
  return (
    <form.AppForm>
      <form.Body className="grid gap-4">
        <p className="text-soft">{note}</p>
        <form.AppField name="reason">{() => <ReasonField hint={hint} />}</form.AppField>
        <FormEnd submitLabel={submitLabel} onClose={onClose} />
      </form.Body>
    </form.AppForm>
  );
}

function describeReason({ reason: typed }: { reason: string }): Described<string> {
  const reason = parseReason(typed);
  return reason === null ? { issues: { reason: m.issue_reason() } } : { act: reason };
}
