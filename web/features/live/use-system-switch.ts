import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "../../ui/toast.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { dispatchLive } from "../../api/live/live.ts";
import { patchUser, userQuery } from "../../api/queries/user.ts";
import { m } from "../../messages/messages.js";

/**
 * Puts the server's response to the switch, or to a choice of the mode, into the query cache and the live store. Of the
 * other one it says nothing there: of two responses that are under way at once, the older may come last.
 */
export function useApplyUser(): (user: User, changed: "switch" | "mode") => void {
  const queryClient = useQueryClient();
  return (user, changed) => {
    const known = queryClient.getQueryData(userQuery.queryKey) ?? user;
    const { mode, specialMode } = changed === "mode" ? user : known;
    cacheResponse(queryClient, userQuery, { ...(changed === "mode" ? known : user), mode, specialMode });
    const settings = changed === "mode" ? { mode, specialMode } : { switchedOn: user.userDisabled === 0 };
    dispatchLive({ kind: "settings", settings });
  };
}

/** The system switch. While the call is pending, `variables` is shown; a refusal rolls it back. */
export function useSystemSwitch(phoneNumber: string) {
  const applyUser = useApplyUser();
  return useMutation({
    mutationFn: (on: boolean) => patchUser({ phoneNumber, userDisabled: on ? 0 : 1 }),
    onSuccess: (user, on) => {
      applyUser(user, "switch");
      toast(on ? m.switch_was_on() : m.switch_was_off());
    },
  });
}
