import { useSelector } from "@tanstack/react-store";
import { toast } from "sonner";
import { changePassword } from "../../api/auth.ts";
import { sessionStore } from "../../api/session.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { explainAuth } from "./auth-words.ts";
import { newPasswordFaults, passwordFault } from "./form-faults.ts";
import { NewPassword } from "./new-password.tsx";
import { createTyped, useTyped } from "./typed.ts";
import { useForm } from "./use-form.ts";

const typed = createTyped({ present: "", password: "", repeated: "" });

/** The present password and a new one: a part of the profile. */
export function ChangePassword() {
  const values = useTyped(typed);
  const phone = useSelector(sessionStore, (session) => session?.phoneNumber ?? "");
  const { form, isPending, faults, problem, onSubmit, clear } = useForm({
    fields: ["present", "password", "repeated"],
    check: () => ({ present: passwordFault(values.present), ...newPasswordFaults(values) }),
    send: async () => {
      await changePassword(values.present, values.password);
      typed.forget();
      toast(m.change_done());
    },
    explain: (error) => explainAuth("change", error),
  });
  const change = (next: Partial<typeof values>) => {
    typed.type(next);
    clear(next);
  };
  return (
    <form ref={form} noValidate onSubmit={onSubmit} aria-label={m.change_title()} className="grid gap-4">
      <input type="text" name="username" autoComplete="username" value={phone} readOnly hidden />
      <PasswordField
        label={m.change_present()}
        name="present-password"
        autoComplete="current-password"
        value={values.present}
        onChange={(present) => change({ present })}
        error={faults.get("present")}
      />
      <NewPassword label={m.reset_new_password()} typed={values} onChange={change} faults={faults} />
      {problem && <Problem {...problem} />}
      <Button type="submit" look="primary" aria-disabled={isPending}>
        {isPending ? m.reset_sending() : m.reset_button()}
      </Button>
    </form>
  );
}
