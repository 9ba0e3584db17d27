import { useRouter } from "@tanstack/react-router";
import { forgotPassword, resetPassword } from "../../api/auth.ts";
import { showPhone } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { changeAccount } from "./account-store.ts";
import { explainAuth } from "./auth-words.ts";
import { codeFault, newPasswordFaults } from "./form-faults.ts";
import { NewPassword } from "./new-password.tsx";
import { ResendCode } from "./resend-code.tsx";
import { createTyped, useTyped } from "./typed.ts";
import { useForm } from "./use-form.ts";

const typed = createTyped({ code: "", password: "", repeated: "" });

/** Takes the code and the new password. */
export function ResetForm({ phone }: { phone: string }) {
  const values = useTyped(typed);
  const router = useRouter();
  const { form, isPending, faults, problem, onSubmit, clear } = useForm({
    fields: ["code", "password", "repeated"],
    check: () => ({ code: codeFault(values.code), ...newPasswordFaults(values) }),
    send: async () => {
      await resetPassword({ phone, code: values.code, password: values.password });
      changeAccount({ resetting: null, phone: showPhone(phone), notice: "password_changed" });
      await router.navigate({ to: "/login" });
    },
    explain: (error) => explainAuth("reset", error),
  });
  const change = (next: Partial<typeof values>) => {
    typed.type(next);
    clear(next);
  };
  return (
    <TitledPage width="form" title={m.forgot_title()} text={m.code_sent_to({ phone: showPhone(phone) })}>
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        <input type="text" name="username" autoComplete="username" value={phone} readOnly hidden />
        <CodeField
          label={m.code_label()}
          value={values.code}
          onChange={(code) => change({ code })}
          error={faults.get("code")}
        />
        <NewPassword label={m.reset_new_password()} typed={values} onChange={change} faults={faults} />
        {problem && <Problem {...problem} />}
        <Button type="submit" look="primary" aria-disabled={isPending}>
          {isPending ? m.reset_sending() : m.reset_button()}
        </Button>
      </form>
      <ResendCode send={() => forgotPassword(phone)} />
      <Button look="quiet" onClick={() => changeAccount({ resetting: null })}>
        {m.code_other_number()}
      </Button>
    </TitledPage>
  );
}
