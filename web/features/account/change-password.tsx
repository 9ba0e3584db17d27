import { useSelector } from "@tanstack/react-store";
import { toast } from "sonner";
import { changePassword } from "../../api/auth.ts";
import { sessionStore } from "../../api/session.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { describeAuthError } from "./auth-messages.ts";
import { validateNewPassword, validatePassword } from "./field-validation.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { createFormStore, useFormValues } from "./form-store.ts";
import { useForm } from "./use-form.ts";

const formStore = createFormStore({ present: "", password: "", repeated: "" });

/** The present password and a new one: a part of the profile. */
export function ChangePassword() {
  const values = useFormValues(formStore);
  const phone = useSelector(sessionStore, (session) => session?.phoneNumber ?? "");
  const { form, isPending, fieldErrors, formError, onSubmit, clearErrors } = useForm({
    fields: ["present", "password", "repeated"],
    validate: () => ({ present: validatePassword(values.present), ...validateNewPassword(values) }),
    send: async () => {
      await changePassword(values.present, values.password);
      formStore.reset();
      toast(m.change_done());
    },
    describeError: (error) => describeAuthError("change", error),
  });
  const change = (next: Partial<typeof values>) => {
    formStore.update(next);
    clearErrors(next);
  };
  return (
    <form ref={form} noValidate onSubmit={onSubmit} aria-label={m.change_title()} className="grid gap-4">
      <input type="text" name="username" autoComplete="username" value={phone} readOnly hidden />
      <PasswordField
        label={m.change_present()}
        name="present-password"
        autoComplete="current-password"
        value={values.present}
        onChange={(present) => change({ present })}
        error={fieldErrors.get("present")}
      />
      <NewPasswordFields
        label={m.reset_new_password()}
        values={values}
        onChange={change}
        fieldErrors={fieldErrors}
      />
      {formError && <FormError {...formError} />}
      <Button type="submit" variant="primary" aria-disabled={isPending}>
        {isPending ? m.reset_sending() : m.reset_button()}
      </Button>
    </form>
  );
}
