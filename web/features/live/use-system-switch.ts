import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "../../ui/toast.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { isOlder } from "../../api/live/live-state.ts";
import { dispatchLive, liveStore } from "../../api/live/live.ts";
import { patchUser, userQuery } from "../../api/queries/user.ts";
import { m } from "../../messages/messages.js";

/**
 * Puts the server's response to the switch, or to a choice of the mode, into the query cache and the live store, unless they
 * know of a later change already: by another response, or by the driver's object.
 */
export function useApplyUser(): (user: User) => void {
  const queryClient = useQueryClient();
  return (user) => {
    const { revision, mode, specialMode, userDisabled } = user;
    const known = queryClient.getQueryData(userQuery.queryKey);
    if (!known || !isOlder(user, known)) cacheResponse(queryClient, userQuery, user);
    const settings = { revision, mode, specialMode, switchedOn: userDisabled === 0 };
    dispatchLive({ kind: "settings", settings });
  };
}

/** The system switch. While the call is pending, `variables` is shown; a refusal rolls it back. */
export function useSystemSwitch(phoneNumber: string) {
  const applyUser = useApplyUser();
  return useMutation({
    mutationFn: (on: boolean) => patchUser({ phoneNumber, userDisabled: on ? 0 : 1 }),
    onSuccess: (user, on) => {
      applyUser(user);
      // Another device may have turned it over again.
      if ((liveStore.get().snapshot?.switchedOn ?? on) === on)
        toast(on ? m.switch_was_on() : m.switch_was_off());
    },
  });
}
