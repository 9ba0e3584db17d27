import { useRouter } from "@tanstack/react-router";
import { toast } from "sonner";
import type { User } from "../../../worker/contract/user.ts";
import { deleteDriverData } from "../../api/account-data.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { createFormStore, useFormValues } from "../account/form-store.ts";
import { useForm } from "../account/use-form.ts";
import { formatDateTime } from "../language/format.ts";
import { errorMessage } from "../language/error-messages.ts";
import { deleteSignInAccount } from "./delete-sign-in-account.ts";

const DIGITS = 4;

const formStore = createFormStore({ digits: "" });

/** Says what goes and what stays, and asks for something that nobody types by mistake. */
export function DeleteAccount({ user, onCancel }: { user: User; onCancel: () => void }) {
  const { digits } = useFormValues(formStore);
  const router = useRouter();
  const { form, isPending, fieldErrors, formError, onSubmit, clearErrors } = useForm({
    fields: ["digits"],
    validate: () => ({
      digits: digits === user.phoneNumber.slice(-DIGITS) ? undefined : m.profile_delete_wrong(),
    }),
    send: async () => {
      await deleteDriverData();
      // No screen of a driver's may stand any more: it would ask who is signed in.
      await router.navigate({ to: "/" });
      await deleteSignInAccount().then(
        () => toast(m.profile_deleted()),
        () => toast.error(m.profile_delete_failed(), { description: m.profile_delete_account_left() }),
      );
    },
    describeError: (error) => ({ message: { title: m.profile_delete_failed(), hint: errorMessage(error) } }),
  });
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
      <ul className="grid list-disc gap-2 pl-5 text-soft">
        <li>{m.profile_delete_what()}</li>
        {user.goodStanding && (
          <li>
            {m.profile_delete_service({
              until: formatDateTime(user.expirationDateTimestamp, user.humanTimezone),
            })}
          </li>
        )}
        <li>{m.profile_delete_books()}</li>
      </ul>
      <TextField
        label={m.profile_delete_confirm()}
        name="last-digits"
        inputMode="numeric"
        autoComplete="off"
        maxLength={DIGITS}
        value={digits}
        onChange={(digits) => {
          formStore.update({ digits });
          clearErrors({ digits });
        }}
        error={fieldErrors.get("digits")}
      />
      {formError && <FormError {...formError} />}
      <div className="grid gap-3">
        <Button type="submit" variant="danger" aria-disabled={isPending}>
          {isPending ? m.profile_deleting() : m.profile_delete_button()}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {m.cancel()}
        </Button>
      </div>
    </form>
  );
}
