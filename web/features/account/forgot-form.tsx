import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { forgotPassword } from "../../api/auth.ts";
import { toE164 } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { accountStore, changeAccount } from "./account-store.ts";
import { explainAuth } from "./auth-words.ts";
import { phoneFault } from "./form-faults.ts";
import { PhoneField } from "./phone-field.tsx";
import { useForm } from "./use-form.ts";

/** Asks for the number to which the code goes. */
export function ForgotForm() {
  const phone = useSelector(accountStore, (state) => state.phone);
  const { form, isPending, faults, problem, onSubmit, clear } = useForm({
    fields: ["phone"],
    check: () => ({ phone: phoneFault(phone) }),
    send: async () => {
      const number = toE164(phone) ?? "";
      await forgotPassword(number);
      changeAccount({ resetting: number, codeSentAt: Date.now() });
    },
    explain: (error) => explainAuth("forgot", error),
  });
  return (
    <TitledPage width="form" title={m.forgot_title()} text={m.forgot_text()}>
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        <PhoneField
          value={phone}
          onChange={(phone) => {
            changeAccount({ phone });
            clear({ phone });
          }}
          error={faults.get("phone")}
        />
        {problem && <Problem {...problem} />}
        <Button type="submit" look="primary" aria-disabled={isPending}>
          {isPending ? m.forgot_sending() : m.forgot_button()}
        </Button>
      </form>
      <Link to="/login" className={buttonClass("quiet")}>
        {m.forgot_back()}
      </Link>
    </TitledPage>
  );
}
