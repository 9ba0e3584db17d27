import { useSelector } from "@tanstack/react-store";
import { useRef, useState } from "react";
import { toast } from "sonner";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError, type FormMessage } from "../../ui/form-error.tsx";
import { useNow } from "../../ui/use-now.ts";
import { accountStore, noteCodeSent } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";

const RESEND_AFTER_MS = 30_000;
/** As many as the server sends without a wait between them. */
const PROMPT_SENDS = 2;

/** Asks for another code: the first time at once, then when the last one had time to arrive. */
export function ResendCode({ phone, send }: { phone: string; send: () => Promise<void> }) {
  const sent = useSelector(accountStore, ({ codeSent }) => (codeSent?.to === phone ? codeSent : null));
  const now = useNow(1000);
  const isSending = useRef(false);
  const [sendError, setSendError] = useState<FormMessage | null>(null);
  const waitsUntil = sent && sent.count >= PROMPT_SENDS ? sent.at + RESEND_AFTER_MS : 0;
  // `now` is up to a second old: right after a code was sent it may still be before that.
  const secondsLeft = Math.ceil((waitsUntil - Math.max(now, sent?.at ?? 0)) / 1000);
  const resend = async () => {
    if (isSending.current || secondsLeft > 0) return;
    isSending.current = true;
    setSendError(null);
    try {
      await send();
      noteCodeSent(phone, 1);
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
