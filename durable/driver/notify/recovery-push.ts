import type { Language } from "../../../db/shapes/language.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import type { PushMessage } from "../../push/push.ts";

/** As long as passkeys can't be removed after it. */
const TTL_SECONDS = 24 * 3600;

/** A password that a texted code set, told to whoever has a passkey. A tap asks them to sign in with it. */
export function recoveryPush(language: Language): PushMessage {
  return {
    data: {
      title: formatMessage(language, "push_recovered_title"),
      body: formatMessage(language, "push_recovered"),
      url: "/flex/profile",
      tag: "recovered",
      event: "needs_you",
    },
    ttlSeconds: TTL_SECONDS,
    urgency: "high",
  };
}
