import { CHAT_COOKIE } from "../../../worker/contract/page-parts.ts";
import { queryClient } from "../../api/client/query-client.ts";
import { configQuery } from "../../api/queries/user.ts";
import { sessionStore } from "../../api/session/session.ts";
import { currentLocale } from "../language/locale.ts";
import { mayShowChat, takeChatWanted } from "./chat-page.ts";
import { chatQuery } from "./chat-query.ts";

/**
 * Opens the chat that this page was loaded for, or brings back the bubble of one that the driver opened on this device before:
 * it marks a reply that they haven't read. Nobody else's page loads the script.
 */
export function resumeChat(): void {
  if (!mayShowChat()) return;
  const isWanted = takeChatWanted();
  const resume = () => {
    if (sessionStore.get() && (isWanted || document.cookie.split("; ").some(isConversation)))
      load(isWanted).catch((error: unknown) => {
        // oxlint-disable-next-line no-console -- the button opens it, and says what is wrong
        console.warn("chat.resume.failed", error instanceof Error ? error.message : "unknown");
      });
  };
  resume();
  const { unsubscribe } = sessionStore.subscribe(() => {
    if (sessionStore.get() === undefined) return;
    unsubscribe();
    resume();
  });
}

function isConversation(cookie: string): boolean {
  return cookie.startsWith(`${CHAT_COOKIE}=`);
}

async function load(isWanted: boolean): Promise<void> {
  // The driver has opened it meanwhile.
  if (window.chatwootSettings) return;
  const { chat } = await queryClient.fetchQuery(configQuery);
  const driver = chat && (await queryClient.fetchQuery(chatQuery));
  if (!driver) return;
  const { openChat, showChat } = await import("./chat-widget.ts");
  await (isWanted ? openChat : showChat)(
    { url: chat.url, token: chat.token, locale: currentLocale() },
    driver,
  );
}
