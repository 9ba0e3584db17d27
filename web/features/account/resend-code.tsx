import { useSelector } from "@tanstack/react-store";
import { useRef, useState } from "react";
import { toast } from "../../ui/toast.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError, type FormMessage } from "../../ui/notices.tsx";
import { useNow } from "../../ui/use-now.ts";
import { DEVICE_TIME_ZONE, formatUntil } from "../language/format.ts";
import { accountStore, nextCodeAt, noteCodeSent } from "./account-store.ts";
import { describeAuthError } from "./auth-messages.ts";
import { HumanChallenge, useHumanChallenge } from "./human-challenge.tsx";

/** A longer wait shows the hour at which it ends. */
const COUNTED_SECONDS = 90;

/**
 * Asks for another code: the first time at once, then when the last one had time to arrive.
 * @param onSent the last code is no longer valid
 */
export function ResendCode({
  phone,
  send,
  onSent,
}: {
  phone: string;
  send: (challenge: string | null) => Promise<void>;
  onSent: () => void;
}) {
  const { challenge, takeToken, noteError } = useHumanChallenge({ onDemand: true });
  const waitsUntil = useSelector(accountStore, (state) => nextCodeAt(state, phone));
  const sentAt = useSelector(accountStore, ({ codeSent }) => codeSent?.at ?? 0);
  const now = useNow(1000);
  const isSending = useRef(false);
  const [sendError, setSendError] = useState<FormMessage | null>(null);
  // `now` is up to a second old: right after a code was sent it may still be before that.
  const secondsLeft = Math.ceil((waitsUntil - Math.max(now, sentAt)) / 1000);
  const resend = async () => {
    if (isSending.current || secondsLeft > 0) return;
    isSending.current = true;
    setSendError(null);
    try {
      await send(takeToken());
      noteCodeSent(phone, 1);
      toast(m.code_resent());
      onSent();
    } catch (error) {
      noteError(error);
      setSendError(describeAuthError("resend", error).message);
    } finally {
      isSending.current = false;
    }
  };
  return (
    <div className="grid gap-2">
      {challenge && <HumanChallenge key={challenge.round} {...challenge} />}
      <Button
        aria-disabled={secondsLeft > 0}
        onClick={() => void resend()}
        className="figures aria-disabled:opacity-55"
      >
        {secondsLeft > COUNTED_SECONDS
          ? m.code_resend_until({ until: formatUntil(waitsUntil, { now, timeZone: DEVICE_TIME_ZONE }) })
          : secondsLeft > 0
            ? m.code_resend_in({ seconds: secondsLeft })
            : m.code_resend()}
      </Button>
      {sendError && <FormError {...sendError} />}
    </div>
  );
}
