import { createStore } from "@tanstack/react-store";
import { CHAT_ATTRIBUTE, CHAT_PARAMETER } from "../../../worker/contract/page-parts.ts";
import { onSignedOut } from "../../api/session/session.ts";

/** Whether the chat's own bubble stands on this page, for the driver who is signed in. */
export const chatLoadedStore = createStore(false);

let isWanted = false;

/** Keeps that this page was loaded to open the chat, which its address says until the router drops it. */
export function noteChatWanted(search: string): void {
  isWanted = new URLSearchParams(search).has(CHAT_PARAMETER);
}

/** Whether this page was loaded to open the chat. True once. */
export function takeChatWanted(): boolean {
  const was = isWanted;
  isWanted = false;
  return was;
}

/** Whether the policy that this page was served with lets it load the chat. */
export function mayShowChat(): boolean {
  return document.documentElement.hasAttribute(CHAT_ATTRIBUTE);
}

/** Loads this page anew, to open the chat there. */
export function reloadForChat(): void {
  const address = new URL(location.href);
  address.searchParams.set(CHAT_PARAMETER, "open");
  location.assign(address);
}

/** The chat script's data for a year: the conversation, and a hash of the driver's identity. */
const CHAT_COOKIE = /^cw_(?:conversation$|user_)/;

/** Ends the conversation on this device, be it from before this page was loaded: whoever signs in next has nothing of it. */
export function resetChat(): void {
  window.$chatwoot?.reset();
  // It opens a conversation of nobody, and ours, which opens the next driver's, takes its place.
  window.$chatwoot?.toggleBubbleVisibility?.("hide");
  chatLoadedStore.setState(() => false);
  for (const cookie of document.cookie.split("; ")) {
    const [name = ""] = cookie.split("=");
    // The script names no domain, so the cookies are this host's alone.
    if (CHAT_COOKIE.test(name)) document.cookie = `${name}=; path=/; max-age=0`;
  }
}

/** From now on it ends with the session, however that ends. */
export function endChatWithSession(): void {
  onSignedOut(resetChat);
}
