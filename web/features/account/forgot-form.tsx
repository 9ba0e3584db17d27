import { Link } from "@tanstack/react-router";
import { requestPasswordReset } from "../../api/session/auth.ts";
import { toE164 } from "../../../locales/phone-number.ts";
import { currentLocale } from "../language/locale.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { noteCodeSent, updateAccount, useKeptAccount } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";
import { validatePhone } from "./field-validation.ts";
import { HumanChallenge, useHumanChallenge } from "./human-challenge.tsx";
import { PhoneField } from "./phone-field.tsx";

/** Asks for the number to which the code goes. */
export function ForgotForm() {
  const { phone } = useKeptAccount();
  const { challenge, takeToken, noteError } = useHumanChallenge({ onDemand: true });
  const form = useSubmitForm({
    defaultValues: { phone },
    send: async ({ phone }) => {
      const number = toE164(phone) ?? "";
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
      <Link to="/login" className={buttonClass("quiet")}>
        {m.forgot_back()}
      </Link>
    </TitledPage>
  );
}
