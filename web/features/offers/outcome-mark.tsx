import { Check, CircleHelp, Ellipsis, Minus, X, type LucideIcon } from "lucide-react";
import type { OfferOutcome } from "../../../db/shapes/log/driver-log.ts";
import type { LostReason } from "../../../db/shapes/log/attempt.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { m } from "../../messages/messages.js";
import { withdrawalMessage } from "./question-messages.ts";
import { reasonSummary } from "./reason-messages.ts";

const MARKS = {
  won: { Icon: Check, className: "bg-signal text-on-signal" },
  match: { Icon: Ellipsis, className: "border border-edge text-ink" },
  asked: { Icon: CircleHelp, className: "border border-edge text-ink" },
  withdrawn: { Icon: Minus, className: "bg-sunken text-soft" },
  trying: { Icon: Ellipsis, className: "border border-edge text-ink" },
  unknown: { Icon: CircleHelp, className: "border border-warn text-warn" },
  lost: { Icon: X, className: "border border-bad text-bad" },
  rejected: { Icon: Minus, className: "bg-sunken text-soft" },
} satisfies Record<OfferOutcome["kind"], { Icon: LucideIcon; className: string }>;

const QUIET_TICK = { Icon: Check, className: "bg-sunken text-ink" };

export const LOST_MESSAGES = {
  offer_gone: m.lost_offer_gone,
  overlap: m.lost_overlap,
  weekly_limit: m.lost_weekly_limit,
  pay_changed: m.lost_pay_changed,
  withdrawn: m.lost_withdrawn,
  rate_limited: m.lost_rate_limited,
  signed_out: m.lost_signed_out,
  verification_required: m.lost_verification_required,
  refused: m.lost_refused,
  no_answer: m.lost_no_answer,
  already_yours: m.lost_already_yours,
  probably_yours: m.lost_probably_yours,
  other: m.lost_other,
} satisfies Record<LostReason, () => string>;

/** The icon of an outcome; there is always text beside it. In a list where all are captured, the tick is `isQuiet`. */
export function OutcomeMark({
  kind,
  isQuiet = false,
  sizeClass = "size-7",
}: {
  kind: OfferOutcome["kind"];
  isQuiet?: boolean;
  sizeClass?: string;
}) {
  const { Icon, className } = isQuiet && kind === "won" ? QUIET_TICK : MARKS[kind];
  return (
    <span aria-hidden className={`grid shrink-0 place-items-center rounded-full ${sizeClass} ${className}`}>
      <Icon className="size-4" strokeWidth={2.5} />
    </span>
  );
}

/** The outcome of an offer in a few words. */
export function outcomeMessage(outcome: OfferOutcome, now: EpochMs): string {
  switch (outcome.kind) {
    case "rejected":
      return reasonSummary(outcome.reasons, outcome.rule);
    case "match":
      return m.feed_match();
    case "asked":
      return m.feed_asked();
    case "withdrawn":
      return withdrawalMessage(outcome.reason);
    case "trying":
      return m.feed_trying();
    case "unknown":
      return m.feed_unknown();
    case "won":
      return wonMessage(outcome.block, now);
    case "lost":
      return LOST_MESSAGES[outcome.reason]();
  }
}

/** A block that has ended is checked in no more: while the driver is off, the platform isn't asked again. */
function wonMessage({ status, endsAt }: Pick<Block, "status" | "endsAt">, now: EpochMs): string {
  if (status === "forfeited") return m.block_given_back();
  return status === "checked_in" && now < endsAt ? m.block_checked_in() : m.feed_captured();
}
