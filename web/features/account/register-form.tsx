import { useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { signUp } from "../../api/auth.ts";
import { toE164 } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { CheckField } from "../../ui/check-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { accountStore, changeAccount } from "./account-store.ts";
import { explainAuth } from "./auth-words.ts";
import { enter } from "./enter.ts";
import { nameFault, newPasswordFaults, phoneFault } from "./form-faults.ts";
import { NewPassword } from "./new-password.tsx";
import { PhoneField } from "./phone-field.tsx";
import { keepReferral } from "./referral.ts";
import { createTyped, useTyped } from "./typed.ts";
import { NameField } from "./name-field.tsx";
import { useForm } from "./use-form.ts";

const typed = createTyped({ password: "", repeated: "", accepted: false });

/** All that an account needs; its code comes next. */
export function RegisterForm({ referral }: { referral: string | undefined }) {
  const phone = useSelector(accountStore, (state) => state.phone);
  const name = useSelector(accountStore, (state) => state.name);
  const values = useTyped(typed);
  const queryClient = useQueryClient();
  const router = useRouter();
  const { form, isPending, faults, problem, onSubmit, clear } = useForm({
    fields: ["name", "phone", "password", "repeated", "accepted"],
    check: () => ({
      name: nameFault(name),
      phone: phoneFault(phone),
      ...newPasswordFaults(values),
      accepted: values.accepted ? undefined : m.register_terms_required(),
    }),
    send: async () => {
      const credentials = { phone: toE164(phone) ?? "", password: values.password, name: name.trim() };
      const { needsCode } = await signUp(credentials);
      keepReferral(credentials.phone, referral);
      if (needsCode) {
        changeAccount({ unconfirmed: credentials, codeSentAt: Date.now(), notice: null });
        return;
      }
      await enter(queryClient, credentials).catch(() => {
        changeAccount({ notice: "sign_in_by_hand" });
        void router.navigate({ to: "/login" });
      });
    },
    explain: (error) => explainAuth("signUp", error),
  });
  const change = (next: Partial<typeof values>) => {
    typed.type(next);
    clear(next);
  };
  const isEmpty = [name.trim(), phone, values.password].includes("") || !values.accepted;
  const hasGaps = faults.size > 0 && isEmpty;
  return (
    <TitledPage width="form" title={m.register_title()} text={m.register_text()}>
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        <NameField
          value={name}
          onChange={(name) => {
            changeAccount({ name });
            clear({ name });
          }}
          error={faults.get("name")}
        />
        <PhoneField
          autoComplete="tel"
          value={phone}
          onChange={(phone) => {
            changeAccount({ phone });
            clear({ phone });
          }}
          error={faults.get("phone")}
        />
        <NewPassword label={m.account_password()} typed={values} onChange={change} faults={faults} />
        <div>
          <CheckField
            label={m.register_terms()}
            name="terms"
            checked={values.accepted}
            onChange={(accepted) => change({ accepted })}
            error={faults.get("accepted")}
          />
          <a
            href="/terms"
            target="_blank"
            className="inline-flex min-h-11 items-center text-sm underline underline-offset-4"
          >
            {m.register_terms_read()}
          </a>
        </div>
        {hasGaps && <Problem title={m.register_incomplete()} />}
        {problem && <Problem {...problem} />}
        <Button type="submit" look="primary" aria-disabled={isPending}>
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
