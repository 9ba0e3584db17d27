import { useSelector } from "@tanstack/react-store";
import { useRef, useState } from "react";
import { toast } from "sonner";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { useNow } from "../../ui/use-now.ts";
import { accountStore, changeAccount } from "./account-store.ts";
import { explainAuth, type AuthWords } from "./auth-words.ts";

const RESEND_AFTER_MS = 30_000;

/** Asks for another code, no sooner than the server sends one. */
export function ResendCode({ send }: { send: () => Promise<void> }) {
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
      await send();
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
