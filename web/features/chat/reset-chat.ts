import { onSignedOut } from "../../api/session/session.ts";

/** The chat script's data for a year: the conversation, and a hash of the driver's identity. */
const CHAT_COOKIE = /^cw_(?:conversation$|user_)/;

/** Ends the conversation on this device, be it from before this page was loaded: whoever signs in next has nothing of it. */
export function resetChat(): void {
  window.$chatwoot?.reset();
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
