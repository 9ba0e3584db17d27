import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { resetPassword } from "../../api/auth.ts";
import { showPhone } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { AccountPage } from "./account-page.tsx";
import { changeAccount } from "./account-store.ts";
import { explainAuth } from "./auth-words.ts";
import { codeFault, faultsOf, newPasswordFault, repeatFault } from "./form-faults.ts";
import { NewPassword } from "./new-password.tsx";
import { useForm } from "./use-form.ts";

const FIELDS = ["code", "password", "repeated"] as const;

/** Takes the code and the new password. */
export function ResetForm({ phone }: { phone: string }) {
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const [repeated, setRepeated] = useState("");
  const router = useRouter();
  const { form, isPending, faults, problem, onSubmit, clear } = useForm<(typeof FIELDS)[number]>({
    check: () =>
      faultsOf(
        {
          code: codeFault(code),
          password: newPasswordFault(password),
          repeated: repeatFault(password, repeated),
        },
        FIELDS,
      ),
    send: async () => {
      await resetPassword({ phone, code, password });
      changeAccount({ resetting: null, phone: showPhone(phone), notice: "password_changed" });
      await router.navigate({ to: "/login" });
    },
    explain: (error) => {
      const { words, field } = explainAuth("reset", error);
      return field === "code" || field === "password" ? { words, field } : { words };
    },
  });
  return (
    <AccountPage title={m.forgot_title()} text={m.code_sent_to({ phone: showPhone(phone) })}>
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        <input type="text" name="username" autoComplete="username" value={phone} readOnly hidden />
        <CodeField
          label={m.code_label()}
          value={code}
          onChange={(typed) => {
            setCode(typed);
            clear("code");
          }}
          error={faults.get("code")}
        />
        <NewPassword
          label={m.reset_new_password()}
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
        {problem && <Problem {...problem} />}
        <Button type="submit" look="primary" aria-disabled={isPending}>
          {isPending ? m.reset_sending() : m.reset_button()}
        </Button>
      </form>
      <Button look="quiet" onClick={() => changeAccount({ resetting: null })}>
        {m.code_other_number()}
      </Button>
    </AccountPage>
  );
}
