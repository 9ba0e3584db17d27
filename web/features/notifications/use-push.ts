import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { PushServiceError, readPushState, turnPushOff, turnPushOn } from "../../api/push.ts";
import { configQuery } from "../../api/queries.ts";
import { sessionStore } from "../../api/session.ts";
import { m } from "../../messages/messages.js";
import { sayProblem } from "../language/problem-words.ts";

/** Notifications in this browser: how they stand, and the switch. */
export function usePush() {
  const queryClient = useQueryClient();
  const isOffered = Boolean(useQuery(configQuery).data?.vapidPublicKey);
  const driver = useSelector(sessionStore, (session) => session?.username);
  const queryKey = ["push", driver];
  const { data: state } = useQuery({
    queryKey,
    queryFn: readPushState,
    enabled: isOffered,
    networkMode: "always",
    staleTime: 0,
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (on: boolean) => (on ? turnPushOn() : turnPushOff()),
    networkMode: "always",
    onSuccess: (next) => queryClient.setQueryData(queryKey, next),
  });
  return { isOffered, state, turn: mutate, isTurning: isPending, problem: error && sayPushProblem(error) };
}

function sayPushProblem(error: Error): string {
  return error instanceof PushServiceError ? m.notify_push_service_failed() : sayProblem(error);
}
