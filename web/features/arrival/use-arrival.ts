import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { DevicePosition } from "../../../worker/contract/arrival.ts";
import { checkIn, nextBlockQuery } from "../../api/arrival.ts";
import { useNow } from "../../ui/use-now.ts";
import { againAfter, fixToTry, standingOf, usableFix, type Tried } from "./standing.ts";
import { useWatch } from "./use-watch.ts";

/** Watches the device and checks in: by itself when inside and in time, or where `instant` once, now. */
export function useArrival(token: string | null, { instant }: { instant: boolean }) {
  const queryClient = useQueryClient();
  const query = useQuery(nextBlockQuery(token));
  const [round, setRound] = useState(0);
  const watch = useWatch(round);
  const now = useNow(1000);
  const [latest, setLatest] = useState<(Tried & { blockId: string }) | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (given: { blockId: string; fix: DevicePosition }) => checkIn(token, given),
    onSettled: (answer, error, { blockId }) => {
      const given = answer ?? null;
      setLatest({ blockId, answer: given, error, againAt: againAfter(given, error, Date.now()) });
      return queryClient.invalidateQueries({ queryKey: ["next-block"] });
    },
  });
  const next = query.data ?? { block: null, warehouse: null };
  const blockId = next.block?.blockId;
  const tried = latest?.blockId === blockId ? latest : null;
  const arrival = { next, watch, tried, isAsking: isPending, now };
  const fix = fixToTry(arrival, { instant });
  useEffect(() => {
    if (fix && blockId) mutate({ blockId, fix });
  }, [fix, blockId, mutate]);

  const tryNow = () => {
    const usable = usableFix(watch, Date.now());
    if (usable && blockId && !isPending) mutate({ blockId, fix: usable });
    else setRound((known) => known + 1);
  };
  return { query, next, watch, standing: standingOf(arrival), tryNow };
}
