import { Check, CircleHelp, Ellipsis, Minus, X, type LucideIcon } from "lucide-react";
import type { OfferOutcome } from "./feed-item.ts";

const MARKS = {
  won: { Icon: Check, look: "bg-signal text-on-signal" },
  match: { Icon: Ellipsis, look: "border border-edge text-ink" },
  trying: { Icon: Ellipsis, look: "border border-edge text-ink" },
  unknown: { Icon: CircleHelp, look: "border border-warn text-warn" },
  lost: { Icon: X, look: "border border-bad text-bad" },
  passed: { Icon: Minus, look: "bg-sunken text-soft" },
} satisfies Record<OfferOutcome["kind"], { Icon: LucideIcon; look: string }>;

/** The sign of what became of an offer; words stand beside it. */
export function OutcomeMark({ kind }: { kind: OfferOutcome["kind"] }) {
  const { Icon, look: className } = MARKS[kind];
  return (
    <span aria-hidden className={`grid size-7 shrink-0 place-items-center rounded-full ${className}`}>
      <Icon className="size-4" strokeWidth={2.5} />
    </span>
  );
}
