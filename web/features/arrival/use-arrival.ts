import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { DevicePosition } from "../../../db/shapes/work/check-in.ts";
import { checkIn, nextBlockQuery } from "../../api/queries/arrival.ts";
import { useNow } from "../../ui/use-now.ts";
import {
  nextAttemptAt,
  fixToCheckInWith,
  arrivalStatus,
  usableFix,
  type CheckInAttempt,
} from "./arrival-status.ts";
import { useDevicePosition } from "./use-device-position.ts";

/** Follows the device's position and checks in when it is inside and in time; with `instant`, once and right now. */
export function useArrival(token: string | null, { instant }: { instant: boolean }) {
  const queryClient = useQueryClient();
  const next = useSuspenseQuery(nextBlockQuery(token)).data;
  const [restartCount, setRestartCount] = useState(0);
  const position = useDevicePosition(restartCount);
  const now = useNow(1000);
  const [lastAttempt, setLastAttempt] = useState<(CheckInAttempt & { blockId: string }) | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (response: { blockId: string; fix: DevicePosition }) => checkIn(token, response),
    onSettled: (data, error, { blockId }) => {
      const response = data ?? null;
      setLastAttempt({
        blockId,
        response: response,
        error,
        retryAt: nextAttemptAt(response, error, Date.now()),
      });
      return queryClient.invalidateQueries({ queryKey: ["next-block"] });
    },
  });
  const blockId = next.block?.blockId;
  const attempt = lastAttempt?.blockId === blockId ? lastAttempt : null;
  const arrival = { next, position, attempt, isCheckingIn: isPending, now };
  const fix = fixToCheckInWith(arrival, { instant });
  useEffect(() => {
    if (fix && blockId) mutate({ blockId, fix });
  }, [fix, blockId, mutate]);

  const tryNow = () => {
    const usable = usableFix(position, Date.now());
    if (usable && blockId && !isPending) mutate({ blockId, fix: usable });
    else setRestartCount((known) => known + 1);
  };
  return { next, position, status: arrivalStatus(arrival), now, tryNow };
}
