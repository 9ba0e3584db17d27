import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { submitSignUpCode, requestNewSignUpCode } from "../../api/session/auth.ts";
import { formatPhone } from "../../../locales/phone-number.ts";
import { currentLocale } from "../language/locale.ts";
import { m } from "../../messages/messages.js";
import { formatPhoneText } from "../language/format.ts";
import { Button } from "../../ui/button.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { OWN_CODE } from "../../ui/form/auto-send.ts";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { TitledPage } from "../../ui/titled-page.tsx";
import { forgetPassword, updateAccount, type Unconfirmed } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";
import { HiddenUsername, KnownPasswordField } from "./fields.tsx";
import { signInWithRecord } from "./sign-in-flow.ts";
import { validateCode, validatePassword } from "./field-validation.ts";
import { ResendCode } from "./resend-code.tsx";

/** The password, which signs in after the code, is held only while this form is mounted. */
const remountState = createRemountState(forgetPassword);

/** Takes the code of a number that is not confirmed yet, with the password where it isn't known anymore, and then signs in. */
export function VerifyForm({
  credentials,
  above,
  lead,
}: {
  credentials: Unconfirmed;
  above: ReactNode;
  lead?: string;
}) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const needsPassword = credentials.password === null;
  const form = useSubmitForm({
    defaultValues: { code: "", password: "" },
    remountState,
    send: async ({ code, password: typed }) => {
      const session = await submitSignUpCode(credentials.phone, code);
      const password = credentials.password ?? typed;
      // Proves a newly typed password as any sign-in does.
      const bySession = needsPassword ? null : session;
      await signInWithRecord(queryClient, { ...credentials, password }, bySession).catch(() => {
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
      above={above}
      title={m.code_title()}
      text={m.code_sent_to({ phone: formatPhoneText(credentials.phone) })}
    >
      {lead && <output className="card px-4 py-3">{lead}</output>}
      <form.AppForm>
        <form.Body className="grid gap-4">
          <form.AppField name="code" validators={{ onDynamic: ({ value }) => validateCode(value) }}>
            {(field) => (
              <field.CodeField
                label={m.code_label()}
                readsTexts
                {...(needsPassword ? {} : { autoSend: OWN_CODE })}
              />
            )}
          </form.AppField>
          {needsPassword && (
            <>
              <HiddenUsername phone={credentials.phone} />
              <form.AppField
                name="password"
                validators={{ onDynamic: ({ value }) => validatePassword(value) }}
              >
                {() => <KnownPasswordField />}
              </form.AppField>
            </>
          )}
          <form.SubmitError />
          <form.SubmitButton pendingLabel={m.code_sending()}>{m.code_button()}</form.SubmitButton>
        </form.Body>
      </form.AppForm>
      <ResendCode
        phone={credentials.phone}
        send={(challenge) =>
          requestNewSignUpCode(credentials.phone, { language: currentLocale(), challenge })
        }
        onSent={() => form.setFieldValue("code", "")}
      />
      <Button variant="quiet" onClick={() => updateAccount({ unconfirmed: null })}>
        {m.code_other_number()}
      </Button>
    </TitledPage>
  );
}
