import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useEffect } from "react";
import { configQuery } from "../../api/queries/user.ts";
import { AuthError } from "../../api/session/auth-error.ts";
import { usesOwnPool } from "../../api/session/cognito-request.ts";
import { hasPasskeys, loadPasskeyHints } from "../../api/session/passkey-hints.ts";
import {
  isRemovedPasskey,
  stopWaiting,
  suggestsPasskeys,
  type PasskeySignInOptions,
} from "../../api/session/passkey.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { useIsHydrated } from "../../early/use-is-hydrated.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { describeAuthError } from "./auth-messages.ts";
import { signInByPasskey, signInBySuggestion } from "./sign-in-flow.ts";

/** The page requests another challenge before that of a suggestion expires. */
const SUGGESTION_MS = 4 * MINUTE_MS;

/**
 * Signs in without a password, where browser and user pool can. Before the page knows, its HTML says which pool signs in, so
 * that nothing moves.
 */
export function PasskeySignIn() {
  const isHydrated = useIsHydrated();
  const identity = useQuery(configQuery).data?.identity;
  const isPossible = !isHydrated || (hasPasskeys() && (identity === undefined || usesOwnPool(identity)));
  const {
    mutate,
    isPending,
    error: failure,
  } = useMutation({
    mutationFn: (way: PasskeySignInOptions) => signInByPasskey(way),
  });
  // Apart, since it waits for as long as the screen is open.
  const suggestion = useMutation({ mutationFn: signInBySuggestion });
  useSuggestedPasskey(isHydrated && isPossible && identity !== undefined, suggestion.mutate);
  if (!isPossible) return null;
  const error = failure ?? suggestion.error;
  const isShown = error && !(error instanceof AuthError && error.code === "PasskeyCanceled");
  return (
    <>
      <Button
        aria-disabled={isPending}
        className="[html:not([data-own-pool])_&]:hidden"
        onClick={() => isPending || mutate({})}
      >
        <KeyRound aria-hidden className="size-4.5" />
        {isPending ? m.passkey_signing_in() : m.passkey_sign_in()}
      </Button>
      {isRemovedPasskey(error) ? (
        <section aria-labelledby="removed-passkey" className="card grid gap-3 border-bad p-4">
          <h2 id="removed-passkey" className="text-base">
            {m.passkey_removed_title()}
          </h2>
          <p className="text-sm">{m.passkey_removed_text()}</p>
          <Button
            variant="danger"
            aria-disabled={isPending}
            onClick={() => isPending || mutate({ undoesRecovery: true })}
          >
            {m.passkey_not_me()}
          </Button>
        </section>
      ) : (
        isShown && <FormError {...describeAuthError("passkey", error).message} />
      )}
    </>
  );
}

/** Has the browser suggest passkeys where the number is typed, if one was used in it before. */
function useSuggestedPasskey(isPossible: boolean, suggestOne: () => void): void {
  useEffect(() => {
    if (!isPossible || !loadPasskeyHints().isKnown) return undefined;
    let isOver = false;
    const suggest = async () => {
      if (!isOver && (await suggestsPasskeys()) && !isOver) suggestOne();
    };
    void suggest();
    const again = setInterval(() => void suggest(), SUGGESTION_MS);
    return () => {
      isOver = true;
      clearInterval(again);
      void stopWaiting();
    };
  }, [isPossible, suggestOne]);
}
