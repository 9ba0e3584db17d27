import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import {
  PushServiceError,
  loadPushState,
  disablePush,
  enablePush,
  type PushState,
} from "../../api/device/push.ts";
import { sessionsQuery } from "../../api/queries/account.ts";
import { useConfig } from "../../api/queries/use-config.ts";
import { sessionStore } from "../../api/session/session.ts";
import { m } from "../../messages/messages.js";
import { withFreshSignIn } from "../account/fresh-sign-in-sheet.tsx";
import { errorMessage } from "../language/error-messages.ts";

/** Whether this browser notifies its driver, or what to do where that can't be turned on. */
export const PUSH_MESSAGES = {
  unsupported: m.notify_push_unsupported,
  needs_install: m.notify_push_needs_install,
  denied: m.notify_push_denied,
  off: m.notify_push_off,
  on: m.notify_push_on,
} satisfies Record<PushState, () => string>;

/** The state of push notifications in this browser, and how to change it. */
export function usePush() {
  const queryClient = useQueryClient();
  const isAvailable = useConfig().vapidPublicKey !== null;
  const driver = useSelector(sessionStore, (session) => session?.username);
  const queryKey = ["push", driver];
  // Asked of the browser, not of the server: the screen is there before it is known.
  const { data: state, isLoading } = useQuery({
    queryKey,
    queryFn: loadPushState,
    enabled: isAvailable,
    networkMode: "always",
    staleTime: 0,
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (on: boolean) => (on ? withFreshSignIn(enablePush) : disablePush()),
    onSuccess: (next) => {
      queryClient.setQueryData(queryKey, next);
      // They say which of them gets notifications.
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  return {
    isOffered: isAvailable,
    state,
    isLoading,
    setEnabled: mutate,
    isUpdating: isPending,
    errorText: error && pushErrorMessage(error),
  };
}

function pushErrorMessage(error: Error): string {
  return error instanceof PushServiceError ? m.notify_push_service_failed() : errorMessage(error);
}
