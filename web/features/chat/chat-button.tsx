import { MessagesSquare } from "lucide-react";
import { m } from "../../messages/messages.js";
import { useOpenChat } from "./use-open-chat.ts";

/** Opens the support chat, where it is offered to the driver. */
export function ChatButton({ className }: { className: string }) {
  const { isOffered, open, isPending, isError } = useOpenChat();
  if (!isOffered) return null;
  return (
    <li>
      <button type="button" className={`${className} w-full`} aria-disabled={isPending} onClick={open}>
        <MessagesSquare aria-hidden className="size-5 @max-[9rem]:hidden" />
        {isPending ? m.support_chat_opening() : m.support_chat()}
      </button>
      {isError && (
        <p role="alert" className="px-3 text-sm font-semibold text-bad">
          {m.support_chat_failed()}
        </p>
      )}
    </li>
  );
}
