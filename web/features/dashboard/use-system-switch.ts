import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import type { User } from "../../../worker/contract/user.ts";
import { dispatchLive } from "../../api/live.ts";
import { patchUser, userQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";

/** Keeps what the server answered wherever it is shown. */
export function useApplyUser(): (user: User) => void {
  const queryClient = useQueryClient();
  return (user) => {
    queryClient.setQueryData(userQuery.queryKey, user);
    dispatchLive({
      kind: "settings",
      switchedOn: user.userDisabled === 0,
      mode: user.mode,
      specialMode: user.specialMode,
    });
  };
}

/** The system switch. While the server thinks, `variables` is what is shown; a refusal takes it back. */
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
