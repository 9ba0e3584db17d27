import { createECDH } from "node:crypto";
import { findingsOf, type Check } from "./means.ts";

/** Whether the two keys of browser notifications are a pair. */
export const checkNotifications: Check = async ({ config: { vapid } }) => {
  const { right, wrong, unasked } = findingsOf("notifications");
  if (!vapid) return [unasked("VAPID's keys aren't all at hand")];
  return [
    publicKeyOf(vapid.privateKey) === vapid.publicKey
      ? right("VAPID's keys are a pair")
      : wrong(
          "VAPID's keys are no pair, so push services refuse every notification: put both from one run of the handbook's command",
        ),
  ];
};

/** The public key of a private one; null if it is none. */
function publicKeyOf(privateKey: string): string | null {
  try {
    const pair = createECDH("prime256v1");
    pair.setPrivateKey(privateKey, "base64url");
    return pair.getPublicKey("base64url");
  } catch {
    return null;
  }
}
