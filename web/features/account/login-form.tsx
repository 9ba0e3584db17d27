import { useMemo } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { AuthError } from "../../api/session/auth-error.ts";
import { storeOnDevice, tokenStorage } from "../../api/session/token-storage.ts";
import { useIsHydrated } from "../../early/use-is-hydrated.ts";
import { toE164 } from "../../../locales/phone-number.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { FormError } from "../../ui/notices.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { updateAccount, useKeptAccount } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";
import { KnownPasswordField, PhoneField } from "./fields.tsx";
import { signInWithRecord } from "./sign-in-flow.ts";
import { validatePassword, validatePhone } from "./field-validation.ts";
import { PasskeySignIn } from "./passkey-sign-in.tsx";
import { RegisterLink } from "./register-link.tsx";

const remountState = createRemountState();

const PROBE_KEY = "jornada.probe";
/** As many as the tokens of a session have. */
const TOKENS_CHARACTERS = 5_000;

/** Phone and password. An account that is not confirmed yet goes on to its code. */
export function LoginForm({ lead }: { lead: string | undefined }) {
  const { notice, phone } = useKeptAccount();
  const isHydrated = useIsHydrated();
  const isForgetful = useMemo(() => isHydrated && isSessionForgotten(), [isHydrated]);
  const queryClient = useQueryClient();
  const form = useSubmitForm({
    defaultValues: { phone, password: "" },
    remountState,
    send: async ({ phone, password }) => {
      const credentials = { phone: toE164(phone) ?? phone, password, name: null };
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
      {notice === "automatic_sign_in_failed" && <FormError title={m.register_login_failed()} />}
      {notice === "password_changed" && <output className="card px-4 py-3">{m.reset_done()}</output>}
      {isForgetful && <p className="card px-4 py-3">{m.login_forgetful()}</p>}
      {lead && !notice && <p className="card px-4 py-3">{lead}</p>}
      <form.AppForm>
        <form.Body className="grid gap-4">
          <form.AppField
            name="phone"
            validators={{ onDynamic: ({ value }) => validatePhone(value) }}
            listeners={{ onChange: ({ value }) => updateAccount({ phone: value }) }}
          >
            {() => <PhoneField autoComplete="username webauthn" />}
          </form.AppField>
          <form.AppField name="password" validators={{ onDynamic: ({ value }) => validatePassword(value) }}>
            {() => <KnownPasswordField />}
          </form.AppField>
          <form.SubmitError />
          <form.SubmitButton pendingLabel={m.login_sending()}>{m.login_button()}</form.SubmitButton>
        </form.Body>
      </form.AppForm>
      <div className="grid gap-3">
        <PasskeySignIn />
        <Link to="/forgot-password" className={buttonClass("quiet")}>
          {m.login_forgot()}
        </Link>
        <p className="text-center text-sm text-soft">{m.login_no_account()}</p>
        <RegisterLink className={buttonClass("plain")} />
      </div>
    </TitledPage>
  );
}

/** Whether a session ends when its page is closed or loaded anew: the device has no storage, or no room for its tokens. */
function isSessionForgotten(): boolean {
  const isStored = storeOnDevice(PROBE_KEY, "-".repeat(TOKENS_CHARACTERS));
  tokenStorage.removeItem(PROBE_KEY);
  return !isStored;
}
