import { useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useState } from "react";
import { signUp } from "../../api/auth.ts";
import { toE164 } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { CheckField } from "../../ui/check-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { AccountPage } from "./account-page.tsx";
import { accountStore, changeAccount } from "./account-store.ts";
import { explainAuth } from "./auth-words.ts";
import { enter } from "./enter.ts";
import { faultsOf, nameFault, newPasswordFault, phoneFault, repeatFault } from "./form-faults.ts";
import { NewPassword } from "./new-password.tsx";
import { PhoneField } from "./phone-field.tsx";
import { useForm } from "./use-form.ts";

const FIELDS = ["name", "phone", "password", "repeated", "terms"] as const;

/** All that an account needs; its code comes next. */
export function RegisterForm({ referral }: { referral: string | undefined }) {
  const phone = useSelector(accountStore, (state) => state.phone);
  const name = useSelector(accountStore, (state) => state.name);
  const [password, setPassword] = useState("");
  const [repeated, setRepeated] = useState("");
  const [accepted, setAccepted] = useState(false);
  const queryClient = useQueryClient();
  const router = useRouter();
  const { form, isPending, faults, problem, onSubmit, clear } = useForm<(typeof FIELDS)[number]>({
    check: () =>
      faultsOf(
        {
          name: nameFault(name),
          phone: phoneFault(phone),
          password: newPasswordFault(password),
          repeated: repeatFault(password, repeated),
          terms: accepted ? undefined : m.register_terms_required(),
        },
        FIELDS,
      ),
    send: async () => {
      const profile = { name: name.trim(), referral };
      const credentials = { phone: toE164(phone) ?? "", password, profile };
      const { needsCode } = await signUp({ name: profile.name, phone: credentials.phone, password });
      if (needsCode) {
        changeAccount({ unconfirmed: credentials, codeSentAt: Date.now(), notice: null });
        return;
      }
      await enter(queryClient, credentials).catch(() => {
        changeAccount({ notice: "sign_in_by_hand" });
        void router.navigate({ to: "/login" });
      });
    },
    explain: (error) => {
      const { words, field } = explainAuth("signUp", error);
      return field === "phone" || field === "password" ? { words, field } : { words };
    },
  });
  const hasGaps = faults.size > 0 && (name.trim() === "" || phone === "" || password === "" || !accepted);
  return (
    <AccountPage title={m.register_title()} text={m.register_text()}>
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        <TextField
          label={m.account_name()}
          name="name"
          required
          autoComplete="name"
          maxLength={100}
          value={name}
          onChange={(typed) => {
            changeAccount({ name: typed });
            clear("name");
          }}
          error={faults.get("name")}
        />
        <PhoneField
          autoComplete="tel"
          value={phone}
          onChange={(typed) => {
            changeAccount({ phone: typed });
            clear("phone");
          }}
          error={faults.get("phone")}
        />
        <NewPassword
          label={m.account_password()}
          password={password}
          repeated={repeated}
          onPassword={(typed) => {
            setPassword(typed);
            clear("password");
          }}
          onRepeated={(typed) => {
            setRepeated(typed);
            clear("repeated");
          }}
          errors={{ password: faults.get("password"), repeated: faults.get("repeated") }}
        />
        <div>
          <CheckField
            label={m.register_terms()}
            name="terms"
            checked={accepted}
            onChange={(checked) => {
              setAccepted(checked);
              clear("terms");
            }}
            error={faults.get("terms")}
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
    </AccountPage>
  );
}
