import {
  isLastPage,
  parseListingRow,
  type KeptBlock,
  type ListingChange,
} from "../../../db/shapes/log/listing.ts";
import type { Block, Offer } from "../../../db/shapes/work/offer.ts";
import {
  MINUTE_MS,
  type BlockId,
  type DurationMs,
  type EpochMs,
  type OfferId,
} from "../../../db/shapes/units.ts";
import { lastAnswerAt } from "../../engine/contact.ts";
import type { PollOutcome } from "../../engine/state/outcomes.ts";
import type { DriverState } from "../../engine/state/types.ts";
import { mayLeaveMemory } from "../../watch/own-turn.ts";
import type { MachineStep } from "../machine-step.ts";
import type { Store } from "../storage/store.ts";

/** Changes are stored together, so that a busy hour costs a few rows. A crash loses those of so many minutes. */
const STORE_INTERVAL_MS: DurationMs = 5 * MINUTE_MS;
/** After a longer while without an answer it is not known when an offer came or left. */
const MAX_GAP_MS: DurationMs = 2 * MINUTE_MS;
/**
 * A longer while without an answer is kept even where nothing changed, as one in which nobody watched. As long as polls
 * go on, the last answer that is stored may be half an hour old.
 */
const MAX_UNWATCHED_MS: DurationMs = 10 * MINUTE_MS;
const MAX_UNWATCHED_STORED_MS: DurationMs = 45 * MINUTE_MS;
/** Offers and ids of one row, which has a few hundred kilobytes then. */
const MAX_ROW_ITEMS = 2_000;

/** How many rows are in memory at once while they are read. */
const READ_ROWS = 50;

/** The terms of an offer by which it is another one. */
type Terms = string;

/**
 * Keeps what the platform listed, and the blocks that were held meanwhile, for replaying it by other filters. Written where
 * something is written anyway (an attempt, other held blocks), before the object may leave memory, and every few minutes. A
 * poll that brings nothing new writes nothing.
 */
export class ListingLog {
  readonly #store: Store;
  #open: Map<OfferId, Terms> | null = null;
  #waiting: ListingChange[] = [];
  /** Whether the listing ended, so that the next one begins anew even if it is the same. */
  #hasEnded = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Notes what a step changed. */
  note({ before, event, state, effects }: MachineStep, now: EpochMs): void {
    const blocks = this.#changedBlocks(before, state, now);
    const outcome = isWatching(state) && event.kind === "polled" ? event.outcome : null;
    const isListed = outcome?.kind === "offers" || outcome?.kind === "unchanged";
    const hasEnded = isWatching(before) && !isWatching(state);
    const offers = hasEnded
      ? this.#endOfListing(before)
      : isListed
        ? this.#changedOffers(before, state, (offer) => isUnread(offer, outcome, now))
        : null;
    const lastAt = lastAnswerAt(before);
    const wasUnwatched = isListed && isAfterUnwatched(before, now);
    if (blocks || offers || wasUnwatched)
      this.#waiting.push({
        at: now,
        isAfterPause: hasEnded || wasUnwatched || (offers !== null && isAfterPause(before, now)),
        ...((hasEnded || wasUnwatched) && lastAt !== null && { pausedFrom: lastAt }),
        ...(offers ?? NO_OFFERS),
        ...(blocks ?? NO_BLOCKS),
      });
    const since = this.#waiting[0]?.at;
    if (since === undefined) return;
    const isDue = now - since >= STORE_INTERVAL_MS || blocks !== null;
    if (isDue || effects.some(({ kind }) => kind === "accept")) this.store();
  }

  /** Stores what memory alone knows, if the object may leave it before it wakes again. */
  keep(now: EpochMs, wakesAt: EpochMs | null): void {
    if (mayLeaveMemory(now, wakesAt)) this.store();
  }

  /** Stores what was noted. */
  store(): void {
    if (this.#waiting.length === 0) return;
    for (const row of toRows(this.#waiting)) this.#store.listings.append(row);
    this.#waiting = [];
    if (this.#open) this.#store.state.write("listedOffers", [...this.#open.keys()]);
  }

  /** Forgets what belongs to a storage that was deleted. */
  forget(): void {
    this.#open = null;
    this.#waiting = [];
    this.#hasEnded = false;
  }

  #changedOffers(
    before: DriverState,
    { transient, verdicts }: DriverState,
    mayBeListed: (offer: Offer) => boolean,
  ): Pick<ListingChange, "seen" | "left"> | null {
    const isSame =
      this.#open !== null &&
      !this.#hasEnded &&
      transient.openOfferIds === before.transient.openOfferIds &&
      verdicts === before.verdicts;
    if (isSame) return null;
    this.#hasEnded = false;
    const open = (this.#open ??= this.#storedOpen(before));
    const listed = transient.openOfferIds.flatMap((id) => verdicts.get(id)?.offer ?? []);
    const seen = listed.filter((offer) => open.get(offer.offerId) !== termsOf(offer));
    for (const offer of seen) open.set(offer.offerId, termsOf(offer));
    const ids = new Set(transient.openOfferIds);
    const left = [...open.keys()].filter((id) => {
      if (ids.has(id)) return false;
      const offer = verdicts.get(id)?.offer;
      return !offer || !mayBeListed(offer);
    });
    for (const id of left) open.delete(id);
    return seen.length > 0 || left.length > 0 ? { seen, left } : null;
  }

  /** Nothing that was listed can be taken any more. */
  #endOfListing(before: DriverState): Pick<ListingChange, "seen" | "left"> | null {
    const left = [...(this.#open ?? this.#storedOpen(before)).keys()];
    this.#open = new Map();
    this.#hasEnded = true;
    return left.length > 0 ? { seen: [], left } : null;
  }

  /** The offers of the last stored listing, by their terms of then. */
  #storedOpen({ verdicts }: DriverState): Map<OfferId, Terms> {
    const ids = this.#store.state.listedOffers();
    return new Map(
      ids.map((id) => {
        const offer = verdicts.get(id)?.offer;
        return [id, offer ? termsOf(offer) : ""];
      }),
    );
  }

  #changedBlocks(
    before: DriverState,
    state: DriverState,
    now: EpochMs,
  ): Pick<ListingChange, "held" | "freed" | "returned"> | null {
    // A link that is new knows no blocks until they are read, which may bring none: of another account.
    if (state.contact.blocksReadAt === null) return null;
    if (before.held === state.held && before.contact.blocksReadAt !== null) return null;
    const known = this.#knownBlocks(before, now);
    const present = heldOf(state).map(toKept);
    const ids = new Set(present.map(({ blockId }) => blockId));
    const held = present.filter((block) => {
      const earlier = known.get(block.blockId);
      return !earlier || JSON.stringify(earlier) !== JSON.stringify(block);
    });
    const freed = [...known.keys()].filter((id) => !ids.has(id));
    if (held.length === 0 && freed.length === 0) return null;
    const gone = new Set(before.contact.blocksReadAt === null ? [] : freed);
    const returned = before.held
      .filter((block) => gone.has(block.blockId) && block.startsAt <= now && isInList(block, state))
      .map(({ blockId }) => blockId);
    return { held, freed, ...(returned.length > 0 && { returned }) };
  }

  /**
   * The blocks that the log knows as held: those of the state, unless a new link forgot them. Its first row says what
   * was held all along.
   */
  #knownBlocks({ held, contact }: DriverState, now: EpochMs): Map<BlockId, KeptBlock> {
    const { listings } = this.#store;
    if (contact.blocksReadAt === null) return this.#blocksOfLog(now);
    const former = listings.isEmpty() ? [] : heldOf({ held });
    return new Map(former.map((block) => [block.blockId, toKept(block)]));
  }

  /** The blocks that the stored rows leave as held and that are not over, read once a link. */
  #blocksOfLog(now: EpochMs): Map<BlockId, KeptBlock> {
    const known = new Map<BlockId, KeptBlock>();
    for (let after: EpochMs | null = 0; after !== null;) {
      const rows = this.#store.listings.page({ after, limit: READ_ROWS });
      for (const { held, freed } of rows.flatMap(parseListingRow)) {
        for (const block of held) known.set(block.blockId, block);
        for (const id of freed) known.delete(id);
      }
      after = isLastPage(rows, READ_ROWS) ? null : (rows.at(-1)?.at ?? null);
    }
    return new Map([...known].filter(([, { endsAt }]) => endsAt > now));
  }
}

const NO_OFFERS: Pick<ListingChange, "seen" | "left"> = { seen: [], left: [] };
const NO_BLOCKS: Pick<ListingChange, "held" | "freed"> = { held: [], freed: [] };

/**
 * Whether a poll didn't ask for an offer's warehouse. After a restart the listing of a part doesn't have the other offers, of
 * which nobody knows that they left.
 */
function isUnread({ warehouseId, expiresAt }: Offer, outcome: PollOutcome | null, now: EpochMs): boolean {
  const partOf = outcome?.kind === "offers" ? outcome.partOf : undefined;
  return partOf !== undefined && !partOf.includes(warehouseId) && expiresAt > now;
}

/** Whether offers are watched for, platform willing. */
function isWatching({ profile, link }: DriverState): boolean {
  return link.status === "linked" && profile?.switchedOn === true;
}

function isAfterPause({ transient }: DriverState, now: EpochMs): boolean {
  // After a stay out of memory the poll before this one is near enough.
  const lastAt = transient.lastPollAnsweredAt ?? transient.polls.at(-2) ?? null;
  return lastAt === null || now - lastAt > MAX_GAP_MS;
}

function isAfterUnwatched(before: DriverState, now: EpochMs): boolean {
  const lastAt = lastAnswerAt(before);
  const isExact = before.transient.lastPollAnsweredAt !== null;
  return lastAt === null || now - lastAt > (isExact ? MAX_UNWATCHED_MS : MAX_UNWATCHED_STORED_MS);
}

function termsOf({ payCents, startsAt, endsAt, warehouseId, serviceType, currency }: Offer): Terms {
  return [payCents, startsAt, endsAt, warehouseId, serviceType, currency].join(" ");
}

/** Whether the last list of blocks that was read would show a block that is held. */
function isInList(
  { startsAt }: Block,
  { transient: { heldReadFrom, unreadableHeld } }: DriverState,
): boolean {
  return heldReadFrom !== null && startsAt >= heldReadFrom && unreadableHeld.length === 0;
}

function heldOf({ held }: Pick<DriverState, "held">): Block[] {
  return held.filter(({ status }) => status !== "forfeited");
}

function toKept(block: Block): KeptBlock {
  const { blockId, offerId, warehouseId, startsAt, endsAt, payCents, currency, acceptedAt } = block;
  return { blockId, offerId, warehouseId, startsAt, endsAt, payCents, currency, acceptedAt };
}

/** Groups changes to rows, and splits what is too long for one: parts of a change have the same instant. */
function toRows(changes: readonly ListingChange[]): ListingChange[][] {
  const rows: ListingChange[][] = [];
  let items = Infinity;
  for (const part of changes.flatMap(splitLong)) {
    const added = part.seen.length + part.left.length;
    if (items + added > MAX_ROW_ITEMS) {
      rows.push([]);
      items = 0;
    }
    rows.at(-1)?.push(part);
    items += added;
  }
  return rows;
}

function splitLong(change: ListingChange): ListingChange[] {
  const { seen, left } = change;
  if (seen.length + left.length <= MAX_ROW_ITEMS) return [change];
  const parts = Math.ceil(Math.max(seen.length, left.length) / MAX_ROW_ITEMS);
  return Array.from({ length: parts }, (_, index) => {
    const slice = <Item>(items: readonly Item[]) =>
      items.slice(index * MAX_ROW_ITEMS, (index + 1) * MAX_ROW_ITEMS);
    const part = { ...change, seen: slice(seen), left: slice(left) };
    return index === 0 ? part : { ...part, ...NO_BLOCKS };
  });
}
