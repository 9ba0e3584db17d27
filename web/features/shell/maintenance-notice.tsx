import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Wrench } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { HEALTH_PATH, request } from "../../api/client/request.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/notices.tsx";
import { useNow } from "../../ui/use-now.ts";
import { DEVICE_TIME_ZONE, formatUntil } from "../language/format.ts";

/** Not all dashboards in the same second. */
const ASK_EVERY_MS = { least: 20_000, spread: 10_000 };

/**
 * Says that the server is closed for maintenance, asks when it is open again, and then has the screen ask for all that
 * it missed.
 */
export function MaintenanceNotice({ until }: { until: EpochMs | null }) {
  const now = useNow(MINUTE_MS);
  const queryClient = useQueryClient();
  const router = useRouter();
  const catchUp = useEffectEvent(() => {
    void queryClient.invalidateQueries();
    void router.invalidate();
  });
  useEffect(() => {
    const ask = () => void request(HEALTH_PATH, { cache: "no-store" }).catch(() => undefined);
    const timer = setInterval(ask, ASK_EVERY_MS.least + Math.random() * ASK_EVERY_MS.spread);
    return () => {
      clearInterval(timer);
      // It is gone once any call has succeeded.
      catchUp();
    };
  }, []);
  return (
    <div className="mx-auto w-full max-w-(--frame) px-3 pt-3 sm:px-5">
      <Banner Icon={Wrench}>
        {until === null || until < now
          ? m.maintenance_notice()
          : m.maintenance_notice_until({ until: formatUntil(until, { now, timeZone: DEVICE_TIME_ZONE }) })}
      </Banner>
    </div>
  );
}
