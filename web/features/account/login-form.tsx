import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { AuthError } from "../../api/auth-error.ts";
import { toE164 } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { accountStore, changeAccount } from "./account-store.ts";
import { explainAuth } from "./auth-words.ts";
import { enter } from "./enter.ts";
import { passwordFault, phoneFault } from "./form-faults.ts";
import { PhoneField } from "./phone-field.tsx";
import { createTyped, useTyped } from "./typed.ts";
import { useForm } from "./use-form.ts";

const typed = createTyped({ password: "" });

/** Phone and password. An account that is not confirmed yet goes on to its code. */
export function LoginForm({ lead }: { lead: string | undefined }) {
  const phone = useSelector(accountStore, (state) => state.phone);
  const notice = useSelector(accountStore, (state) => state.notice);
  const { password } = useTyped(typed);
  const queryClient = useQueryClient();
  const { form, isPending, faults, problem, onSubmit, clear } = useForm({
    fields: ["phone", "password"],
    check: () => ({ phone: phoneFault(phone), password: passwordFault(password) }),
    send: async () => {
      const credentials = { phone: toE164(phone) ?? "", password, name: null };
      try {
        await enter(queryClient, credentials);
      } catch (error) {
        if (!(error instanceof AuthError && error.code === "UserNotConfirmedException")) throw error;
        changeAccount({ unconfirmed: credentials, notice: null });
      }
    },
    explain: (error) => explainAuth("signIn", error),
  });
  return (
    <TitledPage width="form" title={m.login_title()}>
      {notice === "sign_in_by_hand" && <Problem title={m.register_login_failed()} />}
      {notice === "password_changed" && <output className="card px-4 py-3">{m.reset_done()}</output>}
      {lead && !notice && <p className="card px-4 py-3">{lead}</p>}
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        <PhoneField
          value={phone}
          onChange={(phone) => {
            changeAccount({ phone });
            clear({ phone });
          }}
          error={faults.get("phone")}
        />
        <PasswordField
          label={m.account_password()}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(password) => {
            typed.type({ password });
            clear({ password });
          }}
          error={faults.get("password")}
        />
        {problem && <Problem {...problem} />}
        <Button type="submit" look="primary" aria-disabled={isPending}>
          {isPending ? m.login_sending() : m.login_button()}
        </Button>
      </form>
      <div className="grid gap-3">
        <Link to="/forgot-password" className={buttonClass("quiet")}>
          {m.login_forgot()}
        </Link>
        <p className="text-center text-sm text-soft">{m.login_no_account()}</p>
        <Link to="/register" className={buttonClass("plain")}>
          {m.nav_register()}
        </Link>
      </div>
    </TitledPage>
  );
}
