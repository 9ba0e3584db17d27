import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { toast } from "sonner";
import { liveStore } from "../../api/live.ts";
import { m } from "../../messages/messages.js";
import { sayDayTime, sayLength, sayMoney } from "../language/format.ts";
import { placeOf } from "../offers/place-of.ts";

const PushOffer = lazy(async () => ({
  default: (await import("../notifications/push-offer.tsx")).PushOffer,
}));

/** Tells of each capture once: to the eye as a toast, to the ear politely, and aloud where the driver wants it. */
export function CaptureAnnouncer() {
  const [words, setWords] = useState("");
  const queryClient = useQueryClient();
  useEffect(() => {
    let told = liveStore.get().captured?.seq ?? 0;
    const subscription = liveStore.subscribe(({ captured, snapshot }) => {
      if (!captured || captured.seq <= told) return;
      told = captured.seq;
      const { block } = captured;
      const place = placeOf(block, snapshot?.warehouses ?? []);
      const figures = {
        when: sayDayTime(block.startsAt, place.timeZone),
        hours: sayLength(block),
        pay: sayMoney(block.payCents, block.currency),
      };
      setWords(m.capture_announcement({ where: place.name, ...figures }));
      toast.success(m.capture_toast(figures), { duration: 8000 });
      void queryClient.invalidateQueries({ queryKey: ["blocks"] });
      void import("../notifications/capture-signal.ts").then(({ signalCapture }) => signalCapture());
    });
    return () => subscription.unsubscribe();
  }, [queryClient]);
  return (
    <>
      <p aria-live="polite" className="sr-only" data-testid="capture-announcement">
        {words}
      </p>
      <Suspense>{words && <PushOffer />}</Suspense>
    </>
  );
}
