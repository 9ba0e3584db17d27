import { useSelector } from "@tanstack/react-store";
import { MessagesSquare } from "lucide-react";
import { useEffect } from "react";
import { m } from "../../messages/messages.js";
import { chatLoadedStore } from "./chat-page.ts";
import { useOpenChat } from "./use-open-chat.ts";

/**
 * The chat's bubble for a driver to whom it is offered, until the chat's own takes its place: its script is loaded by a
 * tap.
 */
export function ChatBubble({ hasTabs }: { hasTabs: boolean }) {
  const { isOffered, open, isPending } = useOpenChat();
  const isLoaded = useSelector(chatLoadedStore);
  // The chat's own bubble stays off the tabs, too.
  useEffect(() => {
    document.body.toggleAttribute("data-has-tabs", hasTabs);
  }, [hasTabs]);
  if (!isOffered || isLoaded) return null;
  return (
    <aside
      aria-label={m.support_chat()}
      data-testid="chat-bubble"
      className={`chat-bubble fixed right-[calc(1rem+env(safe-area-inset-right))] z-10 lg:bottom-5 ${hasTabs ? "bottom-[calc(5.5rem+env(safe-area-inset-bottom))]" : "bottom-5"}`}
    >
      <button
        type="button"
        aria-label={isPending ? m.support_chat_opening() : m.support_chat()}
        aria-disabled={isPending}
        onClick={open}
        className="grid size-14 place-items-center rounded-full border border-line bg-ink text-ground shadow-lg"
      >
        <MessagesSquare aria-hidden className="size-6" />
      </button>
    </aside>
  );
}
