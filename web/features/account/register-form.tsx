import { useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { signUp } from "../../api/auth.ts";
import { toE164 } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { CheckField } from "../../ui/check-field.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { accountStore, updateAccount } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";
import { signInWithRecord } from "./sign-in-flow.ts";
import { validateName, validateNewPassword, validatePhone } from "./field-validation.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { PhoneField } from "./phone-field.tsx";
import { saveReferral } from "./referral.ts";
import { createFormStore, useFormValues } from "./form-store.ts";
import { NameField } from "./name-field.tsx";
import { useForm } from "./use-form.ts";

const formStore = createFormStore({ password: "", repeated: "", accepted: false });

/** All that an account needs; its code comes next. */
export function RegisterForm({ referral }: { referral: string | undefined }) {
  const phone = useSelector(accountStore, (state) => state.phone);
  const name = useSelector(accountStore, (state) => state.name);
  const values = useFormValues(formStore);
  const queryClient = useQueryClient();
  const router = useRouter();
  const { form, isPending, fieldErrors, formError, onSubmit, clearErrors } = useForm({
    fields: ["name", "phone", "password", "repeated", "accepted"],
    validate: () => ({
      name: validateName(name),
      phone: validatePhone(phone),
      ...validateNewPassword(values),
      accepted: values.accepted ? undefined : m.register_terms_required(),
    }),
    send: async () => {
      const credentials = { phone: toE164(phone) ?? "", password: values.password, name: name.trim() };
      const { needsCode } = await signUp(credentials);
      saveReferral(credentials.phone, referral);
      if (needsCode) {
        updateAccount({ unconfirmed: credentials, codeSentAt: Date.now(), notice: null });
        return;
      }
      await signInWithRecord(queryClient, credentials).catch(() => {
        updateAccount({ notice: "sign_in_by_hand" });
        void router.navigate({ to: "/login" });
      });
    },
    describeError: (error) => describeAuthError("signUp", error),
  });
  const change = (next: Partial<typeof values>) => {
    formStore.update(next);
    clearErrors(next);
  };
  const isEmpty = [name.trim(), phone, values.password].includes("") || !values.accepted;
  const isIncomplete = fieldErrors.size > 0 && isEmpty;
  return (
    <TitledPage width="form" title={m.register_title()} text={m.register_text()}>
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        <NameField
          value={name}
          onChange={(name) => {
            updateAccount({ name });
            clearErrors({ name });
          }}
          error={fieldErrors.get("name")}
        />
        <PhoneField
          autoComplete="tel"
          value={phone}
          onChange={(phone) => {
            updateAccount({ phone });
            clearErrors({ phone });
          }}
          error={fieldErrors.get("phone")}
        />
        <NewPasswordFields
          label={m.account_password()}
          values={values}
          onChange={change}
          fieldErrors={fieldErrors}
        />
        <div>
          <CheckField
            label={m.register_terms()}
            name="terms"
            checked={values.accepted}
            onChange={(accepted) => change({ accepted })}
            error={fieldErrors.get("accepted")}
          />
          <a
            href="/terms"
            target="_blank"
            className="inline-flex min-h-11 items-center text-sm underline underline-offset-4"
          >
            {m.register_terms_read()}
          </a>
        </div>
        {isIncomplete && <FormError title={m.register_incomplete()} />}
        {formError && <FormError {...formError} />}
        <Button type="submit" variant="primary" aria-disabled={isPending}>
          {isPending ? m.register_sending() : m.register_button()}
        </Button>
      </form>
      <div className="grid gap-3">
        <p className="text-center text-sm text-soft">{m.register_have_account()}</p>
        <Link to="/login" className={buttonClass("plain")}>
          {m.nav_sign_in()}
        </Link>
      </div>
    </TitledPage>
  );
}
