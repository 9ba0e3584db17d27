import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { toast } from "../../ui/toast.ts";
import { liveStore } from "../../api/live.ts";
import { m } from "../../messages/messages.js";
import { formatBlockLength, formatMoney, formatTime } from "../language/format.ts";
import { offerPlace } from "../offers/offer-place.ts";

/** Announces each capture once: as a toast, in a live region, and with sound or vibration where the driver wants it. */
export function CaptureAnnouncer() {
  const [announcement, setAnnouncement] = useState("");
  const queryClient = useQueryClient();
  useEffect(() => {
    let announcedSeq = liveStore.get().lastCapture?.seq ?? 0;
    const subscription = liveStore.subscribe(({ lastCapture, snapshot }) => {
      if (!lastCapture || lastCapture.seq <= announcedSeq) return;
      announcedSeq = lastCapture.seq;
      const { block } = lastCapture;
      const place = offerPlace(block, snapshot?.warehouses ?? []);
      const figures = {
        when: formatTime(block.startsAt, { timeZone: place.timeZone, now: Date.now() }),
        hours: formatBlockLength(block),
        pay: formatMoney(block.payCents, block.currency),
      };
      setAnnouncement(m.capture_announcement({ where: place.name, ...figures }));
      toast.success(m.capture_toast(figures), { duration: 8000 });
      void queryClient.invalidateQueries({ queryKey: ["blocks"] });
      void import("../notifications/capture-alert.ts").then(({ alertCapture }) => alertCapture());
    });
    return () => subscription.unsubscribe();
  }, [queryClient]);
  return (
    <p aria-live="polite" className="sr-only" data-testid="capture-announcement">
      {announcement}
    </p>
  );
}
