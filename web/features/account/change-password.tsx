import { useState } from "react";
import { toast } from "sonner";
import { changePassword } from "../../api/auth.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { explainAuth } from "./auth-words.ts";
import { faultsOf, newPasswordFault, repeatFault } from "./form-faults.ts";
import { NewPassword } from "./new-password.tsx";
import { useForm } from "./use-form.ts";

const FIELDS = ["present", "password", "repeated"] as const;

/** The present password and a new one: a part of the profile. */
export function ChangePassword({ onDone }: { onDone: () => void }) {
  const [present, setPresent] = useState("");
  const [password, setPassword] = useState("");
  const [repeated, setRepeated] = useState("");
  const { form, isPending, faults, problem, onSubmit, clear } = useForm<(typeof FIELDS)[number]>({
    check: () =>
      faultsOf(
        {
          present: present === "" ? m.account_password_required() : undefined,
          password: newPasswordFault(password),
          repeated: repeatFault(password, repeated),
        },
        FIELDS,
      ),
    send: async () => {
      await changePassword(present, password);
      toast(m.change_done());
      onDone();
    },
    explain: (error) => {
      const { words, field } = explainAuth("change", error);
      return field === "present" || field === "password" ? { words, field } : { words };
    },
  });
  return (
    <form ref={form} noValidate onSubmit={onSubmit} aria-label={m.change_title()} className="grid gap-4">
      <PasswordField
        label={m.change_present()}
        name="present-password"
        autoComplete="current-password"
        value={present}
        onChange={(typed) => {
          setPresent(typed);
          clear("present");
        }}
        error={faults.get("present")}
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
  );
}
