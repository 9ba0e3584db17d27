import { chatLoadedStore } from "./chat-query.ts";
import type { ChatResponse } from "../../../worker/contract/voice.ts";

type Widget = {
  /** Once its frame has loaded; `chatwoot:ready` is dispatched then. */
  hasLoaded?: boolean;
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

/** The script says nothing of a frame that never loads. */
const LOADS_WITHIN_MS = 15_000;

let loading: Promise<Widget> | null = null;
let relabel: (() => void) | null = null;

type ChatAddress = { url: string; token: string; locale: string };

/** Opens the chat as this driver. */
export async function openChat(address: ChatAddress, driver: ChatResponse): Promise<void> {
  (await showChat(address, driver)).toggle("open");
}

/** Shows the chat's bubble to this driver. Its script is loaded by the first call, never before. */
export async function showChat(address: ChatAddress, driver: ChatResponse): Promise<Widget> {
  loading ??= load(address).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  const widget = await loading;
  chatLoadedStore.setState(() => true);
  widget.setUser(driver.identifier, {
    name: driver.name,
    phone_number: driver.phoneNumber,
    identifier_hash: driver.identifierHash,
    ...(driver.email === null ? {} : { email: driver.email }),
  });
  widget.setCustomAttributes(driver.attributes);
  labelConversation(widget, driver.label);
  widget.setLocale(address.locale);
  return widget;
}

/** A label goes to a conversation, and a new one begins with its first message: before, it is dropped. */
function labelConversation(widget: Widget, label: string): void {
  widget.setLabel(label);
  if (relabel) window.removeEventListener("chatwoot:on-message", relabel);
  relabel = () => widget.setLabel(label);
  window.addEventListener("chatwoot:on-message", relabel, { once: true });
}

function load({ url, token, locale }: ChatAddress): Promise<Widget> {
  // Read by the script when it runs. The bubble marks a reply that wasn't read.
  window.chatwootSettings = { hideMessageBubble: false, position: "right", locale };
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const stopWaiting = () => {
      clearTimeout(timer);
      window.removeEventListener("chatwoot:ready", ready);
    };
    const fail = () => {
      stopWaiting();
      script.remove();
      reject(new Error("the chat could not be loaded"));
    };
    const ready = () => {
      if (!window.$chatwoot) return fail();
      stopWaiting();
      resolve(window.$chatwoot);
    };
    const timer = setTimeout(fail, LOADS_WITHIN_MS);
    // A frame that loaded after the time was up is dispatched no more.
    if (window.$chatwoot?.hasLoaded) return ready();
    window.addEventListener("chatwoot:ready", ready);
    script.src = `${url}/packs/js/sdk.js`;
    script.async = true;
    script.addEventListener("load", () => {
      if (!window.chatwootSDK) return fail();
      window.chatwootSDK.run({ websiteToken: token, baseUrl: url });
    });
    script.addEventListener("error", fail);
    document.head.append(script);
  });
}
