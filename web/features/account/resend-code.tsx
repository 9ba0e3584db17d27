import { useSelector } from "@tanstack/react-store";
import { useRef, useState } from "react";
import { toast } from "sonner";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError, type FormMessage } from "../../ui/form-error.tsx";
import { useNow } from "../../ui/use-now.ts";
import { accountStore, updateAccount } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";

const RESEND_AFTER_MS = 30_000;

/** Asks for another code, when the first one had time to arrive. */
export function ResendCode({ send }: { send: () => Promise<void> }) {
  const sentAt = useSelector(accountStore, (state) => state.codeSentAt);
  const now = useNow(1000);
  const isSending = useRef(false);
  const [sendError, setSendError] = useState<FormMessage | null>(null);
  // `now` is up to a second old: right after a code was sent it may still be before `sentAt`.
  const secondsLeft = Math.ceil((sentAt + RESEND_AFTER_MS - Math.max(now, sentAt)) / 1000);
  const resend = async () => {
    if (isSending.current || secondsLeft > 0) return;
    isSending.current = true;
    setSendError(null);
    try {
      await send();
      updateAccount({ codeSentAt: Date.now() });
      toast(m.code_resent());
    } catch (error) {
      setSendError(describeAuthError("resend", error).message);
    } finally {
      isSending.current = false;
    }
  };
  return (
    <div className="grid gap-2">
      <Button
        aria-disabled={secondsLeft > 0}
        onClick={() => void resend()}
        className="figures aria-disabled:opacity-55"
      >
        {secondsLeft > 0 ? m.code_resend_in({ seconds: secondsLeft }) : m.code_resend()}
      </Button>
      {sendError && <FormError {...sendError} />}
    </div>
  );
}
