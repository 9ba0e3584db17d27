import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { toast } from "../../ui/toast.ts";
import { liveStore } from "../../api/live/live.ts";
import { m } from "../../messages/messages.js";
import { formatBlockLength, formatMoney, formatTime } from "../language/format.ts";
import { offerPlace } from "../offers/offer-place.ts";
import { serverNow } from "../../early/server-clock.ts";

/** How many captures the live region keeps. */
const ANNOUNCED = 4;

/** Announces each capture once: as a toast, in a live region, and with sound or vibration where the driver wants it. */
export function CaptureAnnouncer() {
  const [announcements, setAnnouncements] = useState<readonly { seq: number; text: string }[]>([]);
  const queryClient = useQueryClient();
  useEffect(() => {
    let announcedSeq = liveStore.get().lastCapture?.seq ?? 0;
    const subscription = liveStore.subscribe(({ lastCapture, snapshot }) => {
      if (!lastCapture || lastCapture.seq <= announcedSeq) return;
      announcedSeq = lastCapture.seq;
      const { block } = lastCapture;
      const place = offerPlace(block, snapshot?.warehouses ?? []);
      const figures = {
        when: formatTime(block.startsAt, { timeZone: place.timeZone, now: serverNow() }),
        hours: formatBlockLength(block),
        pay: formatMoney(block.payCents, block.currency),
      };
      const text = m.capture_announcement({ where: place.name, ...figures });
      setAnnouncements((known) => [...known.slice(1 - ANNOUNCED), { seq: lastCapture.seq, text }]);
      // Read out once: the toasts are a live region, too.
      toast.success(<span aria-hidden>{m.capture_toast(figures)}</span>, { duration: 8000 });
      void queryClient.invalidateQueries({ queryKey: ["blocks"] });
      void import("../../api/device/app-badge.ts").then(({ badgeCapture }) => badgeCapture());
      void import("../notifications/capture-alert.ts").then(({ alertCapture }) => alertCapture());
    });
    return () => subscription.unsubscribe();
  }, [queryClient]);
  return (
    // Each is added: a capture that follows at once doesn't take the place of one that is still being read.
    <div aria-live="polite" aria-relevant="additions" className="sr-only" data-testid="capture-announcement">
      {announcements.map(({ seq, text }) => (
        <p key={seq}>{text}</p>
      ))}
    </div>
  );
}
