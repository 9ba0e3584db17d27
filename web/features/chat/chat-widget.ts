import { sessionStore } from "../../api/session/session.ts";
import { chatLoadedStore, resetChat } from "./chat-page.ts";
import { addScript, loadOnce } from "../../api/client/load-once.ts";
import type { ChatResponse } from "../../../worker/contract/voice.ts";

type Widget = {
  /** Once its frame has loaded; `chatwoot:ready` is dispatched then. */
  hasLoaded?: boolean;
  setUser(identifier: string, user: Record<string, string>): void;
  setCustomAttributes(attributes: Record<string, string | boolean | null>): void;
  setLabel(label: string): void;
  setLocale(locale: string): void;
  toggle(state: "open" | "close"): void;
  /** Missing in installations of before version 2. */
  toggleBubbleVisibility?(visibility: "show" | "hide"): void;
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

let relabel: (() => void) | null = null;

type ChatAddress = { url: string; token: string; locale: string };

/** Opens the chat as this driver. */
export async function openChat(address: ChatAddress, driver: ChatResponse): Promise<void> {
  (await showChat(address, driver)).toggle("open");
}

/** Shows the chat's bubble to this driver. Its script is loaded by the first call, never before. */
export async function showChat(address: ChatAddress, driver: ChatResponse): Promise<Widget> {
  const opener = sessionStore.get()?.username;
  const widget = await loadWidget(address);
  if (sessionStore.get()?.username !== opener) {
    resetChat();
    throw new Error("the driver has signed out meanwhile");
  }
  widget.toggleBubbleVisibility?.("show");
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

const loadWidget = loadOnce(async ({ url, token, locale }: ChatAddress, signal) => {
  // Read by the script when it runs. The bubble marks a reply that wasn't read.
  window.chatwootSettings = { hideMessageBubble: false, position: "right", locale };
  // A frame that loaded after the time was up is dispatched no more.
  if (!window.$chatwoot?.hasLoaded) await loadFrame({ url, token }, signal);
  if (!window.$chatwoot) throw new Error("the chat could not be loaded");
  return window.$chatwoot;
});

/** Its script says nothing of a frame that never loads. */
async function loadFrame({ url, token }: Omit<ChatAddress, "locale">, signal: AbortSignal): Promise<void> {
  const ready = new Promise((resolve) => {
    window.addEventListener("chatwoot:ready", resolve, { once: true, signal });
  });
  await addScript(`${url}/packs/js/sdk.js`, signal);
  if (!window.chatwootSDK) throw new Error("the chat's script is not its own");
  window.chatwootSDK.run({ websiteToken: token, baseUrl: url });
  await ready;
}
