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
