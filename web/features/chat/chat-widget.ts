import type { ChatResponse } from "../../../worker/contract/chat.ts";

type Widget = {
  setUser(identifier: string, user: Record<string, string>): void;
  setCustomAttributes(attributes: Record<string, string | boolean | null>): void;
  setLabel(label: string): void;
  setLocale(locale: string): void;
  toggle(state: "open" | "close"): void;
  reset(): void;
};

declare global {
  interface Window {
    /** Set by the chat's script. */
    chatwootSDK?: { run(options: { websiteToken: string; baseUrl: string }): void };
    chatwootSettings?: { hideMessageBubble: boolean; position: "right"; locale: string };
    $chatwoot?: Widget;
  }
}

/** The conversation that the chat's script keeps for a year. */
const CONVERSATION_COOKIE = "cw_conversation";

let loading: Promise<Widget> | null = null;

/** Opens the chat as this driver. Its script is loaded by the first call, never before. */
export async function openChat(
  { url, token, locale }: { url: string; token: string; locale: string },
  driver: ChatResponse,
): Promise<void> {
  loading ??= load({ url, token, locale }).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  const widget = await loading;
  widget.setUser(driver.identifier, {
    name: driver.name,
    phone_number: driver.phoneNumber,
    identifier_hash: driver.identifierHash,
    ...(driver.email === null ? {} : { email: driver.email }),
  });
  widget.setCustomAttributes(driver.attributes);
  widget.setLabel(driver.label);
  widget.setLocale(locale);
  widget.toggle("open");
}

/** Ends the conversation on this device: whoever signs in next has nothing of it. */
export function resetChat(): void {
  window.$chatwoot?.reset();
  document.cookie = `${CONVERSATION_COOKIE}=; path=/; max-age=0`;
}

function load({ url, token, locale }: { url: string; token: string; locale: string }): Promise<Widget> {
  // Read by the script when it runs. The page has a button of its own.
  window.chatwootSettings = { hideMessageBubble: true, position: "right", locale };
  return new Promise((resolve, reject) => {
    const failed = () => reject(new Error("the chat could not be loaded"));
    const ready = () => (window.$chatwoot ? resolve(window.$chatwoot) : failed());
    window.addEventListener("chatwoot:ready", ready, { once: true });
    const script = document.createElement("script");
    script.src = `${url}/packs/js/sdk.js`;
    script.async = true;
    script.addEventListener("load", () => {
      if (!window.chatwootSDK) return failed();
      window.chatwootSDK.run({ websiteToken: token, baseUrl: url });
    });
    script.addEventListener("error", () => {
      script.remove();
      window.removeEventListener("chatwoot:ready", ready);
      failed();
    });
    document.head.append(script);
  });
}
