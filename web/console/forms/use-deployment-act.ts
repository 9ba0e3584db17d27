import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import type { DeploymentAct } from "../../../worker/contract/console/operator-acts.ts";
import { postDeploymentAct } from "../calls/console-api.ts";
import { m } from "../messages/messages.js";

/** Sends an act on the whole deployment, under one key for as long as its form is open. */
export function useDeploymentAct(onDone: () => void) {
  const queryClient = useQueryClient();
  const [key] = useState(() => crypto.randomUUID());
  return useMutation({
    mutationFn: (act: DeploymentAct) => postDeploymentAct(key, act),
    onSuccess: () => {
      toast.success(m.done());
      onDone();
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
}
