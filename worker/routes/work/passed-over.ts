import type { LogEntry } from "../../../db/shapes/work/driver-log.ts";
import type { GivenBackBlock } from "../../../db/shapes/work/given-back.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { EpochMs, OfferId, Period } from "../../../db/shapes/units.ts";
import type { DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import { summarizePassedOver, type PassedOverOffer } from "../../../durable/engine/what-if.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";
import type { PassedOverResponse } from "../../contract/work/passed-over.ts";
import { loadLogList } from "./log-list.ts";

/** Offers that are judged again at most, the newest. */
const MAX_OFFERS = 2_000;
/** Captures and lost attempts that are known at most. */
const MAX_ATTEMPTS = 500;

/**
 * The offers that the filters skipped in the last days, by reason, and the ones that one change would have let through.
 * The object only reads its log, page by page; the arithmetic is done here, beside its polls.
 */
export async function loadPassedOver(
  object: DurableObjectStub<DriverRpc>,
  { record: { profile }, currency, period }: { record: DriverRecord; currency: string; period: Period },
): Promise<PassedOverResponse> {
  const since = period.from;
  const [disliked, won, lost, { held, warehouses }, givenBack] = await Promise.all([
    loadLogList(object, "disliked", { most: MAX_OFFERS, from: since }),
    loadLogList(object, "won", { most: MAX_ATTEMPTS, from: 0 }),
    loadLogList(object, "lost", { most: MAX_ATTEMPTS, from: since }),
    object.snapshot(),
    object.givenBack(),
  ]);
  const attempted = new Set<OfferId>(
    [...won, ...lost].flatMap(({ event }) =>
      event.kind === "attempt_settled" ? [event.attempt.offer.offerId] : [],
    ),
  );
  const passedOver = disliked
    .flatMap(({ event }): PassedOverOffer[] =>
      event.kind === "offer_judged" && event.at < period.to && !attempted.has(event.offer.offerId)
        ? [event]
        : [],
    )
    .toReversed();
  const groups = summarizePassedOver({
    passedOver,
    busy: eachOnce([...held, ...won.flatMap(toBlock).filter(wasHeldAfter(since, givenBack))]),
    givenBack,
    profile,
    warehouses,
    currency,
  });
  return {
    filtersVersion: profile.filtersVersion,
    currency,
    since: passedOver[0]?.at ?? null,
    groups,
  };
}

/** The first of each block. */
function eachOnce(blocks: readonly Block[]): Block[] {
  const seen = new Set<string>();
  return blocks.filter(({ blockId }) => !seen.has(blockId) && seen.add(blockId));
}

function toBlock({ event }: LogEntry): Block[] {
  return event.kind === "attempt_settled" && event.attempt.outcome.status === "won"
    ? [event.attempt.outcome.block]
    : [];
}

/** Whether a capture stood in the way of offers since an instant: a block that was given back did not. */
function wasHeldAfter(since: EpochMs, givenBack: readonly GivenBackBlock[]): (block: Block) => boolean {
  const returned = new Set(givenBack.map(({ blockId }) => blockId));
  return ({ blockId, endsAt, status }) => endsAt > since && status !== "forfeited" && !returned.has(blockId);
}
