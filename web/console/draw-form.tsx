import { useState, type FormEvent } from "react";
import type { RaffleListResponse } from "../../worker/contract/operators.ts";
import { Field, INPUT_CLASS } from "../ui/field.tsx";
import { FormEnd } from "./form-end.tsx";
import { m } from "./messages/messages.js";
import { ReasonField } from "./reason-field.tsx";
import { isSealedHere, openSeed, sha256Hex } from "./sealed-seed.ts";
import { useDeploymentAct } from "./use-deployment-act.ts";

const SHORTEST_REASON = 3;

/** Draws a raffle: the seed is opened here, and sent only if it fits the fingerprint. */
export function DrawForm({
  raffle: { id, sealedSeed, seedHash },
  onClose,
}: {
  raffle: RaffleListResponse["raffles"][number];
  onClose: () => void;
}) {
  const send = useDeploymentAct(onClose);
  const [secret, setSecret] = useState("");
  const [reason, setReason] = useState("");
  const [issues, setIssues] = useState({ secret: false, reason: false });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = reason.trim();
    const seed = sealedSeed === null ? secret : await openSeed(sealedSeed, { passphrase: secret.trim(), id });
    const fits = seed !== null && (await sha256Hex(seed)) === seedHash;
    setIssues({ secret: !fits, reason: given.length < SHORTEST_REASON });
    if (fits && given.length >= SHORTEST_REASON)
      send.mutate({ act: "draw", raffle: id, seed, reason: given });
  };
  if (sealedSeed !== null && !isSealedHere(sealedSeed)) return <p>{m.note_draw_old({ id })}</p>;
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p className="text-soft">{m.note_draw()}</p>
      <Field
        label={sealedSeed === null ? m.field_seed() : m.field_passphrase()}
        {...(sealedSeed === null && { hint: m.field_seed_hint() })}
        error={issues.secret ? m.issue_seed() : undefined}
      >
        {(props) => (
          <input
            {...props}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
            className={INPUT_CLASS}
          />
        )}
      </Field>
      <ReasonField value={reason} isMissing={issues.reason} onChange={setReason} />
      <FormEnd error={send.error} isPending={send.isPending} submitLabel={m.act_draw()} onClose={onClose} />
    </form>
  );
}
