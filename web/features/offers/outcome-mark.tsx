import { Check, CircleHelp, Ellipsis, Minus, X, type LucideIcon } from "lucide-react";
import type { OfferOutcome } from "../../../db/shapes/work/driver-log.ts";

const MARKS = {
  won: { Icon: Check, className: "bg-signal text-on-signal" },
  match: { Icon: Ellipsis, className: "border border-edge text-ink" },
  trying: { Icon: Ellipsis, className: "border border-edge text-ink" },
  unknown: { Icon: CircleHelp, className: "border border-warn text-warn" },
  lost: { Icon: X, className: "border border-bad text-bad" },
  rejected: { Icon: Minus, className: "bg-sunken text-soft" },
} satisfies Record<OfferOutcome["kind"], { Icon: LucideIcon; className: string }>;

/** The icon of an outcome; there is always text beside it. */
export function OutcomeMark({ kind }: { kind: OfferOutcome["kind"] }) {
  const { Icon, className } = MARKS[kind];
  return (
    <span aria-hidden className={`grid size-7 shrink-0 place-items-center rounded-full ${className}`}>
      <Icon className="size-4" strokeWidth={2.5} />
    </span>
  );
}
