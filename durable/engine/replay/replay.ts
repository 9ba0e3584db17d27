import type { GivenBackBlock } from "../../../db/shapes/work/given-back.ts";
import type { KeptBlock, ListingChange } from "../../../db/shapes/log/listing.ts";
import type { Offer, Warehouse } from "../../../db/shapes/work/offer.ts";
import type { Profile } from "../../../db/shapes/profile.ts";
import {
  DAY_MS,
  HOUR_MS,
  type BlockId,
  type DurationMs,
  type EpochMs,
  type OfferId,
  type Span,
} from "../../../db/shapes/units.ts";
import type { JudgedRule, Reason, ReasonCode } from "../../../db/shapes/work/verdict.ts";
import { compiledFiltersOf } from "../verdicts/compiled-filters.ts";
import { countAlso, openLimitBook, type LimitBook } from "../verdicts/limit-book.ts";
import { judgedRuleOf, judgeOffer, type MatchContext } from "../verdicts/match.ts";
import { reasonsAgainst } from "../questions/question-reasons.ts";
import { selectOffers } from "../selection/select.ts";
import { cappedWeeks, fullWeeksBeside, withinWeeks, type WeekRefusal } from "./capped-weeks.ts";

/** The filters, limits and mode of a replay. */
export type ReplaySettings = { profile: Profile; warehouses: readonly Warehouse[]; currency: string };

/** The log of the time that is replayed. */
export type ReplayContext = {
  /** Oldest first. */
  changes: readonly ListingChange[];
  /** The settings in force at an instant; the same object as long as they stay. */
  settingsAt: (at: EpochMs) => ReplaySettings;
  /** The blocks that were held before the first change. */
  heldBefore: readonly KeptBlock[];
  /** Offers that Jornada captured: the replay decides anew whether it takes them. */
  captured: ReadonlySet<OfferId>;
  /** Offers that Jornada tried and did not get. */
  missed: ReadonlySet<OfferId>;
  /** Those of them that the platform refused since the driver's week was full. */
  refusals: readonly WeekRefusal[];
};

/** An offer that the replay takes, and when. */
export type ReplayedTake = { at: EpochMs; offer: Offer };

/**
 * The last verdict on an offer that the replay doesn't take: `reasons` is empty for one that was tried and missed. `rule`: the
 * one that they are by, where its warehouse has more than one.
 */
export type ReplayedPass = {
  at: EpochMs;
  offer: Offer;
  reasons: readonly Reason[];
  rule?: JudgedRule | undefined;
};

/** The decisions of filters, limits and mode on a time of the log. */
export type Replay = { taken: readonly ReplayedTake[]; passed: ReadonlyMap<OfferId, ReplayedPass> };

/** How far back blocks count toward the limits of a week, on every clock. */
const COUNTED_MS: DurationMs = 9 * DAY_MS;
/** How often those that are over are left out. */
const RECOUNT_MS: DurationMs = 6 * HOUR_MS;

/** Reasons that end when a block is given back. */
const BY_BLOCKS: ReadonlySet<ReasonCode> = new Set([
  "overlaps_block",
  "weekly_limit",
  "day_limit",
  "week_limit",
  "goal_reached",
  "rest",
  "travel",
]);

/**
 * Decides again, change by change, which offers are taken: by the verdicts, limits and choice of the engine, as if each accept
 * won but those that are known to have missed, and as if the driver said yes to each question. Of a week in which the platform
 * refused to give more, no more is taken. Blocks that the driver
 * took by hand are held from when they were taken, and one that the driver gave back is given back here too.
 *
 * An offer can only be decided otherwise when it comes, when its terms change, when a block is given back or when the settings
 * change: time alone makes no offer wanted, and a choice leaves nothing over that could be taken beside it. So each
 * poll in between is skipped.
 */
export function replayListings(context: ReplayContext): Replay {
  const { changes, settingsAt, captured, missed } = context;
  const [start] = changes;
  const capped = start ? cappedWeeks(context, settingsAt(start.at).warehouses) : [];
  const open = new Map<OfferId, Offer>();
  const taken = new Map<OfferId, ReplayedTake>();
  const passed = new Map<OfferId, ReplayedPass>();
  const fixed = new Map<BlockId, KeptBlock>(context.heldBefore.map((block) => [block.blockId, block]));
  /** Blocks that were taken by hand, those first that were taken first. */
  const byHand = changes
    .flatMap(({ held }) => held.filter(({ offerId }) => offerId === null || !captured.has(offerId)))
    .toSorted((one, other) => one.acceptedAt - other.acceptedAt);
  let known = 0;
  let countedAt: EpochMs = -Infinity;
  /** The blocks that the log knows, by their offers, of those that are held now. */
  const blocks = new Map<BlockId, OfferId>();
  /** Offers that other blocks keep from being taken. */
  const blocked = new Set<OfferId>();
  let givenBack: readonly GivenBackBlock[] = [];
  let settings: ReplaySettings | null = null;
  let book: LimitBook | null = null;
  /** Taken offers whose block is still held. */
  let holding: readonly Offer[] = [];
  /** Blocks that count toward limits alone: they had begun when they were no longer listed. */
  const gone = new WeakSet<KeptBlock | Offer>();
  /** Blocks that left the list, which come back where their account is linked again. */
  const freed = new Map<BlockId, KeptBlock | Offer>();
  /** The blocks that are held and not over, until the first of them ends; null once others are held. */
  let busy: { spans: readonly (KeptBlock | Offer)[]; until: EpochMs } | null = null;

  for (const change of changes) {
    const { at } = change;
    const next = settingsAt(at);
    const hasNewSettings = next !== settings;
    settings = next;
    const filters = compiledFiltersOf(next.profile, next.warehouses);
    for (const id of change.left) {
      open.delete(id);
      blocked.delete(id);
    }
    const hasMore = holdByHand(at);
    const hasRoom = free(change);
    const hasBack = holdAgain(change);
    const isLater = at - countedAt > RECOUNT_MS;
    if (isLater) forgetOver(at);
    if (hasRoom || hasMore || hasBack) busy = null;
    if (hasRoom || hasMore || hasBack || hasNewSettings || isLater)
      book = openLimitBook(filters, [...fixed.values(), ...holding], next.currency);
    for (const offer of change.seen) open.set(offer.offerId, offer);
    const concerned = hasNewSettings ? [...open.values()] : hasRoom ? withBlocked(change.seen) : change.seen;
    if (concerned.length === 0) continue;
    const { currency, profile } = next;
    decide(concerned, { filters, now: at, currency, givenBack }, profile.mode);
  }
  return { taken: [...taken.values()], passed };

  /** Leaves out blocks that count toward no limit any more. */
  function forgetOver(at: EpochMs): void {
    countedAt = at;
    const counts = ({ endsAt }: Span) => endsAt > at - COUNTED_MS;
    holding = holding.filter(counts);
    for (const [id, block] of fixed) if (!counts(block)) fixed.delete(id);
  }

  /** @returns whether a block was given back */
  function free({ at, held, freed: ids, returned: unseen = [] }: ListingChange): boolean {
    let hasRoom = false;
    for (const id of ids) {
      const offerId = blocks.get(id) ?? null;
      const returned = holding.find((offer) => offer.offerId === offerId) ?? fixed.get(id);
      if (!returned) continue;
      freed.set(id, returned);
      // Nobody gives back a block that has begun: it is over, or its account is no longer linked. It still counts, unless it
      // was given back before, while nobody looked.
      if (returned.startsAt <= at && !unseen.includes(id)) {
        gone.add(returned);
        hasRoom ||= returned.endsAt > at;
        continue;
      }
      hasRoom = true;
      fixed.delete(id);
      holding = holding.filter((offer) => offer !== returned);
      if (offerId === null) continue;
      const { warehouseId, startsAt, endsAt } = returned;
      const block = {
        blockId: id,
        offerId,
        warehouseId,
        startsAt,
        endsAt,
        givenBackAt: at,
        takeAgain: false,
      };
      givenBack = [...givenBack, block];
    }
    for (const { blockId, offerId } of held) if (offerId !== null) blocks.set(blockId, offerId);
    return hasRoom;
  }

  /** @returns whether a block is listed again that had left the list */
  function holdAgain({ held }: ListingChange): boolean {
    let hasBack = false;
    for (const { blockId } of held) {
      const block = freed.get(blockId);
      if (!block) continue;
      hasBack = true;
      freed.delete(blockId);
      // One that had begun was left where it was.
      if (gone.delete(block)) continue;
      givenBack = givenBack.filter((known) => known.blockId !== blockId);
      if ("blockId" in block) fixed.set(blockId, block);
      else holding = [...holding, block];
    }
    return hasBack;
  }

  /** @returns whether a block was taken by hand since the last change */
  function holdByHand(at: EpochMs): boolean {
    const before = known;
    for (let block = byHand[known]; block && block.acceptedAt <= at; block = byHand[known]) {
      known += 1;
      if (block.offerId === null || !taken.has(block.offerId)) fixed.set(block.blockId, block);
    }
    return known > before;
  }

  function busyAt(at: EpochMs): readonly (KeptBlock | Offer)[] {
    if (!busy || busy.until <= at) {
      const spans = [...fixed.values(), ...holding].filter((block) => block.endsAt > at && !gone.has(block));
      busy = { spans, until: Math.min(...spans.map(({ endsAt }) => endsAt)) };
    }
    return busy.spans;
  }

  /** The offers that other blocks stood in the way of, and new ones. */
  function withBlocked(seen: readonly Offer[]): Offer[] {
    const ids = new Set([...blocked, ...seen.map(({ offerId }) => offerId)]);
    return [...ids].flatMap((id) => open.get(id) ?? []);
  }

  function decide(
    concerned: readonly Offer[],
    context: Omit<MatchContext, "busy" | "book">,
    mode: Profile["mode"],
  ): void {
    const at = context.now;
    let candidates = concerned.filter(({ offerId }) => !taken.has(offerId));
    for (;;) {
      const held = busyAt(at);
      const matches: Offer[] = [];
      const counted = capped.length > 0 ? [...fixed.values(), ...holding] : [];
      const judging = { ...context, busy: held, book, fullWeeks: fullWeeksBeside(capped, counted) };
      for (const offer of candidates) {
        const match = judgeOffer(offer, judging);
        const reasons = reasonsAgainst(offer, match, []);
        if (reasons.length === 0) matches.push(offer);
        else pass({ at, offer, reasons, rule: judgedRuleOf(match, judging, offer) });
      }
      if (matches.length === 0) return;
      const isMissed = ({ offerId }: Offer) => missed.has(offerId);
      const selected = selectOffers(mode, { matches, busy: held, book });
      const chosen = new Set(withinWeeks(capped, selected, { blocks: counted, isMissed }));
      if (chosen.size === 0) return;
      const won = [...chosen].filter((offer) => !isMissed(offer));
      for (const offer of chosen) pass({ at, offer, reasons: [] });
      for (const offer of won) {
        taken.set(offer.offerId, { at, offer });
        passed.delete(offer.offerId);
      }
      holding = [...holding, ...won];
      busy = null;
      book = book && countAlso(book, won);
      candidates = matches.filter((offer) => !chosen.has(offer));
    }
  }

  function pass(verdict: ReplayedPass): void {
    const { offer, reasons } = verdict;
    passed.set(offer.offerId, verdict);
    if (isByBlocks(reasons)) blocked.add(offer.offerId);
    else blocked.delete(offer.offerId);
  }
}

function isByBlocks(reasons: readonly Reason[]): boolean {
  for (const { code } of reasons) if (!BY_BLOCKS.has(code)) return false;
  return reasons.length > 0;
}
