import {
  consumeCodeTry,
  undoSend,
  type CodeKey,
  type CodeTryResult,
} from "../../../db/queries/identity/codes.ts";
import { isNotEnded } from "../../../db/queries/identity/live-sessions.ts";
import type { Language } from "../../../db/shapes/language.ts";
import type { DriverId } from "../../../db/shapes/units.ts";
import { createPoolContext, type PoolDeps } from "../pool-context.ts";
import { callerTry, judgeCode, type TriedCode } from "./code-checks.ts";
import { makeCode } from "./codes.ts";
import { forgetCodeGuesses } from "./guesses.ts";

/** Codes that prove a driver's preferred number, whichever user pool signs drivers in. */
export type PhoneCodes = {
  /**
   * Texts a code. `limit`: too many, `number`: this number gets no texts, `stopped`: its owner replied STOP, `failed`:
   * the text couldn't be sent.
   */
  send(message: {
    driverId: DriverId;
    to: string;
    language: Language;
    address: string | null;
  }): Promise<"sent" | "limit" | "number" | "stopped" | "failed">;
  /** Uses up one of the caller's tries at the code, before it is compared; none of a caller whose session was ended. */
  takeTry(driverId: DriverId, sessionId: string | null): Promise<CodeTryResult>;
  /** Compares a code that a try was used up at. The proof of a right one is for the batch of what it allows. */
  check(entered: {
    driverId: DriverId;
    to: string;
    code: string;
    attempt: CodeTryResult;
  }): Promise<TriedCode>;
  /** Forgets wrong guesses at the codes of a number that was proved. */
  forgetGuesses(proved: { driverId: DriverId; to: string }): Promise<void>;
};

/** @throws {TypeError} if Cognito clients would reject the pool id */
export function createPhoneCodes(deps: PoolDeps): PhoneCodes {
  const pool = createPoolContext(deps);
  const keyOf = (userId: DriverId): CodeKey => ({ userId, purpose: "preferred_phone" });
  return {
    async send({ driverId, to, language, address }) {
      const key = keyOf(driverId);
      const request = { to, isProved: false, account: driverId, address, isDecoy: false };
      const { store, codeOf } = await makeCode(pool, key, { to });
      const admission = await pool.texts.admitCode(request, store);
      if (admission.kind === "refused") return admission.reason === "ceiling" ? "failed" : admission.reason;
      const { hash } = admission;
      const delivery = await admission.send(pool.messages.code(language, codeOf(hash)));
      if (delivery.kind === "sent") return "sent";
      await undoSend(pool.db, key, { hash, mayArrive: delivery.mayArrive });
      return delivery.reason === "stopped" ? "stopped" : "failed";
    },
    takeTry: async (driverId, sessionId) =>
      consumeCodeTry(pool.db, keyOf(driverId), await callerTry(pool), isNotEnded(sessionId)),
    check: ({ driverId, ...entered }) => judgeCode(pool, keyOf(driverId), entered),
    forgetGuesses: ({ driverId, to }) => forgetCodeGuesses(pool, keyOf(driverId), to),
  };
}
