import { useSelector } from "@tanstack/react-store";
import { toast } from "../../ui/toast.ts";
import { changePassword } from "../../api/session/auth.ts";
import { sessionStore } from "../../api/session/session.ts";
import { m } from "../../messages/messages.js";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { describeAuthError } from "./auth-messages.ts";
import { validatePassword } from "./field-validation.ts";
import { HiddenUsername } from "./fields.tsx";
import { NewPasswordFields } from "./new-password-fields.tsx";

const remountState = createRemountState();

/** The present password and a new one: a part of the profile. */
export function ChangePassword() {
  const phone = useSelector(sessionStore, (session) => session?.phoneNumber ?? "");
  const form = useSubmitForm({
    defaultValues: { present: "", password: "", repeated: "" },
    remountState,
    send: async ({ present, password }, { reset }) => {
      await changePassword(present, password);
      reset();
      toast(m.change_done());
    },
    describeError: (error) => ({
      ...describeAuthError("change", error),
      ...(!sessionStore.get() && { toast: m.change_sign_in_again() }),
    }),
  });
  return (
    <form.AppForm>
      <form.Body aria-label={m.change_title()} className="grid gap-4">
        <HiddenUsername phone={phone} />
        <form.AppField name="present" validators={{ onDynamic: ({ value }) => validatePassword(value) }}>
          {(field) => (
            <field.PasswordField
              label={m.change_present()}
              name="present-password"
              autoComplete="current-password"
            />
          )}
        </form.AppField>
        <NewPasswordFields
          form={form}
          fields={{ password: "password", repeated: "repeated" }}
          label={m.reset_new_password()}
        />
        <form.SubmitError />
        <form.SubmitButton pendingLabel={m.reset_sending()}>{m.reset_button()}</form.SubmitButton>
      </form.Body>
    </form.AppForm>
  );
}
