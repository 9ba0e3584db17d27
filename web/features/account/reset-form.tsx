import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { requestPasswordReset } from "../../api/session/auth.ts";
import { currentLocale } from "../language/locale.ts";
import { m } from "../../messages/messages.js";
import { formatPhoneText } from "../language/format.ts";
import { Button } from "../../ui/button.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { TitledPage } from "../../ui/titled-page.tsx";
import { updateAccount } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";
import { HiddenUsername } from "./fields.tsx";
import { resetAndSignIn } from "./sign-in-flow.ts";
import { validateCode } from "./field-validation.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { ResendCode } from "./resend-code.tsx";

const remountState = createRemountState();

/** Takes the code and the new password. */
export function ResetForm({ phone }: { phone: string }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useSubmitForm({
    defaultValues: { code: "", password: "", repeated: "" },
    remountState,
    send: async ({ code, password }) => {
      const isSignedIn = await resetAndSignIn(queryClient, { phone, code, password });
      if (!isSignedIn) void router.navigate({ to: "/login" });
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
      />
      <Button variant="quiet" onClick={() => updateAccount({ resettingPhone: null })}>
        {m.code_other_number()}
      </Button>
    </TitledPage>
  );
}
