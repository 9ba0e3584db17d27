import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { requestPasswordReset } from "../../api/auth.ts";
import { toE164 } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { accountStore, updateAccount } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";
import { validatePhone } from "./field-validation.ts";
import { PhoneField } from "./phone-field.tsx";
import { useForm } from "./use-form.ts";

/** Asks for the number to which the code goes. */
export function ForgotForm() {
  const phone = useSelector(accountStore, (state) => state.phone);
  const { form, isPending, fieldErrors, formError, onSubmit, clearErrors } = useForm({
    fields: ["phone"],
    validate: () => ({ phone: validatePhone(phone) }),
    send: async () => {
      const number = toE164(phone) ?? "";
      await requestPasswordReset(number);
      updateAccount({ resettingPhone: number, codeSentAt: Date.now() });
    },
    describeError: (error) => describeAuthError("forgot", error),
  });
  return (
    <TitledPage width="form" title={m.forgot_title()} text={m.forgot_text()}>
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        <PhoneField
          value={phone}
          onChange={(phone) => {
            updateAccount({ phone });
            clearErrors({ phone });
          }}
          error={fieldErrors.get("phone")}
        />
        {formError && <FormError {...formError} />}
        <Button type="submit" variant="primary" aria-disabled={isPending}>
          {isPending ? m.forgot_sending() : m.forgot_button()}
        </Button>
      </form>
      <Link to="/login" className={buttonClass("quiet")}>
        {m.forgot_back()}
      </Link>
    </TitledPage>
  );
}
