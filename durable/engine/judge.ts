import { matchOffer, type TakenSpan } from "./match.ts";
import { rulebookOf } from "./rulebook.ts";
import { change, remember, type Turn } from "./turn.ts";
import type { DriverState, Offer, Verdict } from "./types.ts";
import type { EpochMs, OfferId } from "./units.ts";

/**
 * Judges the offers of an answer. One that has no verdict under these rules and terms gets one,
 * which is logged. Under the same rules and terms it is judged anew each time, but only a verdict
 * that turns (a match is passed over, or the other way round) replaces the old and is logged.
 * Verdicts on offers that have expired and are listed no more are dropped.
 */
export function judgeListing(turn: Turn, listed: readonly Offer[]): void {
  const offers = new Map(listed.map((offer) => [offer.offerId, offer]));
  const open = [...offers.keys()];
  const { verdicts, memory } = turn.state;
  // An offer that was tried is open to another try where it went away, or its pay changed.
  const spent = [...memory.spent].filter((id) => {
    const offer = offers.get(id);
    return offer !== undefined && offer.payCents === verdicts.get(id)?.offer.payCents;
  });
  const isOpenSame =
    open.length === memory.open.length && open.every((id, index) => id === memory.open[index]);
  remember(turn, {
    open: isOpenSame ? memory.open : open,
    spent: spent.length === memory.spent.size ? memory.spent : new Set(spent),
  });
  judge(turn, [...offers.values()]);
  prune(turn);
}

/** Judges what is open once more: the rules, the blocks held or the time of day have changed. */
export function rejudge(turn: Turn): void {
  const { memory, verdicts } = turn.state;
  judge(
    turn,
    memory.open.flatMap((id) => verdicts.get(id)?.offer ?? []),
  );
}

function judge(turn: Turn, offers: readonly Offer[]): void {
  const { profile, warehouses, verdicts } = turn.state;
  if (!profile) return;
  const { now } = turn.ctx;
  const book = rulebookOf(profile, warehouses);
  const taken = takenSpans(turn.state, "unknown");
  const next = new Map<OfferId, Verdict>();
  for (const offer of offers) {
    const known = verdicts.get(offer.offerId);
    const isJudged =
      known !== undefined && known.filtersVersion === book.filtersVersion && hasSameTerms(known.offer, offer);
    if (isJudged && (isUnderWay(turn.state, offer.offerId) || !turns(known, offer))) {
      if (!isSameListing(known.offer, offer)) next.set(offer.offerId, { ...known, offer });
      continue;
    }
    const reasons = matchOffer(offer, { book, now, taken });
    next.set(offer.offerId, {
      offer,
      reasons,
      filtersVersion: book.filtersVersion,
      judgedAt: now,
      firstSeenAt: known?.firstSeenAt ?? now,
    });
    turn.log.push({
      kind: "offer_judged",
      at: now,
      offer,
      reasons: [...reasons],
      filtersVersion: book.filtersVersion,
    });
  }
  if (next.size > 0) change(turn, { verdicts: new Map([...verdicts, ...next]) });

  function turns(known: Verdict, offer: Offer): boolean {
    return (known.reasons.length === 0) !== (matchOffer(offer, { book, now, taken }).length === 0);
  }
}

/** What makes an offer another one to judge. */
function hasSameTerms(one: Offer, other: Offer): boolean {
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

function prune(turn: Turn): void {
  const { verdicts, memory } = turn.state;
  const open = new Set(memory.open);
  const kept = [...verdicts].filter(([id, { offer }]) => open.has(id) || offer.expiresAt > turn.ctx.now);
  if (kept.length < verdicts.size) change(turn, { verdicts: new Map(kept) });
}

/**
 * Spans that are not free. Held blocks and unknown attempts speak against an offer; a pending
 * attempt only keeps others from being tried beside it, since its answer is a moment away.
 */
export function takenSpans({ held, openAttempts }: DriverState, upTo: "unknown" | "pending"): TakenSpan[] {
  const blocks = held.filter(({ status }) => status !== "forfeited");
  const attempts = [...openAttempts.values()].filter(
    ({ outcome }) => upTo === "pending" || outcome.status === "unknown",
  );
  return [...blocks, ...attempts.map(({ offer }) => offer)];
}

/** Whether an offer was tried already, is being tried, or is held: its verdict is no news any more. */
export function isUnderWay({ held, openAttempts, memory }: DriverState, offerId: OfferId): boolean {
  return (
    memory.spent.has(offerId) ||
    held.some((block) => block.offerId === offerId && block.status !== "forfeited") ||
    [...openAttempts.values()].some(({ offer }) => offer.offerId === offerId)
  );
}

/** How many offers of an answer were never seen before. */
export function countNew({ verdicts }: DriverState, listed: readonly Offer[]): number {
  return listed.filter(({ offerId }) => !verdicts.has(offerId)).length;
}

/** The offers that match under the rules as they stand, as last judged, and that were not tried. */
export function openMatches({ memory, verdicts, ...state }: DriverState, now: EpochMs): Offer[] {
  return memory.open.flatMap((id) => {
    const verdict = verdicts.get(id);
    const isOpen = verdict && verdict.reasons.length === 0 && verdict.offer.expiresAt > now;
    return isOpen && !isUnderWay({ ...state, memory, verdicts }, id) ? [verdict.offer] : [];
  });
}
