import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { confirm, resend } from "../../api/auth.ts";
import { showPhone } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { changeAccount, type Credentials } from "./account-store.ts";
import { explainAuth } from "./auth-words.ts";
import { enter } from "./enter.ts";
import { codeFault } from "./form-faults.ts";
import { createHold } from "./hold.ts";
import { ResendCode } from "./resend-code.tsx";
import { createTyped, useTyped } from "./typed.ts";
import { useForm } from "./use-form.ts";

const typed = createTyped({ code: "" });
/** The password waits here for the code, and nowhere else. */
const holdCredentials = createHold(() => changeAccount({ unconfirmed: null }));

/** Takes the code of a number that is not confirmed yet, and then signs in by itself. */
export function VerifyForm({ credentials, lead }: { credentials: Credentials; lead?: string }) {
  const { code } = useTyped(typed);
  const queryClient = useQueryClient();
  const router = useRouter();
  useEffect(holdCredentials, []);
  const { form, isPending, faults, problem, onSubmit, clear } = useForm({
    fields: ["code"],
    check: () => ({ code: codeFault(code) }),
    send: async () => {
      await confirm(credentials.phone, code);
      await enter(queryClient, credentials).catch(() => {
        changeAccount({ unconfirmed: null, phone: showPhone(credentials.phone), notice: "sign_in_by_hand" });
        void router.navigate({ to: "/login" });
      });
    },
    explain: (error) => explainAuth("confirm", error),
  });
  return (
    <TitledPage
      width="form"
      title={m.code_title()}
      text={m.code_sent_to({ phone: showPhone(credentials.phone) })}
    >
      {lead && <output className="card px-4 py-3">{lead}</output>}
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        <CodeField
          label={m.code_label()}
          value={code}
          onChange={(code) => {
            typed.type({ code });
            clear({ code });
          }}
          error={faults.get("code")}
        />
        {problem && <Problem {...problem} />}
        <Button type="submit" look="primary" aria-disabled={isPending}>
          {isPending ? m.code_sending() : m.code_button()}
        </Button>
      </form>
      <ResendCode send={() => resend(credentials.phone)} />
      <Button look="quiet" onClick={() => changeAccount({ unconfirmed: null })}>
        {m.code_other_number()}
      </Button>
    </TitledPage>
  );
}
