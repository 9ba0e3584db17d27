import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { sayDateTime, sayDuration } from "../language/format.ts";

const SOON_MS = 24 * 3_600_000;

/** How long the driver has paid for. */
export function ServiceTime({ until, timeZone }: { until: number | null; timeZone: string }) {
  const now = useNow(30_000);
  const left = until === null ? 0 : until - now;
  return (
    <p data-testid="service-time" className="figures text-sm">
      <span className="text-soft">{m.service_label()}: </span>
      {until === null || left <= 0 ? (
        <span className="font-semibold text-bad">{m.service_none()}</span>
      ) : (
        <>
          <span className={`font-semibold ${left < SOON_MS ? "text-warn" : ""}`}>
            {m.service_left({ left: sayDuration(left) })}
          </span>
          <span className="text-soft">, {m.service_until({ time: sayDateTime(until, timeZone) })}</span>
        </>
      )}
    </p>
  );
}
