import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "../../ui/toast.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { dispatchLive } from "../../api/live/live.ts";
import { patchUser, userQuery } from "../../api/queries/user.ts";
import { m } from "../../messages/messages.js";

/** Puts the server's response into the query cache and the live store. */
export function useApplyUser(): (user: User) => void {
  const queryClient = useQueryClient();
  return (user) => {
    cacheResponse(queryClient, userQuery, user);
    dispatchLive({
      kind: "settings",
      switchedOn: user.userDisabled === 0,
      mode: user.mode,
      specialMode: user.specialMode,
    });
  };
}

/** The system switch. While the call is pending, `variables` is shown; a refusal rolls it back. */
export function useSystemSwitch(phoneNumber: string) {
  const applyUser = useApplyUser();
  return useMutation({
    mutationFn: (on: boolean) => patchUser({ phoneNumber, userDisabled: on ? 0 : 1 }),
    onSuccess: (user, on) => {
      applyUser(user);
      toast(on ? m.switch_was_on() : m.switch_was_off());
    },
  });
}
