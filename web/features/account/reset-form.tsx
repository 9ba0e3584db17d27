import { useRouter } from "@tanstack/react-router";
import { requestPasswordReset, resetPassword } from "../../api/auth.ts";
import { formatPhone } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { updateAccount } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";
import { validateCode, validateNewPassword } from "./field-validation.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { ResendCode } from "./resend-code.tsx";
import { createFormStore, useFormValues } from "./form-store.ts";
import { useForm } from "./use-form.ts";

const formStore = createFormStore({ code: "", password: "", repeated: "" });

/** Takes the code and the new password. */
export function ResetForm({ phone }: { phone: string }) {
  const values = useFormValues(formStore);
  const router = useRouter();
  const { form, isPending, fieldErrors, formError, onSubmit, clearErrors } = useForm({
    fields: ["code", "password", "repeated"],
    validate: () => ({ code: validateCode(values.code), ...validateNewPassword(values) }),
    send: async () => {
      await resetPassword({ phone, code: values.code, password: values.password });
      updateAccount({ resettingPhone: null, phone: formatPhone(phone), notice: "password_changed" });
      await router.navigate({ to: "/login" });
    },
    describeError: (error) => describeAuthError("reset", error),
  });
  const change = (next: Partial<typeof values>) => {
    formStore.update(next);
    clearErrors(next);
  };
  return (
    <TitledPage width="form" title={m.forgot_title()} text={m.code_sent_to({ phone: formatPhone(phone) })}>
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        <input type="text" name="username" autoComplete="username" value={phone} readOnly hidden />
        <CodeField
          label={m.code_label()}
          value={values.code}
          onChange={(code) => change({ code })}
          error={fieldErrors.get("code")}
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
      <ResendCode send={() => requestPasswordReset(phone)} />
      <Button variant="quiet" onClick={() => updateAccount({ resettingPhone: null })}>
        {m.code_other_number()}
      </Button>
    </TitledPage>
  );
}
