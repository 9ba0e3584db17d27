import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { PublicConfig } from "../../../worker/contract/status.ts";
import { AuthError } from "../../api/session/auth-error.ts";
import { configQuery } from "../../api/queries/user.ts";
import { m } from "../../messages/messages.js";

/** A challenge to draw; a new `round` asks for another token. */
export type ChallengeRound = NonNullable<PublicConfig["turnstile"]> & {
  round: number;
  /** Called with null when the token expires or the challenge fails. */
  onToken: (token: string | null) => void;
};

/** The challenge before registering; null where the deployment asks for none. */
export function useHumanChallenge(): {
  challenge: ChallengeRound | null;
  /**
   * The token, which works once; null where there is no challenge.
   * @throws {AuthError} `ChallengeOpen` if the challenge is not solved
   */
  takeToken: () => string | null;
} {
  const turnstile = useQuery(configQuery).data?.turnstile ?? null;
  const [round, setRound] = useState(0);
  const token = useRef<string | null>(null);
  const onToken = (solved: string | null) => {
    token.current = solved;
  };
  const takeToken = () => {
    if (!turnstile) return null;
    const taken = token.current;
    if (taken === null) throw new AuthError("ChallengeOpen", m.register_challenge_required());
    token.current = null;
    setRound((last) => last + 1);
    return taken;
  };
  return { challenge: turnstile && { ...turnstile, round, onToken }, takeToken };
}
