import { CircleCheck, MapPin, TriangleAlert } from "lucide-react";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { DEVICE_TIME_ZONE, formatDistance } from "../language/format.ts";
import { arrivalMessage } from "./arrival-messages.ts";
import type { ArrivalStatus } from "./arrival-status.ts";

const TONE_STYLES = {
  done: { Icon: CircleCheck, className: "bg-signal text-on-signal" },
  waiting: { Icon: MapPin, className: "bg-sunken text-ink" },
  action_required: { Icon: TriangleAlert, className: "bg-sunken text-warn" },
} as const;

/** The status of the check-in, announced as it changes, with a button to try now. */
export function ArrivalStatusCard({
  status,
  instant,
  timeZone = DEVICE_TIME_ZONE,
  now,
  accuracyMeters,
  onRetry,
}: {
  status: ArrivalStatus;
  instant: boolean;
  timeZone: string | undefined;
  now: EpochMs;
  accuracyMeters: number | null;
  onRetry: () => void;
}) {
  const { title, text, tone } = arrivalMessage(status, { instant, timeZone, now });
  const { Icon, className } = TONE_STYLES[tone];
  const isOver = status.kind === "done" || status.kind === "none" || status.kind === "late";
  return (
    <div className="grid gap-4" data-status={status.kind}>
      <output className="grid justify-items-center gap-2 text-center">
        <span className={`grid size-14 place-items-center rounded-full ${className}`}>
          <Icon aria-hidden className="size-7" />
        </span>
        <span className="figures font-display text-xl font-bold">{title}</span>
        <span className="max-w-prose text-soft">{text}</span>
      </output>
      {accuracyMeters !== null && !isOver && (
        <p className="figures text-center text-sm text-soft">
          {m.arrival_accuracy({ accuracy: formatDistance(accuracyMeters) })}
        </p>
      )}
      {!isOver && status.kind !== "checking" && (
        <Button variant={instant ? "primary" : "plain"} onClick={onRetry}>
          {status.kind === "denied" || status.kind === "unavailable" ? m.try_again() : m.arrived_instant()}
        </Button>
      )}
    </div>
  );
}
