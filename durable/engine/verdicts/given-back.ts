import { isNamedByOffer } from "../complete-blocks.ts";
import { updateState, updateTransient, type Transition } from "../state/transition.ts";
import { reconsiderWeeklyLimits } from "./weekly-limit.ts";
import type { GivenBackBlock } from "../../../db/shapes/work/given-back.ts";
import type { Block, Offer } from "../../../db/shapes/work/offer.ts";
import type { BlockId, EpochMs } from "../../../db/shapes/units.ts";

type OfferedBlock = Pick<Offer, "offerId" | "warehouseId" | "startsAt" | "endsAt">;

/** Whether both are the same work: the platform may offer a block that was given back under its old id or a new one. */
function isSameWork(one: OfferedBlock, other: OfferedBlock): boolean {
  return (
    one.offerId === other.offerId ||
    (one.warehouseId === other.warehouseId && one.startsAt === other.startsAt && one.endsAt === other.endsAt)
  );
}

/** The block that the driver gave back and that an offer offers again; undefined if it may be taken. */
export function findGivenBack(
  givenBack: readonly GivenBackBlock[],
  offer: OfferedBlock,
): GivenBackBlock | undefined {
  return givenBack.find((block) => !block.takeAgain && isSameWork(block, offer));
}

/**
 * Learns from a complete listing of the driver's blocks which ones they gave back: those that it lists as
 * forfeited, and `vanished`, held blocks that it no longer lists. A block that is held again was not given back, also where
 * no answer had given it an id before.
 * Forgets blocks that have started, which nobody offers again.
 */
export function recordGivenBack(
  transition: Transition,
  { listed, vanished }: { listed: readonly Block[]; vanished: readonly Block[] },
): void {
  const { now } = transition.ctx;
  const { givenBack } = transition.state;
  const held = listed.filter(({ status }) => status !== "forfeited");
  const heldIds = new Set(held.map(({ blockId }) => blockId));
  const heldOffers = new Set(held.map(({ offerId }) => offerId));
  const isHeld = (block: GivenBackBlock) =>
    heldIds.has(block.blockId) || (isNamedByOffer(block) && heldOffers.has(block.offerId));
  const known = givenBack.filter((block) => block.startsAt > now && !isHeld(block));
  const knownIds = new Set(known.map(({ blockId }) => blockId));
  const added = [...listed.filter(({ status }) => status === "forfeited"), ...vanished]
    .filter(({ blockId, startsAt }) => startsAt > now && !knownIds.has(blockId))
    .map((block) => toGivenBack(block, now));
  if (added.length === 0 && known.length === givenBack.length) return;
  updateState(transition, { givenBack: [...known, ...added] });
  makeTriable(transition, added);
  if (added.length > 0) reconsiderWeeklyLimits(transition);
}

/**
 * Blocks of an account that is being left count as given back until a listing shows them held: they may be given back
 * while nobody looks, and what is offered again was.
 */
export function leaveBlocksBehind(transition: Transition): void {
  const { now } = transition.ctx;
  const { held, givenBack } = transition.state;
  const known = new Set(givenBack.map(({ blockId }) => blockId));
  const left = held.filter(
    ({ blockId, startsAt, status }) => startsAt > now && status !== "forfeited" && !known.has(blockId),
  );
  if (left.length === 0) return;
  updateState(transition, { givenBack: [...givenBack, ...left.map((block) => toGivenBack(block, now))] });
}

/** The driver wants a block that they gave back, should it be offered again. */
export function allowTakingAgain(transition: Transition, blockId: BlockId): void {
  const { givenBack } = transition.state;
  const chosen = givenBack.find((block) => block.blockId === blockId);
  if (!chosen) return;
  updateState(transition, {
    givenBack: givenBack.map((block) =>
      isSameWork(block, chosen) && !block.takeAgain ? { ...block, takeAgain: true } : block,
    ),
  });
  makeTriable(transition, [chosen]);
}

/** An attempt from before the block was given back must not keep the offer from being tried again. */
function makeTriable(transition: Transition, blocks: readonly OfferedBlock[]): void {
  const { triedOffers } = transition.state.transient;
  const rest = [...triedOffers].filter((id) => !blocks.some(({ offerId }) => offerId === id));
  if (rest.length < triedOffers.size) updateTransient(transition, { triedOffers: new Set(rest) });
}

function toGivenBack(block: Block, givenBackAt: EpochMs): GivenBackBlock {
  const { blockId, offerId, warehouseId, startsAt, endsAt } = block;
  return { blockId, offerId, warehouseId, startsAt, endsAt, givenBackAt, takeAgain: false };
}
