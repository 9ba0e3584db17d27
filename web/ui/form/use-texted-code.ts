import { useEffect, useEffectEvent } from "react";
import * as z from "zod/mini";

/** Types that the DOM's lack: https://wicg.github.io/web-otp. */
type TextedCodeRequest = CredentialRequestOptions & { otp: { transport: readonly ["sms"] } };

const textedCode = z.object({ code: z.string() });

/** Takes over the code of a text that ends with this page's host, where the browser can and its owner agrees. */
export function useTextedCode(isWanted: boolean, onCode: (code: string) => void): void {
  const take = useEffectEvent(onCode);
  useEffect(() => {
    if (!isWanted || !("OTPCredential" in window)) return undefined;
    const aborter = new AbortController();
    const request: TextedCodeRequest = { otp: { transport: ["sms"] }, signal: aborter.signal };
    void takeOver();
    return () => aborter.abort();

    async function takeOver() {
      // Refused, or nothing came: the code is typed.
      const credential = await navigator.credentials.get(request).catch(() => null);
      const { data } = z.safeParse(textedCode, credential);
      if (data) take(data.code);
    }
  }, [isWanted]);
}
