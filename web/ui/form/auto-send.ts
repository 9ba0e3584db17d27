/**
 * When a code sends itself: at once where it comes as a whole, pasted or filled in from a text, and has `min` digits; typed
 * digit by digit, where it has one of the `typed` lengths.
 */
export type AutoSendRule = { min: number; typed: readonly number[] };

/** The codes that we text ourselves: six digits, or ten while somebody guesses at the account. */
export const OWN_CODE: AutoSendRule = { min: 6, typed: [6, 10] };

/** After the last digit, in case it was not meant. */
const TYPED_PAUSE_MS = 400;
/** Where the code may go on: somebody looks back at the text for the rest of it. */
const UNFINISHED_PAUSE_MS = 1500;

/** Sends a code by itself, once. Any entry or submit in the meantime cancels the pending one. */
export function createAutoSend() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => clearTimeout(timer);
  return {
    /** @param digitsAtOnce how many came with the latest input; 0 where it took some away */
    enter(
      rule: AutoSendRule,
      { send, ...entered }: { length: number; digitsAtOnce: number; send: () => void },
    ): void {
      cancel();
      const delayMs = delayOf(rule, entered);
      if (delayMs !== null) timer = setTimeout(send, delayMs);
    },
    cancel,
  };
}

function delayOf(
  { min, typed }: AutoSendRule,
  { length, digitsAtOnce }: { length: number; digitsAtOnce: number },
): number | null {
  if (digitsAtOnce >= min) return 0;
  if (digitsAtOnce === 0 || !typed.includes(length)) return null;
  return typed.some((longer) => longer > length) ? UNFINISHED_PAUSE_MS : TYPED_PAUSE_MS;
}

/**
 * Sends a code once: one that was refused as wrong is refused again without asking. A code sends itself, and who then taps
 * the button, which was meant for the first time, would lose another of a few tries.
 * @param isWrong whether an error says that the code is wrong
 */
export function createCodeSender(isWrong: (error: unknown) => boolean) {
  let refused: { code: string; error: unknown } | null = null;
  return {
    /** @throws the error of `call`, or the one with which this code was refused before */
    async send<Response>(code: string, call: () => Promise<Response>): Promise<Response> {
      if (refused?.code === code) throw refused.error;
      try {
        return await call();
      } catch (error) {
        if (isWrong(error)) refused = { code, error };
        throw error;
      }
    },
    /** Another code was texted, which may be the same. */
    reset(): void {
      refused = null;
    },
  };
}
