import { useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useRef } from "react";
import { toE164 } from "../../../locales/phone-number.ts";
import { requestPasswordReset } from "../../api/session/auth.ts";
import { isNetworkError } from "../../api/session/auth-error.ts";
import { m } from "../../messages/messages.js";
import { buttonClass, Button } from "../../ui/button.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { TitledPage } from "../../ui/titled-page.tsx";
import { formatPhoneText } from "../language/format.ts";
import { currentLocale } from "../language/locale.ts";
import { accountStore, noteCodeSent, updateAccount, useKeptAccount } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";
import { validatePhone, validateCode } from "./field-validation.ts";
import { HiddenUsername, PhoneField } from "./fields.tsx";
import { HumanChallenge, useHumanChallenge } from "./human-challenge.tsx";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { ResendCode } from "./resend-code.tsx";
import { resetAndSignIn } from "./sign-in-flow.ts";

const remountState = createRemountState();

/** Asks for the number to which the code goes. */
export function ForgotForm() {
  const { phone, back } = useKeptAccount();
  const { challenge, takeToken, noteError } = useHumanChallenge({ onDemand: true });
  const form = useSubmitForm({
    defaultValues: { phone },
    send: async ({ phone }) => {
      const number = toE164(phone) ?? phone;
      const text = { language: currentLocale(), challenge: takeToken() };
      await requestPasswordReset(number, text).catch((error: unknown) => {
        noteError(error);
        throw error;
      });
      noteCodeSent(number);
      updateAccount({ resettingPhone: number });
    },
    describeError: (error) => describeAuthError("forgot", error),
  });
  return (
    <TitledPage width="form" title={m.forgot_title()} text={m.forgot_text()}>
      <form.AppForm>
        <form.Body className="grid gap-4">
          <form.AppField
            name="phone"
            validators={{ onDynamic: ({ value }) => validatePhone(value) }}
            listeners={{ onChange: ({ value }) => updateAccount({ phone: value }) }}
          >
            {() => <PhoneField />}
          </form.AppField>
          {challenge && <HumanChallenge key={challenge.round} {...challenge} />}
          <form.SubmitError />
          <form.SubmitButton pendingLabel={m.forgot_sending()}>{m.forgot_button()}</form.SubmitButton>
        </form.Body>
      </form.AppForm>
      <Link to="/login" search={{ back }} className={buttonClass("quiet")}>
        {m.forgot_back()}
      </Link>
    </TitledPage>
  );
}

/** Takes the code and the new password. */
export function ResetForm({ phone }: { phone: string }) {
  /** The code and the password of a try whose answer was lost. */
  const unanswered = useRef<string | null>(null);
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useSubmitForm({
    defaultValues: { code: "", password: "", repeated: "" },
    remountState,
    send: async ({ code, password }) => {
      const asked = `${code} ${password}`;
      const mayBeDone = unanswered.current === asked;
      const isSignedIn = await resetAndSignIn(queryClient, { phone, code, password, mayBeDone }).catch(
        (error: unknown) => {
          if (isNetworkError(error)) unanswered.current = asked;
          throw error;
        },
      );
      if (!isSignedIn) void router.navigate({ to: "/login", search: { back: accountStore.get().back } });
    },
    describeError: (error) => describeAuthError("reset", error),
  });
  return (
    <TitledPage
      width="form"
      title={m.forgot_title()}
      text={m.code_sent_to({ phone: formatPhoneText(phone) })}
    >
      <form.AppForm>
        <form.Body className="grid gap-4">
          <HiddenUsername phone={phone} />
          <form.AppField name="code" validators={{ onDynamic: ({ value }) => validateCode(value) }}>
            {(field) => <field.CodeField label={m.code_label()} readsTexts />}
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
      <ResendCode
        phone={phone}
        send={(challenge) => requestPasswordReset(phone, { language: currentLocale(), challenge })}
        onSent={() => form.setFieldValue("code", "")}
      />
      <Button variant="quiet" onClick={() => updateAccount({ resettingPhone: null })}>
        {m.code_other_number()}
      </Button>
    </TitledPage>
  );
}
