import { useMutation, useQueryClient } from "@tanstack/react-query";
import { AuthError } from "../../api/session/auth-error.ts";
import { sessionsQuery } from "../../api/queries/account.ts";
import { addPasskey, passkeysQuery } from "../../api/queries/passkeys.ts";
import { m } from "../../messages/messages.js";
import type { FormMessage } from "../../ui/notices.tsx";
import { toast } from "../../ui/toast.ts";
import { describeAuthError } from "../account/auth-messages.ts";
import { withFreshSignIn } from "../account/fresh-sign-in-sheet.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { deviceLabel } from "../profile/activity-labels.ts";

/** Adds a passkey, named for this device. Needs a recent sign-in. */
export function useAddPasskey() {
  const queryClient = useQueryClient();
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      const sessions = await queryClient.ensureQueryData(sessionsQuery).catch(() => []);
      const here = sessions.find(({ isCurrent }) => isCurrent);
      const name = deviceLabel(here ?? { browser: null, system: null });
      return withFreshSignIn(() => addPasskey(name));
    },
    onSuccess: async () => {
      toast(m.passkeys_added());
      await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
    },
  });
  return {
    add: () => isPending || mutate(),
    forgetProblem: () => isPending || reset(),
    isPending,
    isSuccess,
    problem: error && describe(error),
  };
}

function describe(error: Error): FormMessage {
  if (error instanceof AuthError) return describeAuthError("passkey", error).message;
  return { title: m.passkeys_add_failed(), hint: errorMessage(error) };
}
