import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { toast } from "sonner";
import { changeLinking, endOf, linkingStore, resendCode, retryAfterMs, setupQuery } from "../../api/setup.ts";
import { codeOf } from "../../api/problem.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { explainLinking } from "./linking-words.ts";
import { sayClock, useSecondsUntil } from "./clock.ts";

/** The soonest at which a platform is asked for another code; it may ask for longer. */
export const RESEND_AFTER_MS = 30_000;

/** Asks the platform for another code. `onSent`: the one that was typed is good for nothing now. */
export function Resend({ onSent }: { onSent: () => void }) {
  const queryClient = useQueryClient();
  const wait = useSecondsUntil(useSelector(linkingStore, (state) => state.resendAt));
  const { mutate, isPending, error } = useMutation({
    mutationFn: resendCode,
    onSuccess: () => {
      changeLinking({ resendAt: Date.now() + RESEND_AFTER_MS });
      toast(m.linking_resent());
      onSent();
    },
    onError: (failure) => {
      const waitMs = retryAfterMs(failure);
      if (waitMs > 0) changeLinking({ resendAt: Date.now() + waitMs });
      const ended = endOf(failure);
      if (ended) changeLinking({ ended });
    },
    // A new code has a new end, and a linking that is over has none.
    onSettled: () => queryClient.invalidateQueries({ queryKey: setupQuery.queryKey }),
  });
  const isShown = error && !(codeOf(error) === "rate_limited" && wait > 0);
  return (
    <div className="grid gap-2">
      <Button
        aria-disabled={wait > 0 || isPending}
        onClick={() => wait === 0 && !isPending && mutate()}
        className="figures aria-disabled:opacity-55"
      >
        {wait > 0 ? m.linking_resend_in({ left: sayClock(wait) }) : m.linking_resend()}
      </Button>
      {isShown && <Problem {...explainLinking("code", error)} />}
    </div>
  );
}
