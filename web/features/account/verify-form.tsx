import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { submitSignUpCode, requestNewSignUpCode } from "../../api/auth.ts";
import { formatPhone } from "../../api/phone-number.ts";
import { currentLocale } from "../language/locale.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { TitledPage } from "../../ui/titled-page.tsx";
import { updateAccount, type Credentials } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";
import { signInWithRecord } from "./sign-in-flow.ts";
import { validateCode } from "./field-validation.ts";
import { ResendCode } from "./resend-code.tsx";

/** The password, which signs in after the code, is held only while this form is mounted. */
const remountState = createRemountState(() => updateAccount({ unconfirmed: null }));

/** Takes the code of a number that is not confirmed yet, and then signs in. */
export function VerifyForm({ credentials, lead }: { credentials: Credentials; lead?: string }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useSubmitForm({
    defaultValues: { code: "" },
    remountState,
    send: async ({ code }) => {
      await submitSignUpCode(credentials.phone, code);
      await signInWithRecord(queryClient, credentials).catch(() => {
        updateAccount({
          unconfirmed: null,
          phone: formatPhone(credentials.phone),
          notice: "automatic_sign_in_failed",
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
      <form.AppForm>
        <form.Body className="grid gap-4">
          <form.AppField name="code" validators={{ onDynamic: ({ value }) => validateCode(value) }}>
            {(field) => <field.CodeField label={m.code_label()} />}
          </form.AppField>
          <form.SubmitError />
          <form.SubmitButton pendingLabel={m.code_sending()}>{m.code_button()}</form.SubmitButton>
        </form.Body>
      </form.AppForm>
      <ResendCode
        phone={credentials.phone}
        send={() => requestNewSignUpCode(credentials.phone, currentLocale())}
      />
      <Button variant="quiet" onClick={() => updateAccount({ unconfirmed: null })}>
        {m.code_other_number()}
      </Button>
    </TitledPage>
  );
}
