import { useMutation, useQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { configQuery } from "../../api/queries/user.ts";
import { sessionStore } from "../../api/session/session.ts";
import { currentLocale } from "../language/locale.ts";
import { openSheet } from "../ui-state/ui-store.ts";
import { mayShowChat, reloadForChat } from "./chat-page.ts";
import { chatQuery } from "./chat-query.ts";

/** Whether the support chat is offered to the driver, and what opens it. */
export function useOpenChat(): {
  isOffered: boolean;
  open: () => void;
  isPending: boolean;
  isError: boolean;
} {
  const isSignedIn = Boolean(useSelector(sessionStore));
  const chat = useQuery(configQuery).data?.chat ?? null;
  const { data: driver } = useQuery({ ...chatQuery, enabled: isSignedIn && chat !== null });
  const { mutate, isPending, isError } = useMutation({
    mutationFn: async () => {
      if (!chat || !driver) return;
      if (!mayShowChat()) {
        reloadForChat();
        // The page is gone before.
        return new Promise<void>(() => {});
      }
      const { openChat } = await import("./chat-widget.ts");
      await openChat({ url: chat.url, token: chat.token, locale: currentLocale() }, driver);
      openSheet(null);
    },
  });
  const isOffered = isSignedIn && chat !== null && Boolean(driver);
  return { isOffered, open: () => isPending || mutate(), isPending, isError };
}
