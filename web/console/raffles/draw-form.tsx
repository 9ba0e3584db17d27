import type { DeploymentAct } from "../../../worker/contract/console/operator-acts.ts";
import type { RaffleListResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { isSealKnown, openSeed } from "../../../db/shapes/money/sealed-seed.ts";
import { sha256Hex } from "../../../db/shapes/sha256-hex.ts";
import { FormEnd, ReasonField } from "../forms/fields.tsx";
import { m } from "../messages/messages.js";
import { parseReason } from "../forms/typed-values.ts";
import { useActForm, useDeploymentAct, type Described } from "../forms/use-act-form.ts";

type Raffle = RaffleListResponse["raffles"][number];

/** Draws a raffle: the seed is opened here, and sent only if it fits the fingerprint. */
export function DrawForm({ raffle, onClose }: { raffle: Raffle; onClose: () => void }) {
  const { id, sealedSeed } = raffle;
  const act = useDeploymentAct(onClose);
  const form = useActForm({
    defaultValues: { secret: "", reason: "" },
    describe: (input) => describeDraw(raffle, input),
    send: act.mutateAsync,
  });
  if (sealedSeed !== null && !isSealKnown(sealedSeed)) return <p>{m.note_draw_old({ id })}</p>;
  return (
    <form.AppForm>
      <form.Body className="grid gap-4">
        <p className="text-soft">{m.note_draw()}</p>
        <form.AppField name="secret">
          {({ TextField }) => (
            <TextField
              label={sealedSeed === null ? m.field_seed() : m.field_passphrase()}
              hint={sealedSeed === null ? m.field_seed_hint() : undefined}
              name="secret"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </form.AppField>
        <form.AppField name="reason">{() => <ReasonField />}</form.AppField>
        <FormEnd submitLabel={m.act_draw()} onClose={onClose} />
      </form.Body>
    </form.AppForm>
  );
}

async function describeDraw(
  { id, sealedSeed, seedHash }: Raffle,
  { secret, ...typed }: { secret: string; reason: string },
): Promise<Described<DeploymentAct>> {
  const reason = parseReason(typed.reason);
  const seed = sealedSeed === null ? secret : await openSeed(sealedSeed, { passphrase: secret.trim(), id });
  const fits = seed !== null && (await sha256Hex(seed)) === seedHash;
  if (fits && reason !== null) return { act: { act: "draw", raffle: id, seed, reason } };
  return {
    issues: {
      secret: fits ? undefined : m.issue_seed(),
      reason: reason === null ? m.issue_reason() : undefined,
    },
  };
}
