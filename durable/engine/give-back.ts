import {
  GIVE_BACK_REMINDERS,
  giveBackReminder,
  type GiveBackReminder,
} from "../../db/shapes/notifications.ts";
import type { Block, Offer } from "../../db/shapes/work/offer.ts";
import { type EpochMs, MINUTE_MS, type DurationMs } from "../../db/shapes/units.ts";
import { isHeldStale, requestBlocks } from "./attempts/held-blocks.ts";
import { isInFlight } from "./attempts/in-flight.ts";
import { updateState, type Transition } from "./state/transition.ts";
import type { DriverState, GiveBackReminded, StepContext } from "./state/types.ts";
import { isTriedOrHeld, judgingContext } from "./verdicts/judge.ts";
import { judgeOffer, overlaps } from "./verdicts/match.ts";
import { reasonsAgainst } from "./questions/question-reasons.ts";

/**
 * Reminds the driver that a block can still be given back, once for each block, start and reminder. If several are due at once,
 * only the latest is sent, and none once the last minute to give back has passed. Blocks that were not read for a while are
 * read first: the driver may have given this one back. If they can't be read, the known ones count.
 */
export function remindToGiveBack(transition: Transition): void {
  const { now, settings } = transition.ctx;
  const due = dueReminders(transition.state, transition.ctx);
  if (due.length === 0) return;
  if (isHeldStale(transition.state, now)) {
    requestBlocks(transition);
    if (isInFlight(transition.state, "read_blocks", now)) return;
  }
  const { state } = transition;
  const ahead = state.giveBackReminded.filter(({ startsAt }) => startsAt > now);
  updateState(transition, {
    giveBackReminded: [
      ...ahead,
      ...due.map(({ block: { blockId, startsAt }, reminder }) => ({ blockId, startsAt, reminder })),
    ],
  });
  for (const block of new Set(due.map((one) => one.block))) {
    const latest = due.findLast((one) => one.block === block);
    if (!latest) continue;
    const others = otherOffersAt(state, block, { now, settings });
    transition.notifications.push({
      kind: "give_back_ahead",
      block,
      reminder: latest.reminder,
      until: block.startsAt - settings.giveBackMs,
      others: others?.length ?? 0,
    });
  }
}

type Clock = Pick<StepContext, "now" | "settings">;

/** A reminder that is still to be sent, and when. */
type OpenReminder = { block: Block; reminder: GiveBackReminder; at: EpochMs };

/** When the next reminder is due; null if there is none, or if it waits for the blocks that are being read. */
export function nextGiveBackReminderAt(state: DriverState, { now, settings }: Clock): EpochMs | null {
  const isReading = isInFlight(state, "read_blocks", now);
  const times = openReminders(state, { now, settings })
    .map(({ at }) => at)
    .filter((at) => at > now || !isReading);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Reminders of held blocks that are due, each block's earliest first. */
export function dueReminders(state: DriverState, clock: Clock): OpenReminder[] {
  return openReminders(state, clock).filter(({ at }) => at <= clock.now);
}

function openReminders({ held, giveBackReminded }: DriverState, { now, settings }: Clock): OpenReminder[] {
  return held
    .filter(({ status, startsAt }) => status === "scheduled" && now <= startsAt - settings.giveBackMs)
    .flatMap((block) =>
      giveBackReminder.options.map((reminder) => ({
        block,
        reminder,
        at: block.startsAt - GIVE_BACK_REMINDERS[reminder],
      })),
    )
    .filter(({ block, reminder, at }) => {
      // A driver who takes a block later than that knows when it starts.
      const isAfterAccept = at > block.acceptedAt;
      const isBeforeLastMinute = GIVE_BACK_REMINDERS[reminder] > settings.giveBackMs;
      return isAfterAccept && isBeforeLastMinute && !wasReminded(giveBackReminded, block, reminder);
    });
}

function wasReminded(
  reminded: readonly GiveBackReminded[],
  { blockId, startsAt }: Block,
  reminder: GiveBackReminder,
): boolean {
  return reminded.some(
    (one) => one.blockId === blockId && one.startsAt === startsAt && one.reminder === reminder,
  );
}

/** An older listing doesn't say what is on offer now. */
const LISTED_NOW_MS: DurationMs = 5 * MINUTE_MS;

/**
 * The offers that the driver could take instead of a held block, best pay first: listed now, overlapping it, and wanted if the
 * block weren't held. Null if no listing is recent enough.
 */
export function otherOffersAt(
  state: DriverState,
  block: Block,
  { now, settings }: Pick<StepContext, "now" | "settings">,
): Offer[] | null {
  const { lastPollAnsweredAt, openOfferIds } = state.transient;
  if (lastPollAnsweredAt === null || now - lastPollAnsweredAt > LISTED_NOW_MS) return null;
  const without = { ...state, held: state.held.filter(({ blockId }) => blockId !== block.blockId) };
  const context = judgingContext(without, { now, settings });
  if (context === null) return null;
  return openOfferIds
    .flatMap((id) => state.verdicts.get(id)?.offer ?? [])
    .filter((offer) => overlaps(offer, block) && !isTriedOrHeld(state, offer.offerId))
    .filter((offer) => reasonsAgainst(offer, judgeOffer(offer, context), state.questions).length === 0)
    .toSorted((one, other) => other.payCents - one.payCents);
}
