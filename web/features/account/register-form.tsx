import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { signUp } from "../../api/session/auth.ts";
import { toE164 } from "../../../locales/phone-number.ts";
import { currentLocale } from "../language/locale.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { FormError } from "../../ui/notices.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { noteCodeSent, updateAccount, useKeptAccount } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";
import { signInWithRecord } from "./sign-in-flow.ts";
import { HumanChallenge, useHumanChallenge } from "./human-challenge.tsx";
import { validateName, validatePhone } from "./field-validation.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { saveReferral } from "./referral.ts";
import { NameField, PhoneField } from "./fields.tsx";
import { Gift } from "lucide-react";
import { inviterQuery } from "../../api/queries/inviter.ts";
import { useProductName } from "../../api/queries/use-config.ts";

const remountState = createRemountState();

type RegistrationValues = {
  name: string;
  phone: string;
  password: string;
  repeated: string;
  accepted: boolean;
};

/** All that an account needs; its code comes next. */
export function RegisterForm({ referral, above }: { referral: string | undefined; above: ReactNode }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { name, phone } = useKeptAccount();
  const { challenge, takeToken } = useHumanChallenge();
  const form = useSubmitForm({
    defaultValues: { name, phone, password: "", repeated: "", accepted: false },
    remountState,
    send: async (values) => {
      const { password } = values;
      const credentials = { phone: toE164(values.phone) ?? values.phone, password, name: values.name.trim() };
      const { needsCode } = await signUp({
        ...credentials,
        language: currentLocale(),
        challenge: takeToken(),
      });
      saveReferral(credentials.phone, referral);
      if (needsCode) {
        noteCodeSent(credentials.phone);
        updateAccount({ unconfirmed: credentials, notice: null });
        return;
      }
      await signInWithRecord(queryClient, credentials).catch(() => {
        updateAccount({ notice: "automatic_sign_in_failed" });
        void router.navigate({ to: "/login" });
      });
    },
    describeError: (error) => describeAuthError("signUp", error),
  });
  return (
    <TitledPage width="form" above={above} title={m.register_title()} text={m.register_text()}>
      {referral !== undefined && <InvitedBy referral={referral} />}
      <form.AppForm>
        <form.Body className="grid gap-4">
          <form.AppField
            name="name"
            validators={{ onDynamic: ({ value }) => validateName(value) }}
            listeners={{ onChange: ({ value }) => updateAccount({ name: value }) }}
          >
            {() => <NameField isFirst />}
          </form.AppField>
          <form.AppField
            name="phone"
            validators={{ onDynamic: ({ value }) => validatePhone(value) }}
            listeners={{ onChange: ({ value }) => updateAccount({ phone: value }) }}
          >
            {() => <PhoneField autoComplete="tel" />}
          </form.AppField>
          <NewPasswordFields
            form={form}
            fields={{ password: "password", repeated: "repeated" }}
            label={m.account_password()}
          />
          <div>
            <form.AppField
              name="accepted"
              validators={{
                onDynamic: ({ value }) => (value ? undefined : m.register_terms_required()),
              }}
            >
              {(field) => <field.CheckField label={m.register_terms()} name="terms" />}
            </form.AppField>
            <a
              href="/terms"
              target="_blank"
              className="inline-flex min-h-11 items-center text-sm underline underline-offset-4"
            >
              {m.register_terms_read()}
            </a>
          </div>
          <form.Subscribe selector={({ values, isFieldsValid }) => !isFieldsValid && isIncomplete(values)}>
            {(isShown) => isShown && <FormError title={m.register_incomplete()} />}
          </form.Subscribe>
          {challenge && <HumanChallenge key={challenge.round} {...challenge} />}
          <form.SubmitError />
          <form.SubmitButton pendingLabel={m.register_sending()}>{m.register_button()}</form.SubmitButton>
        </form.Body>
      </form.AppForm>
      <div className="grid gap-3">
        <p className="text-center text-sm text-soft">{m.register_have_account()}</p>
        <Link to="/login" className={buttonClass("plain")}>
          {m.nav_sign_in()}
        </Link>
      </div>
    </TitledPage>
  );
}

function isIncomplete({ name, phone, password, accepted }: RegistrationValues): boolean {
  return [name.trim(), phone, password].includes("") || !accepted;
}

/** Names the friend whose link was opened, by first name. Shows nothing if the referral isn't a driver's. */
function InvitedBy({ referral }: { referral: string }) {
  const { data: inviter } = useQuery(inviterQuery(referral));
  const product = useProductName();
  if (!inviter) return null;
  return (
    <p data-testid="invited-by" className="card flex items-center gap-3 px-4 py-3">
      <Gift aria-hidden className="size-5 shrink-0" />
      <span>
        {inviter.name === null
          ? m.register_invited({ product })
          : m.register_invited_by({ name: inviter.name, product })}
      </span>
    </p>
  );
}
