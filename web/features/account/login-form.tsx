import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { AuthError } from "../../api/auth-error.ts";
import { toE164 } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { accountStore, updateAccount } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";
import { signInWithRecord } from "./sign-in-flow.ts";
import { validatePassword, validatePhone } from "./field-validation.ts";
import { PhoneField } from "./phone-field.tsx";
import { createFormStore, useFormValues } from "./form-store.ts";
import { useForm } from "./use-form.ts";

const formStore = createFormStore({ password: "" });

/** Phone and password. An account that is not confirmed yet goes on to its code. */
export function LoginForm({ lead }: { lead: string | undefined }) {
  const phone = useSelector(accountStore, (state) => state.phone);
  const notice = useSelector(accountStore, (state) => state.notice);
  const { password } = useFormValues(formStore);
  const queryClient = useQueryClient();
  const { form, isPending, fieldErrors, formError, onSubmit, clearErrors } = useForm({
    fields: ["phone", "password"],
    validate: () => ({ phone: validatePhone(phone), password: validatePassword(password) }),
    send: async () => {
      const credentials = { phone: toE164(phone) ?? "", password, name: null };
      try {
        await signInWithRecord(queryClient, credentials);
      } catch (error) {
        if (!(error instanceof AuthError && error.code === "UserNotConfirmedException")) throw error;
        updateAccount({ unconfirmed: credentials, notice: null });
      }
    },
    describeError: (error) => describeAuthError("signIn", error),
  });
  return (
    <TitledPage width="form" title={m.login_title()}>
      {notice === "sign_in_by_hand" && <FormError title={m.register_login_failed()} />}
      {notice === "password_changed" && <output className="card px-4 py-3">{m.reset_done()}</output>}
      {lead && !notice && <p className="card px-4 py-3">{lead}</p>}
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        <PhoneField
          value={phone}
          onChange={(phone) => {
            updateAccount({ phone });
            clearErrors({ phone });
          }}
          error={fieldErrors.get("phone")}
        />
        <PasswordField
          label={m.account_password()}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(password) => {
            formStore.update({ password });
            clearErrors({ password });
          }}
          error={fieldErrors.get("password")}
        />
        {formError && <FormError {...formError} />}
        <Button type="submit" variant="primary" aria-disabled={isPending}>
          {isPending ? m.login_sending() : m.login_button()}
        </Button>
      </form>
      <div className="grid gap-3">
        <Link to="/forgot-password" className={buttonClass("quiet")}>
          {m.login_forgot()}
        </Link>
        <p className="text-center text-sm text-soft">{m.login_no_account()}</p>
        <Link to="/register" className={buttonClass("plain")}>
          {m.nav_register()}
        </Link>
      </div>
    </TitledPage>
  );
}
