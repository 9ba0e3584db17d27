import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useSelector } from "@tanstack/react-store";
import { toast } from "sonner";
import { confirm, resend } from "../../api/auth.ts";
import { showPhone } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { useNow } from "../../ui/use-now.ts";
import { AccountPage } from "./account-page.tsx";
import { accountStore, changeAccount, type Credentials } from "./account-store.ts";
import { explainAuth, type AuthWords } from "./auth-words.ts";
import { enter } from "./enter.ts";
import { codeFault, faultsOf } from "./form-faults.ts";
import { useForm } from "./use-form.ts";

const RESEND_AFTER_MS = 30_000;

/** Takes the code of a number that is not confirmed yet, and then signs in by itself. */
export function VerifyForm({ credentials, lead }: { credentials: Credentials; lead?: string }) {
  const [code, setCode] = useState("");
  const queryClient = useQueryClient();
  const router = useRouter();
  const { form, isPending, faults, problem, onSubmit, clear } = useForm<"code">({
    check: () => faultsOf({ code: codeFault(code) }, ["code"]),
    send: async () => {
      await confirm(credentials.phone, code);
      await enter(queryClient, credentials).catch(() => {
        changeAccount({ unconfirmed: null, phone: showPhone(credentials.phone), notice: "sign_in_by_hand" });
        void router.navigate({ to: "/login" });
      });
    },
    explain: (error) => {
      const { words, field } = explainAuth("confirm", error);
      return field === "code" ? { words, field } : { words };
    },
  });
  const change = (typed: string) => {
    setCode(typed);
    clear("code");
  };
  return (
    <AccountPage title={m.code_title()} text={m.code_sent_to({ phone: showPhone(credentials.phone) })}>
      {lead && <output className="card px-4 py-3">{lead}</output>}
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        <CodeField label={m.code_label()} value={code} onChange={change} error={faults.get("code")} />
        {problem && <Problem {...problem} />}
        <Button type="submit" look="primary" aria-disabled={isPending}>
          {isPending ? m.code_sending() : m.code_button()}
        </Button>
      </form>
      <Resend phone={credentials.phone} />
      <Button look="quiet" onClick={() => changeAccount({ unconfirmed: null })}>
        {m.code_other_number()}
      </Button>
    </AccountPage>
  );
}

/** Asks for another code, no sooner than the server sends one. */
function Resend({ phone }: { phone: string }) {
  const sentAt = useSelector(accountStore, (state) => state.codeSentAt);
  const now = useNow(1000);
  const isSending = useRef(false);
  const [problem, setProblem] = useState<AuthWords | null>(null);
  // The clock ticks once a second: right after a code was sent it may still stand before it.
  const left = Math.ceil((sentAt + RESEND_AFTER_MS - Math.max(now, sentAt)) / 1000);
  const again = async () => {
    if (isSending.current || left > 0) return;
    isSending.current = true;
    setProblem(null);
    try {
      await resend(phone);
      changeAccount({ codeSentAt: Date.now() });
      toast(m.code_resent());
    } catch (error) {
      setProblem(explainAuth("resend", error).words);
    } finally {
      isSending.current = false;
    }
  };
  return (
    <div className="grid gap-2">
      <Button
        aria-disabled={left > 0}
        onClick={() => void again()}
        className="figures aria-disabled:opacity-55"
      >
        {left > 0 ? m.code_resend_in({ seconds: left }) : m.code_resend()}
      </Button>
      {problem && <Problem {...problem} />}
    </div>
  );
}
