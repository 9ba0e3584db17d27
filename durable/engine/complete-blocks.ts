import * as z from "zod/mini";
import type { Attempt } from "../../db/shapes/log/attempt.ts";
import type { Block, Offer } from "../../db/shapes/work/offer.ts";
import {
  blockId,
  offerId,
  type BlockId,
  type EpochMs,
  type OfferId,
  type Span,
} from "../../db/shapes/units.ts";
import type { PartialBlock } from "./state/outcomes.ts";
import type { DriverState } from "./state/types.ts";

/** A listing of the driver's blocks, completed from the state. */
export type BlockListing = {
  blocks: readonly Block[];
  /** Spans of blocks that are held and can't be made whole. */
  unreadable: readonly Span[];
  /** Unknown attempts with the same span as a held block whose offer the platform doesn't name. */
  probable: readonly Attempt[];
};

/** The terms of a block that we know from elsewhere: because it is held already, was tried or was offered. */
type KnownTerms = Partial<Block> & Pick<Block, "offerId">;

/** A block that the platform gave the driver for an offer. The offer supplies what the response leaves out. */
export function completeCapture(
  partial: PartialBlock | null,
  { offer, held, now }: { offer: Offer; held: readonly Block[]; now: EpochMs },
): Block {
  const isSame = partial?.offerId === null || partial?.offerId === offer.offerId;
  const own = isSame ? partial : null;
  const isTaken = held.some((block) => block.blockId === partial?.blockId && block.offerId !== offer.offerId);
  const status = partial?.status ?? "scheduled";
  return {
    blockId: (isTaken ? null : partial?.blockId) ?? blockIdOf(offer.offerId),
    offerId: offer.offerId,
    warehouseId: own?.warehouseId ?? offer.warehouseId,
    serviceType: own?.serviceType ?? offer.serviceType,
    startsAt: own?.startsAt ?? offer.startsAt,
    endsAt: own?.endsAt ?? offer.endsAt,
    payCents: own?.payCents ?? offer.payCents,
    currency: own?.currency ?? offer.currency,
    status: status === "other" ? "scheduled" : status,
    acceptedAt: own?.acceptedAt ?? now,
    checkedInAt: own?.checkedInAt ?? null,
  };
}

/** Completes the blocks of a listing as far as possible. */
export function completeListing(
  state: DriverState,
  partials: readonly PartialBlock[],
  now: EpochMs,
): BlockListing {
  const blocks: Block[] = [];
  const unreadable: Span[] = [];
  const nameless: (PartialBlock & Span)[] = [];
  for (const partial of partials) {
    const known = knownTerms(state, partial);
    const block = completeBlock(partial, known, now);
    if (block) blocks.push(block);
    if (partial.status === "forfeited" || partial.startsAt === null || partial.endsAt === null) continue;
    const span = { startsAt: partial.startsAt, endsAt: partial.endsAt };
    if (!block) unreadable.push(span);
    if (!known && partial.offerId === null) nameless.push({ ...partial, ...span });
  }
  const probable = [...state.openAttempts.values()].filter(
    ({ outcome, offer }) =>
      outcome.status === "unknown" && nameless.some((partial) => mayBeOf(partial, offer)),
  );
  return { blocks: eachOnce(blocks), unreadable, probable };
}

/** A block that is listed twice counts once, and as held if either says so. */
function eachOnce(blocks: readonly Block[]): Block[] {
  const byId = new Map<BlockId, Block>();
  for (const block of blocks) {
    const before = byId.get(block.blockId);
    if (!before || before.status === "forfeited") byId.set(block.blockId, block);
  }
  return [...byId.values()];
}

function mayBeOf({ startsAt, endsAt, warehouseId }: PartialBlock & Span, offer: Offer): boolean {
  const isSameSpan = startsAt === offer.startsAt && endsAt === offer.endsAt;
  return isSameSpan && (warehouseId === null || warehouseId === offer.warehouseId);
}

function knownTerms(state: DriverState, partial: PartialBlock): KnownTerms | null {
  const { held, openAttempts, doubtedAttempts, verdicts } = state;
  const before = held.find(
    (block) =>
      (partial.blockId !== null && block.blockId === partial.blockId) ||
      (partial.blockId === null && partial.offerId !== null && block.offerId === partial.offerId),
  );
  if (before) return before;
  if (partial.offerId === null) return null;
  const attempt = [...openAttempts.values(), ...doubtedAttempts.values()].find(
    ({ offer }) => offer.offerId === partial.offerId,
  );
  if (attempt) return { ...termsOf(attempt.offer), acceptedAt: attempt.createdAt };
  const offered = verdicts.get(partial.offerId)?.offer;
  return offered ? termsOf(offered) : null;
}

function termsOf({ surge: _surge, expiresAt: _expiresAt, ...terms }: Offer): KnownTerms {
  return terms;
}

/** Null if an essential part of it is unknown. */
function completeBlock(partial: PartialBlock, known: KnownTerms | null, now: EpochMs): Block | null {
  const named = partial.offerId ?? known?.offerId ?? (partial.blockId && offerIdOf(partial.blockId));
  const warehouseId = partial.warehouseId ?? known?.warehouseId;
  const startsAt = partial.startsAt ?? known?.startsAt;
  const endsAt = partial.endsAt ?? known?.endsAt;
  const payCents = partial.payCents ?? known?.payCents;
  const currency = partial.currency ?? known?.currency;
  if (!named || !warehouseId || startsAt === undefined || endsAt === undefined) return null;
  if (payCents === undefined || currency === undefined) return null;
  return {
    blockId: partial.blockId ?? known?.blockId ?? blockIdOf(named),
    offerId: named,
    warehouseId,
    serviceType: partial.serviceType ?? known?.serviceType ?? "other",
    startsAt,
    endsAt,
    payCents,
    currency,
    status: partial.status,
    acceptedAt: partial.acceptedAt ?? known?.acceptedAt ?? now,
    checkedInAt: partial.checkedInAt,
  };
}

/** The id of a block whose own id is missing or unreadable: its offer's. */
function blockIdOf(id: OfferId): BlockId {
  return z.parse(blockId, id);
}

function offerIdOf(id: BlockId): OfferId {
  return z.parse(offerId, id);
}

/** Whether we named the block by its offer, so that the platform's own listing replaces it. */
export function isNamedByOffer(block: Pick<Block, "blockId" | "offerId">): boolean {
  return String(block.blockId) === String(block.offerId);
}
