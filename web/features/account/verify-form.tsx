import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { submitSignUpCode, requestNewSignUpCode } from "../../api/auth.ts";
import { formatPhone } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { updateAccount, type Credentials } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";
import { signInWithRecord } from "./sign-in-flow.ts";
import { validateCode } from "./field-validation.ts";
import { createRefCount } from "./ref-count.ts";
import { ResendCode } from "./resend-code.tsx";
import { createFormStore, useFormValues } from "./form-store.ts";
import { useForm } from "./use-form.ts";

const formStore = createFormStore({ code: "" });
/** The password waits here for the code, and nowhere else. */
const retainCredentials = createRefCount(() => updateAccount({ unconfirmed: null }));

/** Takes the code of a number that is not confirmed yet, and then signs in by itself. */
export function VerifyForm({ credentials, lead }: { credentials: Credentials; lead?: string }) {
  const { code } = useFormValues(formStore);
  const queryClient = useQueryClient();
  const router = useRouter();
  useEffect(retainCredentials, []);
  const { form, isPending, fieldErrors, formError, onSubmit, clearErrors } = useForm({
    fields: ["code"],
    validate: () => ({ code: validateCode(code) }),
    send: async () => {
      await submitSignUpCode(credentials.phone, code);
      await signInWithRecord(queryClient, credentials).catch(() => {
        updateAccount({
          unconfirmed: null,
          phone: formatPhone(credentials.phone),
          notice: "sign_in_by_hand",
        });
        void router.navigate({ to: "/login" });
      });
    },
    describeError: (error) => describeAuthError("confirm", error),
  });
  return (
    <TitledPage
      width="form"
      title={m.code_title()}
      text={m.code_sent_to({ phone: formatPhone(credentials.phone) })}
    >
      {lead && <output className="card px-4 py-3">{lead}</output>}
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        <CodeField
          label={m.code_label()}
          value={code}
          onChange={(code) => {
            formStore.update({ code });
            clearErrors({ code });
          }}
          error={fieldErrors.get("code")}
        />
        {formError && <FormError {...formError} />}
        <Button type="submit" variant="primary" aria-disabled={isPending}>
          {isPending ? m.code_sending() : m.code_button()}
        </Button>
      </form>
      <ResendCode send={() => requestNewSignUpCode(credentials.phone)} />
      <Button variant="quiet" onClick={() => updateAccount({ unconfirmed: null })}>
        {m.code_other_number()}
      </Button>
    </TitledPage>
  );
}
