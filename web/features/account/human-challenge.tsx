import { useEffect, useRef, useState } from "react";
import { m } from "../../messages/messages.js";
import { currentLocale } from "../language/locale.ts";
import { useQuery } from "@tanstack/react-query";
import type { PublicConfig } from "../../../worker/contract/status.ts";
import { isChallengeElsewhere } from "./challenge-page.ts";
import { AuthError, localAuthError } from "../../api/session/auth-error.ts";
import { configQuery } from "../../api/queries/user.ts";
import { addScript, loadOnce } from "../../api/client/load-once.ts";

type Turnstile = {
  render(
    target: HTMLElement,
    options: {
      sitekey: string;
      action: string;
      language: string;
      callback: (token: string) => void;
      "expired-callback": () => void;
      "error-callback": () => void;
    },
  ): string;
  remove(id: string): void;
};

/** A challenge to draw; a new `round` asks for another token. */
type ChallengeRound = NonNullable<PublicConfig["turnstile"]> & {
  round: number;
  /** Called with null when the token expires or the challenge fails. */
  onToken: (token: string | null) => void;
  /** Called where the challenge's script couldn't be loaded. */
  onLost: () => void;
};

declare global {
  interface Window {
    /** Set by the script of the challenge. */
    turnstile?: Turnstile;
  }
}

/**
 * A page that is still not allowed to show it after so long was not loaded anew, as from the cache of a page without a
 * network.
 */
const RELOADS_APART_MS = 30_000;
const RELOAD_KEY = "jornada.challenge-reload";

/** Loads the page of a form anew where it may not show the challenge. @returns whether it does */
function reloadForChallenge(now: number): boolean {
  if (!isChallengeElsewhere()) return false;
  try {
    if (now - Number(sessionStorage.getItem(RELOAD_KEY)) < RELOADS_APART_MS) return false;
    sessionStorage.setItem(RELOAD_KEY, String(now));
  } catch {
    // Without storage it could reload forever.
    return false;
  }
  location.reload();
  return true;
}

const loadChallenge = loadOnce(addScript);

/** The challenge that shows that a person registers. It makes one token; keyed by its round, it is drawn anew. */
export function HumanChallenge({ siteKey, scriptUrl, onToken, onLost }: Omit<ChallengeRound, "round">) {
  const target = useRef<HTMLDivElement>(null);
  const report = useRef({ onToken, onLost });
  useEffect(() => {
    report.current = { onToken, onLost };
  });
  useEffect(() => {
    let widget: string | null = null;
    let isGone = false;
    const forget = () => report.current.onToken(null);
    const draw = async () => {
      // oxlint-disable-next-line no-restricted-properties -- compared with this device's clock alone
      if (reloadForChallenge(Date.now())) return;
      try {
        await loadChallenge(scriptUrl);
      } catch {
        if (!isGone) report.current.onLost();
        return;
      }
      if (isGone || !target.current || !window.turnstile) return;
      widget = window.turnstile.render(target.current, {
        sitekey: siteKey,
        action: "register",
        language: currentLocale(),
        callback: (token) => report.current.onToken(token),
        "expired-callback": forget,
        "error-callback": forget,
      });
    };
    void draw();
    return () => {
      isGone = true;
      if (widget !== null) window.turnstile?.remove(widget);
    };
  }, [siteKey, scriptUrl]);
  return (
    <fieldset aria-label={m.register_challenge()}>
      <div ref={target} className="min-h-16" />
    </fieldset>
  );
}

/** The server's refusal of a code until the challenge is solved. */
const CHALLENGE_NEEDED = "UserLambdaValidationException";

/**
 * The challenge before registering, or before a code `onDemand` of the server; null where the deployment asks for none, or
 * hasn't asked yet.
 */
export function useHumanChallenge({ onDemand = false } = {}): {
  challenge: ChallengeRound | null;
  /**
   * The token, which works once; null where there is no challenge.
   * @throws {AuthError} `ChallengeOpen` if the challenge is not solved, `NetworkError` if it couldn't be loaded: then it is
   * loaded once more
   */
  takeToken: () => string | null;
  /** Shows the challenge if this error of a call asks for it. */
  noteError: (error: unknown) => void;
} {
  const offered = useQuery(configQuery).data?.turnstile ?? null;
  const [isAsked, setAsked] = useState(!onDemand);
  const turnstile = isAsked ? offered : null;
  const [round, setRound] = useState(0);
  const token = useRef<string | null>(null);
  const isLost = useRef(false);
  const onToken = (solved: string | null) => {
    token.current = solved;
  };
  const onLost = () => {
    isLost.current = true;
  };
  const takeToken = () => {
    if (!turnstile) return null;
    if (isLost.current) {
      isLost.current = false;
      setRound((last) => last + 1);
      throw localAuthError("NetworkError");
    }
    const taken = token.current;
    if (taken === null) throw new AuthError("ChallengeOpen", m.register_challenge_required());
    token.current = null;
    setRound((last) => last + 1);
    return taken;
  };
  const noteError = (error: unknown) => {
    if (error instanceof AuthError && error.code === CHALLENGE_NEEDED) setAsked(true);
  };
  return { challenge: turnstile && { ...turnstile, round, onToken, onLost }, takeToken, noteError };
}
