import type { DeploymentAct } from "../../../worker/contract/console/operator-acts.ts";
import type { RaffleListResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { BEACON_SIGNATURE, QUICKNET } from "../../../db/shapes/money/beacon.ts";
import { isSealKnown, openSeed, type SeedKey } from "../../../db/shapes/money/sealed-seed.ts";
import { sha256Hex } from "../../../db/shapes/sha256-hex.ts";
import { FormEnd, ReasonField } from "../forms/fields.tsx";
import { m } from "../messages/messages.js";
import { parseReason } from "../forms/typed-values.ts";
import { useActForm, useDeploymentAct, type Described } from "../forms/use-act-form.ts";

type Raffle = RaffleListResponse["raffles"][number];

/** Draws a raffle: the seed is opened here, and sent only if it fits the fingerprint. */
export function DrawForm({
  raffle,
  onClose,
  onDrawn,
}: {
  raffle: Raffle;
  onClose: () => void;
  onDrawn: () => void;
}) {
  const { id, sealedSeed, closing } = raffle;
  const act = useDeploymentAct(onDrawn);
  const form = useActForm({
    defaultValues: { secret: "", signature: "", reason: "" },
    describe: (input) => describeDraw(raffle, input),
    send: act.mutateAsync,
    refusal: ({ signature }) => ({
      signature: signature && (signature === "required" ? m.issue_beacon_missing() : m.issue_beacon()),
    }),
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
        {closing && (
          <div className="grid gap-1">
            <form.AppField name="signature">
              {({ TextField }) => (
                <TextField
                  label={m.field_beacon({ round: closing.round })}
                  hint={m.field_beacon_hint()}
                  name="signature"
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                />
              )}
            </form.AppField>
            <a
              href={`${QUICKNET.url}/public/${closing.round}`}
              target="_blank"
              rel="noreferrer"
              className="justify-self-start text-sm underline underline-offset-4"
            >
              {m.beacon_address()}
            </a>
          </div>
        )}
        <form.AppField name="reason">{() => <ReasonField />}</form.AppField>
        <FormEnd submitLabel={m.act_draw()} onClose={onClose} />
      </form.Body>
    </form.AppForm>
  );
}

/** The draw that the form describes, or what is wrong with it. */
export async function describeDraw(
  { id, sealedSeed, seedHash }: Raffle,
  { secret, ...typed }: { secret: string; signature: string; reason: string },
): Promise<Described<DeploymentAct>> {
  const reason = parseReason(typed.reason);
  const seed = sealedSeed === null ? secret : await openTyped(sealedSeed, { passphrase: secret, id });
  const fits = seed !== null && (await sha256Hex(seed)) === seedHash;
  const signature = typed.signature.trim().toLowerCase();
  const isWritten = signature === "" || BEACON_SIGNATURE.test(signature);
  if (fits && isWritten && reason !== null)
    return { act: { act: "draw", raffle: id, seed, ...(signature !== "" && { signature }), reason } };
  return {
    issues: {
      secret: fits ? undefined : m.issue_seed(),
      signature: isWritten ? undefined : m.issue_beacon(),
      reason: reason === null ? m.issue_reason() : undefined,
    },
  };
}

/** Seeds were once sealed with the spaces around a passphrase, and `npm run ops` seals with them. */
async function openTyped(sealed: string, { passphrase, id }: SeedKey): Promise<string | null> {
  return (
    (await openSeed(sealed, { passphrase: passphrase.trim(), id })) ??
    (await openSeed(sealed, { passphrase, id }))
  );
}
