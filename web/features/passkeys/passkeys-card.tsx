import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import type { Passkey, PasskeysResponse } from "../../../worker/contract/account/passkeys.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { sessionsQuery } from "../../api/queries/account.ts";
import { passkeysQuery, removePasskey, renamePasskey } from "../../api/queries/passkeys.ts";
import { hasPasskeys } from "../../api/session/passkey-hints.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { handFocusOn } from "../../ui/hand-focus-on.ts";
import { FormError } from "../../ui/notices.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { toast } from "../../ui/toast.ts";
import { useNow } from "../../ui/use-now.ts";
import { useOpened } from "../../ui/use-opened.ts";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { withFreshSignIn } from "../account/fresh-sign-in-sheet.tsx";
import { LoadBoundary, LoadError, type CaughtError } from "../errors/load-error.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { formatTime, formatUntil } from "../language/format.ts";
import { ProfileCard } from "../profile/profile-card.tsx";
import { RecoveryWarning } from "./recovery-warning.tsx";
import { useAddPasskey } from "./use-add-passkey.ts";

const MAX_NAME_LENGTH = 60;

/** The passkey that a sheet is about, and what for. */
type Opened = { passkey: Passkey; purpose: "rename" | "remove" };

/** The driver's passkeys: add, name and remove them. */
export function PasskeysCard({ user }: { user: User }) {
  return (
    <ProfileCard title={m.passkeys_title()}>
      <p className="text-soft">{m.passkeys_lead()}</p>
      <LoadBoundary skeleton={<Skeleton className="h-24" />} errorComponent={PasskeysError}>
        <Passkeys timeZone={user.humanTimezone} />
      </LoadBoundary>
    </ProfileCard>
  );
}

function Passkeys({ timeZone }: { timeZone: string }) {
  const { data } = useSuspenseQuery(passkeysQuery);
  const { passkeys, limit, recoveredAt, removableFrom } = data;
  const { opened, open, close } = useOpened<Opened>();
  const { add, forgetProblem, isPending, problem } = useAddPasskey();
  const now = useNow(MINUTE_MS);
  const openAnew = (next: Opened) => {
    // Each press has its own outcome alone.
    forgetProblem();
    open(next);
  };
  return (
    <>
      {recoveredAt !== null && <RecoveryWarning at={recoveredAt} timeZone={timeZone} />}
      {passkeys.length === 0 && <p className="text-sm text-soft">{m.passkeys_none()}</p>}
      <PasskeyList data={data} timeZone={timeZone} onOpen={openAnew} />
      {removableFrom !== null && passkeys.length > 0 && (
        <p className="text-sm text-soft figures">
          {m.passkeys_held_until({ time: formatUntil(removableFrom, { timeZone, now }) })}
        </p>
      )}
      {problem && <FormError {...problem} />}
      {hasPasskeys() && passkeys.length < limit && (
        <Button className="justify-self-start" aria-disabled={isPending} onClick={add}>
          {isPending ? m.passkeys_adding() : m.passkeys_add()}
        </Button>
      )}
      <Sheet
        open={opened?.purpose === "rename"}
        onClose={close}
        edge="middle"
        title={m.passkeys_rename_named({ name: opened?.passkey.name ?? "" })}
      >
        {opened && <RenameForm passkey={opened.passkey} onClose={close} />}
      </Sheet>
      <Sheet
        open={opened?.purpose === "remove"}
        onClose={close}
        edge="middle"
        role="alertdialog"
        title={m.passkeys_remove_title({ name: opened?.passkey.name ?? "" })}
      >
        {opened && <RemoveConfirmation passkey={opened.passkey} onClose={close} />}
      </Sheet>
    </>
  );
}

function PasskeyList({
  data: { passkeys, removableFrom },
  timeZone,
  onOpen,
}: {
  data: PasskeysResponse;
  timeZone: string;
  onOpen: (opened: Opened) => void;
}) {
  const now = useNow(MINUTE_MS);
  const time = (at: number) => formatTime(at, { timeZone, now });
  if (passkeys.length === 0) return null;
  return (
    <ul className="divide-y divide-line">
      {passkeys.map((passkey) => (
        <li
          key={passkey.id}
          ref={handFocusOn}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
        >
          <div className="min-w-0">
            <p className="font-semibold wrap-anywhere">{passkey.name}</p>
            <p className="text-sm text-soft figures">
              {[
                m.passkeys_added_at({ time: time(passkey.createdAt) }),
                passkey.isCurrent && m.passkeys_current(),
                !passkey.isCurrent &&
                  passkey.lastUsedAt !== null &&
                  m.passkeys_used_at({ time: time(passkey.lastUsedAt) }),
              ]
                .filter((part) => part !== false)
                .join(" · ")}
            </p>
          </div>
          <div className="flex shrink-0 gap-2">
            <Button
              aria-label={m.passkeys_rename_named({ name: passkey.name })}
              onClick={() => onOpen({ passkey, purpose: "rename" })}
            >
              {m.passkeys_rename()}
            </Button>
            {removableFrom === null && (
              <Button
                aria-label={m.passkeys_remove_named({ name: passkey.name })}
                onClick={() => onOpen({ passkey, purpose: "remove" })}
              >
                {m.passkeys_remove()}
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function RenameForm({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useSubmitForm({
    defaultValues: { name: passkey.name },
    send: async ({ name }) => {
      await renamePasskey(passkey.id, name.trim());
      await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
      onClose();
      toast(m.passkeys_renamed());
    },
    describeError: (error) => ({ message: { title: m.passkeys_rename_failed(), hint: errorMessage(error) } }),
  });
  return (
    <form.AppForm>
      <form.Body className="grid gap-4">
        <form.AppField
          name="name"
          validators={{
            onDynamic: ({ value }) => (value.trim() === "" ? m.passkeys_name_required() : undefined),
          }}
        >
          {(field) => (
            <field.TextField
              label={m.passkeys_name()}
              name="passkey-name"
              autoComplete="off"
              maxLength={MAX_NAME_LENGTH}
              isFirst
            />
          )}
        </form.AppField>
        <form.SubmitError />
        <form.SubmitButton pendingLabel={m.save_saving()}>{m.save_button()}</form.SubmitButton>
      </form.Body>
    </form.AppForm>
  );
}

function RemoveConfirmation({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => withFreshSignIn(() => removePasskey(passkey.id)),
    onSuccess: async () => {
      onClose();
      toast(m.passkeys_removed());
      await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  return (
    <div className="grid gap-4">
      <p>{m.passkeys_remove_text()}</p>
      {error && <FormError title={m.passkeys_remove_failed()} hint={errorMessage(error)} />}
      <div className="grid gap-3">
        <Button variant="danger" aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {m.passkeys_remove()}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {m.cancel()}
        </Button>
      </div>
    </div>
  );
}

function PasskeysError(caught: CaughtError) {
  return <LoadError {...caught} isPart Icon={KeyRound} title={m.passkeys_failed()} />;
}
