import { useMutation } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useSelector } from "@tanstack/react-store";
import { useRef, useState } from "react";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { fetchConfig } from "../../api/client/client.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { fetchExport, deleteDriverData } from "../../api/queries/account.ts";
import { deleteCognitoUser } from "../../api/session/auth.ts";
import { usesOwnPool } from "../../api/session/cognito-request.ts";
import { clearSession } from "../../api/session/session.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { Sheet } from "../../ui/sheet.tsx";
import { toast } from "../../ui/toast.ts";
import { useNow } from "../../ui/use-now.ts";
import { withFreshSignIn } from "../account/fresh-sign-in-sheet.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { formatUntil } from "../language/format.ts";
import { ClosedProfileCard } from "./profile-card.tsx";

const DIGITS = 4;

/** Exports the driver's data or deletes the account. */
export function YourData({ user }: { user: User }) {
  const [isDeleting, setDeleting] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => withFreshSignIn(fetchExport),
    onSuccess: ({ name, text }) => saveFile(name, { type: "application/json", text }),
  });
  return (
    <ClosedProfileCard title={m.profile_data()}>
      <p className="text-soft">{m.profile_export_text()}</p>
      {error && <FormError title={m.profile_export_failed()} hint={errorMessage(error)} />}
      <div className="flex flex-wrap gap-3">
        <Button aria-disabled={isPending} onClick={() => isPending || mutate()}>
          <Download aria-hidden className="size-4.5" />
          {isPending ? m.profile_exporting() : m.profile_export()}
        </Button>
        <Button variant="danger" onClick={() => setDeleting(true)}>
          {m.profile_delete()}
        </Button>
      </div>
      <Sheet
        open={isDeleting}
        onClose={() => setDeleting(false)}
        edge="middle"
        role="alertdialog"
        title={m.profile_delete_title()}
      >
        <DeleteAccount user={user} onCancel={() => setDeleting(false)} />
      </Sheet>
    </ClosedProfileCard>
  );
}

/** Says what is deleted and what stays, and asks for digits that nobody types by mistake. */
function DeleteAccount({ user, onCancel }: { user: User; onCancel: () => void }) {
  const router = useRouter();
  const isUnanswered = useRef(false);
  const form = useSubmitForm({
    defaultValues: { digits: "" },
    send: async () => {
      await withFreshSignIn(deleteDriverData).catch((error: unknown) => {
        // The try whose answer was lost deleted the account, and its sessions with it.
        if (isUnanswered.current && errorCodeOf(error) === "unauthenticated") return;
        isUnanswered.current ||= errorCodeOf(error) === "network";
        throw error;
      });
      // Off the signed-in screens first: without a session they would redirect to the sign-in.
      await router.navigate({ to: "/" });
      await deleteSignInAccount().then(
        () => toast(m.profile_deleted()),
        () => toast.error(m.profile_delete_failed(), { description: m.profile_delete_account_left() }),
      );
    },
    describeError: (error) => ({ message: { title: m.profile_delete_failed(), hint: errorMessage(error) } }),
  });
  const isDeleting = useSelector(form.store, ({ isSubmitting }) => isSubmitting);
  const now = useNow(MINUTE_MS);
  const lastDigits = user.phoneNumber.slice(-DIGITS);
  return (
    <form.AppForm>
      <form.Body className="grid grid-cols-1 gap-4">
        <ul className="grid list-disc gap-2 pl-5 text-soft">
          <li>{m.profile_delete_what()}</li>
          {user.goodStanding && user.expirationDateTimestamp > now && (
            <li>
              {m.profile_delete_service({
                until: formatUntil(user.expirationDateTimestamp, { timeZone: user.humanTimezone, now }),
              })}
            </li>
          )}
          <li>{m.profile_delete_books()}</li>
        </ul>
        <form.AppField
          name="digits"
          validators={{
            onDynamic: ({ value }) => (value === lastDigits ? undefined : m.profile_delete_wrong()),
          }}
        >
          {(field) => (
            <field.TextField
              label={m.profile_delete_confirm()}
              name="last-digits"
              inputMode="numeric"
              autoComplete="off"
              maxLength={DIGITS}
            />
          )}
        </form.AppField>
        <form.SubmitError />
        <div className="grid gap-3">
          <form.SubmitButton variant="danger" pendingLabel={m.profile_deleting()}>
            {m.profile_delete_button()}
          </form.SubmitButton>
          {/* The request is on its way: nothing takes it back. */}
          <Button variant="quiet" aria-disabled={isDeleting} onClick={() => isDeleting || onCancel()}>
            {m.cancel()}
          </Button>
        </div>
      </form.Body>
    </form.AppForm>
  );
}

/**
 * Deletes the user pool's account after everything else. With the embedded pool, the server has already deleted it.
 */
async function deleteSignInAccount(): Promise<void> {
  const { identity } = await fetchConfig();
  if (usesOwnPool(identity)) clearSession(identity);
  else await deleteCognitoUser();
}
