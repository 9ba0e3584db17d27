import { CHAT_ATTRIBUTE, CHAT_PARAMETER } from "../../../worker/contract/page-parts.ts";

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
