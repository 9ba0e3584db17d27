import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { toast } from "../../ui/toast.ts";
import {
  updateLinking,
  linkingEndReason,
  linkingStore,
  resendLinkingCode,
  retryAfterMs,
  setupQuery,
} from "../../api/queries/setup.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { linkingErrorMessage, verificationUrlOf } from "./linking-messages.ts";
import { VerificationLink } from "./linking-step-layout.tsx";
import { useSecondsUntil } from "./countdown.ts";
import { formatCountdown } from "../language/format.ts";
import { serverNow } from "../../early/server-clock.ts";

/** The shortest wait before another code can be requested; the platform may ask for a longer one. */
export const LINKING_RESEND_AFTER_MS = 30_000;

/** Asks the platform for another code. `onSent`: the code that was typed is no longer valid. */
export function ResendLinkingCodeButton({ onSent }: { onSent: () => void }) {
  const queryClient = useQueryClient();
  const waitSeconds = useSecondsUntil(useSelector(linkingStore, (state) => state.resendAt));
  const { mutate, isPending, error } = useMutation({
    mutationFn: resendLinkingCode,
    onSuccess: () => {
      updateLinking({ resendAt: serverNow() + LINKING_RESEND_AFTER_MS });
      toast(m.linking_resent());
      onSent();
    },
    onError: (failure) => {
      const waitMs = retryAfterMs(failure);
      if (waitMs > 0) updateLinking({ resendAt: serverNow() + waitMs });
      const endReason = linkingEndReason(failure);
      if (endReason) updateLinking({ endReason });
    },
    // A new code expires later; a linking that is over has none.
    onSettled: () => queryClient.invalidateQueries({ queryKey: setupQuery.queryKey }),
  });
  // Where the platform says how long to wait, the button does, and nothing is left to say after it.
  const isShown = error && !(errorCodeOf(error) === "rate_limited" && retryAfterMs(error) > 0);
  return (
    <div className="grid gap-2">
      <Button
        aria-disabled={waitSeconds > 0 || isPending}
        onClick={() => waitSeconds === 0 && !isPending && mutate()}
        className="figures aria-disabled:opacity-55"
      >
        {waitSeconds > 0 ? m.linking_resend_in({ left: formatCountdown(waitSeconds) }) : m.linking_resend()}
      </Button>
      {isShown && <FormError {...linkingErrorMessage("code", error)} />}
      <VerificationLink url={verificationUrlOf(error)} />
    </div>
  );
}
