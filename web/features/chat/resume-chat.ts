import { queryClient } from "../../api/client/query-client.ts";
import { configQuery } from "../../api/queries/user.ts";
import { sessionStore } from "../../api/session/session.ts";
import { currentLocale } from "../language/locale.ts";
import { chatQuery } from "./chat-query.ts";

/**
 * Brings back the bubble of a chat that the driver opened on this device before the page was loaded anew: it marks a reply
 * that they haven't read. Nobody else's page loads the script.
 */
export function resumeChat(): void {
  const resume = () => {
    if (sessionStore.get() && /(?:^|; )cw_conversation=/.test(document.cookie))
      load().catch((error: unknown) => {
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

async function load(): Promise<void> {
  // The driver has opened it meanwhile.
  if (window.chatwootSettings) return;
  const { chat } = await queryClient.fetchQuery(configQuery);
  const driver = chat && (await queryClient.fetchQuery(chatQuery));
  if (!driver) return;
  const { showChat } = await import("./chat-widget.ts");
  await showChat({ url: chat.url, token: chat.token, locale: currentLocale() }, driver);
}
