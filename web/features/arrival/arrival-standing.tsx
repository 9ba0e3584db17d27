import { CircleCheck, MapPin, TriangleAlert } from "lucide-react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { sayDistance } from "../language/format.ts";
import { sayStanding } from "./arrival-words.ts";
import type { Standing } from "./standing.ts";

const LOOKS = {
  done: { Icon: CircleCheck, className: "bg-signal text-on-signal" },
  wait: { Icon: MapPin, className: "bg-sunken text-ink" },
  needs: { Icon: TriangleAlert, className: "bg-sunken text-warn" },
} as const;

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** How it stands with arriving, told as it changes, and the way on. */
export function ArrivalStanding({
  standing,
  instant,
  timeZone = HERE,
  accuracyMeters,
  onTry,
}: {
  standing: Standing;
  instant: boolean;
  timeZone: string | undefined;
  accuracyMeters: number | null;
  onTry: () => void;
}) {
  const { title, text, tone } = sayStanding(standing, { instant, timeZone });
  const { Icon, className } = LOOKS[tone];
  const isOver = standing.kind === "done" || standing.kind === "none" || standing.kind === "late";
  return (
    <div className="grid gap-4" data-standing={standing.kind}>
      <output className="grid justify-items-center gap-2 text-center">
        <span className={`grid size-14 place-items-center rounded-full ${className}`}>
          <Icon aria-hidden className="size-7" />
        </span>
        <span className="figures font-display text-xl font-bold">{title}</span>
        <span className="max-w-prose text-soft">{text}</span>
      </output>
      {accuracyMeters !== null && !isOver && (
        <p className="figures text-center text-sm text-soft">
          {m.arrival_accuracy({ accuracy: sayDistance(accuracyMeters) })}
        </p>
      )}
      {!isOver && standing.kind !== "checking" && (
        <Button look={instant ? "primary" : "plain"} onClick={onTry}>
          {standing.kind === "denied" || standing.kind === "unavailable"
            ? m.try_again()
            : m.arrived_instant()}
        </Button>
      )}
    </div>
  );
}
