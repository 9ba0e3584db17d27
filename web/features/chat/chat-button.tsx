import { useMutation, useQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { MessagesSquare } from "lucide-react";
import { configQuery } from "../../api/queries/user.ts";
import { sessionStore } from "../../api/session/session.ts";
import { m } from "../../messages/messages.js";
import { currentLocale } from "../language/locale.ts";
import { openSheet } from "../ui-state/ui-store.ts";
import { chatQuery } from "./chat-query.ts";

/** Opens the support chat, where it is offered to the driver. */
export function ChatButton({ className }: { className: string }) {
  const isSignedIn = Boolean(useSelector(sessionStore));
  const chat = useQuery(configQuery).data?.chat ?? null;
  const { data: driver } = useQuery({ ...chatQuery, enabled: isSignedIn && chat !== null });
  const { mutate, isPending, isError } = useMutation({
    mutationFn: async () => {
      if (!chat || !driver) return;
      const { openChat } = await import("./chat-widget.ts");
      await openChat({ url: chat.url, token: chat.token, locale: currentLocale() }, driver);
      openSheet(null);
    },
  });
  if (!isSignedIn || !chat || !driver) return null;
  return (
    <li>
      <button
        type="button"
        className={`${className} w-full`}
        aria-disabled={isPending}
        onClick={() => isPending || mutate()}
      >
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
