import { findGivenBack } from "./given-back.ts";
import type { CompiledFilters, CompiledRule } from "./compiled-filters.ts";
import { limitReasons, type LimitBook, type LimitReason } from "./limit-book.ts";
import {
  addRuleReasons,
  countRuleReasons,
  reasonPusher,
  type JudgingRule,
  type RuleCode,
} from "./rule-checks.ts";
import { fullWeekFor, lengthOf, type FullWeek } from "./weekly-limit.ts";
import type { GivenBackBlock } from "../../../db/shapes/work/given-back.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { JudgedRule, Reason, ReasonCode } from "../../../db/shapes/work/verdict.ts";
import type { EpochMs, OfferId, Span, WarehouseId } from "../../../db/shapes/units.ts";

/** A span of time that is not free: a held block or an attempt that is not settled. */
export type BusySpan = Span & { offerId: OfferId | null; warehouseId?: WarehouseId | undefined };

/** The standards for an offer. */
export type MatchContext = {
  filters: CompiledFilters;
  now: EpochMs;
  busy: readonly BusySpan[];
  /** The currency of the filters' amounts. */
  currency: string;
  givenBack: readonly GivenBackBlock[];
  /** The weeks in which the platform gives no more blocks. */
  fullWeeks?: readonly FullWeek[];
  /** The driver's limits with the blocks that count toward them; null or absent if there are none. */
  book?: LimitBook | null;
};

/** The reasons that this release finds in the filters: `other` is only read, the rest is about a question to the driver. */
type FoundCode = Exclude<ReasonCode, "passed" | "unanswered" | "only_told" | "other">;
/** Those that depend on the driver's blocks. */
type HeldCode = "weekly_limit" | LimitReason["code"] | "overlaps_block";
type GeneralCode = Exclude<FoundCode, RuleCode | HeldCode>;

/** Every reason that doesn't depend on a rule, with its check. */
const CHECKS: {
  readonly [Code in GeneralCode | Exclude<HeldCode, LimitReason["code"]>]: (
    offer: Offer,
    context: MatchContext,
  ) => Extract<Reason, { code: Code }> | null;
} = {
  currency: (offer, { currency }) =>
    offer.currency === currency ? null : { code: "currency", rule: currency, offer: offer.currency },
  given_back: (offer, { givenBack }) => {
    const returned = findGivenBack(givenBack, offer);
    if (!returned) return null;
    const { blockId, givenBackAt } = returned;
    return { code: "given_back", rule: givenBackAt, offer: { blockId, ...spanOf(returned) } };
  },
  expired: ({ expiresAt }, { now }) =>
    expiresAt <= now ? { code: "expired", rule: now, offer: expiresAt } : null,
  warehouse_not_selected: ({ warehouseId }, { filters }) =>
    filters.warehousesById.get(warehouseId)?.requirements
      ? null
      : { code: "warehouse_not_selected", rule: [...filters.selectedIds], offer: warehouseId },
  service_type: ({ serviceType }, { filters }) =>
    filters.wholeFoodsOnly && serviceType !== "whole_foods"
      ? { code: "service_type", rule: "whole_foods", offer: serviceType }
      : null,
  weekly_limit: (offer, { fullWeeks = [] }) => {
    const full = fullWeekFor(fullWeeks, offer);
    if (!full) return null;
    const { minutes, until } = full;
    return { code: "weekly_limit", rule: { minutes, until }, offer: lengthOf(offer) };
  },
  /** A busy span of the same offer is not an overlap. */
  overlaps_block: (offer, { busy }) => {
    const overlapping = busy.find((span) => span.offerId !== offer.offerId && overlaps(span, offer));
    if (!overlapping) return null;
    const { warehouseId } = overlapping;
    const rule = warehouseId === undefined ? spanOf(overlapping) : { ...spanOf(overlapping), warehouseId };
    return { code: "overlaps_block", rule, offer: spanOf(offer) };
  },
};

/** An offer's verdict with the rules that let it through. */
export type Match = {
  /** Every reason against it, the main one first; empty if it matches. */
  reasons: Reason[];
  /** The rules of its warehouse that let it through, in the driver's order, whatever else is against it. */
  rules: readonly CompiledRule[];
  /** The first of them, else the one that it comes nearest to; null if its warehouse has none. */
  nearest: CompiledRule | null;
};

const NO_RULES: readonly CompiledRule[] = [];
const NO_WAREHOUSE: JudgingRule = { calendar: null, requirements: null };
const pushGeneralReasons = reasonPusher<GeneralCode>();

/**
 * Judges an offer. It is wanted if any rule of its warehouse lets it through. If none does, the reasons are those of the
 * nearest rule: the one with the fewest, and of several the first.
 */
export function judgeOffer(offer: Offer, context: MatchContext): Match {
  const warehouse = context.filters.warehousesById.get(offer.warehouseId);
  const rules = warehouse?.rules ?? NO_RULES;
  const first = rules[0] ?? null;
  const reasons: Reason[] = [];
  pushGeneralReasons(
    reasons,
    CHECKS.currency(offer, context),
    CHECKS.given_back(offer, context),
    CHECKS.expired(offer, context),
    CHECKS.warehouse_not_selected(offer, context),
    CHECKS.service_type(offer, context),
  );
  const general = reasons.length;
  let nearest = first;
  let letting = NO_RULES;
  if (rules.length <= 1) {
    addRuleReasons(reasons, offer, first ?? warehouse ?? NO_WAREHOUSE, context);
    if (first && reasons.length === general) letting = rules;
  } else {
    ({ nearest, letting } = judgeByEach(rules, offer, context));
    if (nearest) addRuleReasons(reasons, offer, nearest, context);
  }
  const weekly = CHECKS.weekly_limit(offer, context);
  if (weekly) reasons.push(weekly);
  if (context.book) for (const reason of limitReasons(context.book, offer)) reasons.push(reason);
  const overlap = CHECKS.overlaps_block(offer, context);
  if (overlap) reasons.push(overlap);
  return { reasons, rules: letting, nearest };
}

/** The rules that let an offer through, and the one with the fewest reasons against it, of several the first. */
function judgeByEach(
  rules: readonly CompiledRule[],
  offer: Offer,
  context: MatchContext,
): { nearest: CompiledRule | null; letting: readonly CompiledRule[] } {
  const letting: CompiledRule[] = [];
  let nearest: CompiledRule | null = null;
  let fewest = Infinity;
  for (const rule of rules) {
    const count = countRuleReasons(offer, { rule, terms: context, enough: Math.max(1, fewest) });
    if (count === 0) letting.push(rule);
    if (count >= fewest) continue;
    fewest = count;
    nearest = rule;
  }
  return { nearest, letting };
}

/** The name of the rule that a verdict is by; nothing where the warehouse has but one. */
export function judgedRuleOf(match: Match, { filters }: MatchContext, offer: Offer): JudgedRule | undefined {
  const rules = filters.warehousesById.get(offer.warehouseId)?.rules ?? NO_RULES;
  return rules.length > 1 ? match.nearest?.name : undefined;
}

/** Whether two half-open spans overlap: one that ends when the other starts does not. */
export function overlaps(one: Span, other: Span): boolean {
  return one.startsAt < other.endsAt && other.startsAt < one.endsAt;
}

function spanOf({ startsAt, endsAt }: Span): Span {
  return { startsAt, endsAt };
}
