import { limitBookOf } from "./counted-blocks.ts";
import { judgedRuleOf, judgeOffer, type BusySpan, type MatchContext } from "./match.ts";
import { compiledFiltersOf } from "./compiled-filters.ts";
import { watchingProfile } from "../state/callable.ts";
import { updateState, updateTransient, type Transition } from "../state/transition.ts";
import { fullWeeks } from "./weekly-limit.ts";
import { reasonsAgainst } from "../questions/question-reasons.ts";
import { placeOf } from "../../../db/shapes/log/attempt.ts";
import { offerOutcomeOf } from "../../../db/shapes/log/driver-log.ts";
import type { PollOutcome } from "../state/outcomes.ts";
import type { DriverState, StepContext } from "../state/types.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { Reason, ReasonCode, Verdict } from "../../../db/shapes/work/verdict.ts";
import { MINUTE_MS, type EpochMs, type OfferId, type WarehouseId } from "../../../db/shapes/units.ts";

/**
 * Judges the offers of a poll's response. An offer without a verdict for its present terms and filters version
 * gets one, which is logged. Offers that have one are judged again every time, but a new verdict replaces the
 * old one, and is logged, only if it changes between match and no match, or what it was made of has changed. Where only the
 * pay of a skipped offer has changed, the last verdict of a minute replaces the old one. Verdicts on offers that have expired
 * and are no longer listed are dropped. `partOf`: as in the poll's outcome.
 */
export function judgeListing(
  transition: Transition,
  listed: readonly Offer[],
  partOf?: readonly WarehouseId[],
): void {
  const offers = new Map(listed.map((offer) => [offer.offerId, offer]));
  const open = [...offers.keys()];
  const { verdicts, transient } = transition.state;
  // A tried offer may be tried again once it was delisted or its pay has changed.
  const triedOffers = [...transient.triedOffers].filter((id) => {
    const offer = offers.get(id);
    return offer !== undefined && offer.payCents === verdicts.get(id)?.offer.payCents;
  });
  const isOpenSame =
    open.length === transient.openOfferIds.length &&
    open.every((id, index) => id === transient.openOfferIds[index]);
  updateTransient(transition, {
    openOfferIds: isOpenSame ? transient.openOfferIds : open,
    triedOffers:
      triedOffers.length === transient.triedOffers.size ? transient.triedOffers : new Set(triedOffers),
  });
  const isUnread = ({ warehouseId, expiresAt }: Offer) =>
    partOf !== undefined && !partOf.includes(warehouseId) && expiresAt > transition.ctx.now;
  noteGone(transition, (offer) => offers.has(offer.offerId) || isUnread(offer));
  judgeOffers(transition, [...offers.values()]);
  prune(transition);
}

/**
 * Logs the matches that left the list untried. One that is listed again is judged as if it were new. After a restart, the
 * listing of a part doesn't know whether others `mayBeListed`.
 */
export function noteGone(transition: Transition, mayBeListed: (offer: Offer) => boolean): void {
  const { verdicts, untried } = transition.state;
  const gone = untried.flatMap((id) => verdicts.get(id)?.offer ?? []).filter((offer) => !mayBeListed(offer));
  if (gone.length === 0) return;
  for (const offer of gone) {
    // A block that the driver took by hand was not missed.
    if (isTriedOrHeld(transition.state, offer.offerId)) continue;
    transition.log.push({ kind: "match_gone", at: transition.ctx.now, offer });
  }
  const ids = new Set(gone.map(({ offerId }) => offerId));
  updateState(transition, { verdicts: new Map([...verdicts].filter(([id]) => !ids.has(id))) });
}

/** Keeps which matches the log says nothing else of yet. */
export function noteUntried(transition: Transition): void {
  const { untried, verdicts } = transition.state;
  const next = new Set(untried.filter((id) => verdicts.has(id)));
  for (const event of transition.log) {
    const found = offerOutcomeOf(event);
    if (found?.outcome.kind === "match") next.add(found.offer.offerId);
    else if (found) next.delete(found.offer.offerId);
  }
  const isSame = next.size === untried.length && untried.every((id) => next.has(id));
  if (!isSame) updateState(transition, { untried: [...next] });
}

/**
 * All offers that are listed now, by a poll's response: of warehouses that it did not ask for, those that are known and have
 * not expired.
 */
export function listingOf(
  { state: { transient, verdicts }, ctx }: Transition,
  { offers, partOf }: Extract<PollOutcome, { kind: "offers" }>,
): readonly Offer[] {
  if (!partOf) return offers;
  const read = new Set(partOf);
  const listed = new Set(offers.map(({ offerId }) => offerId));
  const others = transient.openOfferIds.flatMap((id) => {
    const offer = listed.has(id) ? undefined : verdicts.get(id)?.offer;
    return offer && !read.has(offer.warehouseId) && offer.expiresAt > ctx.now ? [offer] : [];
  });
  return [...others, ...offers];
}

/** Judges the listed offers again, since filters, held blocks or the time have changed. */
export function rejudge(transition: Transition): void {
  const { transient, verdicts } = transition.state;
  judgeOffers(
    transition,
    transient.openOfferIds.flatMap((id) => verdicts.get(id)?.offer ?? []),
  );
}

/** The standards of a verdict now; null without a profile. */
export function judgingContext(
  state: DriverState,
  { now, settings }: Pick<StepContext, "now" | "settings">,
): MatchContext | null {
  const { profile, warehouses, givenBack } = state;
  if (!profile) return null;
  return {
    filters: compiledFiltersOf(profile, warehouses),
    now,
    busy: busySpans(state, "unknown"),
    currency: settings.currency,
    givenBack,
    fullWeeks: fullWeeks(state, now),
    book: limitBookOf(state, "unknown", settings.currency),
  };
}

/** Judges offers again, or for the first time. */
export function judgeOffers(transition: Transition, offers: readonly Offer[]): void {
  const context = judgingContext(transition.state, transition.ctx);
  if (!context) return;
  const { verdicts, warehouses, questions } = transition.state;
  const { now } = transition.ctx;
  const compiled = context.filters;
  const isWatched = watchingProfile(transition.state, now) !== null;
  const next = new Map<OfferId, Verdict>();
  const told: Offer[] = [];
  let isPayUnsettled = false;
  for (const offer of offers) {
    const known = verdicts.get(offer.offerId);
    const isJudged =
      known !== undefined &&
      known.filtersVersion === compiled.filtersVersion &&
      hasSameTerms(known.offer, offer);
    if (
      isJudged &&
      (isTriedOrHeld(transition.state, offer.offerId) ||
        !changesVerdict(known, reasonsAgainst(offer, judgeOffer(offer, context), questions)))
    ) {
      if (!isSameListing(known.offer, offer)) next.set(offer.offerId, { ...known, offer });
      continue;
    }
    const match = judgeOffer(offer, context);
    const reasons = reasonsAgainst(offer, match, questions);
    // A match that nobody wants now would stay without an outcome.
    if (reasons.length === 0 && !isWatched) continue;
    if (
      known &&
      known.filtersVersion === compiled.filtersVersion &&
      isPayAlone(known, { offer, reasons }, now)
    ) {
      isPayUnsettled = true;
      continue;
    }
    if (isToldAnew(known, reasons)) told.push(offer);
    const rule = judgedRuleOf(match, context, offer);
    next.set(offer.offerId, {
      offer,
      reasons,
      ...(rule && { rule }),
      filtersVersion: compiled.filtersVersion,
      judgedAt: now,
      firstSeenAt: known?.firstSeenAt ?? now,
    });
    transition.log.push({
      kind: "offer_judged",
      at: now,
      offer,
      reasons: [...reasons],
      ...(rule && { rule }),
      filtersVersion: compiled.filtersVersion,
    });
  }
  if (next.size > 0) updateState(transition, { verdicts: new Map([...verdicts, ...next]) });
  // A listing that stays the same must be read once more when the minute is over.
  if (isPayUnsettled) updateTransient(transition, { etag: null });
  const [first] = told;
  if (first)
    transition.notifications.push({
      kind: "offers_told",
      offer: first,
      place: placeOf(first, warehouses),
      count: told.length,
    });

  function changesVerdict(known: Verdict, reasons: readonly Reason[]): boolean {
    return (
      (known.reasons.length === 0) !== (reasons.length === 0) || basisOf(known.reasons) !== basisOf(reasons)
    );
  }
}

/** Reasons by the driver's other blocks, of which the figures alone replace no verdict. */
const DEPENDS_ON_BLOCKS: ReadonlySet<ReasonCode> = new Set([
  "weekly_limit",
  "day_limit",
  "week_limit",
  "goal_reached",
  "rest",
  "travel",
  "passed",
  "unanswered",
  "only_told",
]);

/**
 * Whether an offer that was skipped within the last minute still is, with nothing changed but its pay. Pay that changes at
 * every poll would leave a line in the log each time.
 */
function isPayAlone(
  known: Verdict,
  { offer, reasons }: Pick<Verdict, "offer" | "reasons">,
  now: EpochMs,
): boolean {
  return (
    known.reasons.length > 0 &&
    reasons.length > 0 &&
    Math.abs(now - known.judgedAt) < MINUTE_MS &&
    basisOf(known.reasons) === basisOf(reasons) &&
    hasSameTerms({ ...known.offer, payCents: offer.payCents }, offer)
  );
}

/** Whether the driver hears of an offer that is only told of, once at these terms. */
function isToldAnew(known: Verdict | undefined, reasons: readonly Reason[]): boolean {
  const tells = (list: readonly Reason[]) =>
    list.some((reason) => reason.code === "only_told" && reason.rule === "tell");
  return tells(reasons) && !(known && tells(known.reasons));
}

/**
 * The driver's own blocks that a verdict depends on: another one that it overlaps, or one that was given back, replaces it.
 * Time alone does not.
 */
function basisOf(reasons: readonly Reason[]): string {
  let basis = "";
  for (const reason of reasons) {
    if (reason.code === "given_back") basis += `given back ${reason.offer.blockId};`;
    else if (reason.code === "overlaps_block") basis += `${reason.rule.startsAt}-${reason.rule.endsAt};`;
    else if (DEPENDS_ON_BLOCKS.has(reason.code)) basis += `${reason.code};`;
  }
  return basis;
}

/** Whether two listings of an offer agree in everything that a verdict depends on, expiry aside. */
export function hasSameTerms(one: Offer, other: Offer): boolean {
  return (
    one.payCents === other.payCents &&
    one.startsAt === other.startsAt &&
    one.endsAt === other.endsAt &&
    one.warehouseId === other.warehouseId &&
    one.serviceType === other.serviceType &&
    one.currency === other.currency
  );
}

function isSameListing(one: Offer, other: Offer): boolean {
  return one === other || (one.expiresAt === other.expiresAt && one.surge === other.surge);
}

function prune(transition: Transition): void {
  const { verdicts, transient } = transition.state;
  const open = new Set(transient.openOfferIds);
  const remaining = [...verdicts].filter(
    ([id, { offer }]) => open.has(id) || offer.expiresAt > transition.ctx.now,
  );
  if (remaining.length < verdicts.size) updateState(transition, { verdicts: new Map(remaining) });
}

/**
 * Spans of time that are not free. For a verdict (`unknown`) these are held blocks, those of which nothing
 * but the span could be read, unknown attempts, and those that got no answer before their block started, until the blocks
 * were read. For selecting what to accept (`pending`), pending attempts count too: they are not a reason against an offer,
 * since their outcome is a moment away, but nothing that overlaps them may be tried at the same time.
 */
export function busySpans(
  { held, openAttempts, doubtedAttempts, transient }: DriverState,
  scope: "unknown" | "pending",
): BusySpan[] {
  const blocks = held.filter(({ status }) => status !== "forfeited");
  const attempts = [...openAttempts.values()].filter(
    ({ outcome }) => scope === "pending" || outcome.status === "unknown",
  );
  const unanswered = [...doubtedAttempts.values()].filter(
    ({ outcome }) => outcome.status === "lost" && outcome.reason === "no_answer",
  );
  const unreadable = transient.unreadableHeld.map((span) => ({ ...span, offerId: null }));
  const refused = scope === "pending" ? transient.overlapRefusals.map(({ offer }) => offer) : [];
  return [...blocks, ...unreadable, ...refused, ...[...attempts, ...unanswered].map(({ offer }) => offer)];
}

/** Whether an offer was tried, is being tried or is held, so that its verdict no longer changes. */
export function isTriedOrHeld({ held, openAttempts, transient }: DriverState, offerId: OfferId): boolean {
  return (
    transient.triedOffers.has(offerId) ||
    held.some((block) => block.offerId === offerId && block.status !== "forfeited") ||
    [...openAttempts.values()].some(({ offer }) => offer.offerId === offerId)
  );
}

/** How many listed offers have no verdict yet. */
export function countUnseen({ verdicts }: DriverState, listed: readonly Offer[]): number {
  return listed.filter(({ offerId }) => !verdicts.has(offerId)).length;
}

/** Listed offers whose latest verdict is a match, that have not expired and were not tried. */
export function untriedMatches(state: DriverState, now: EpochMs): Offer[] {
  return state.transient.openOfferIds.flatMap((id) => {
    const verdict = state.verdicts.get(id);
    const isOpen = verdict && verdict.reasons.length === 0 && verdict.offer.expiresAt > now;
    return isOpen && !isTriedOrHeld(state, id) ? [verdict.offer] : [];
  });
}
