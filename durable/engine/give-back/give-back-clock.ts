import { isInFlight } from "../attempts/in-flight.ts";
import type { DriverState, GiveBackReminded, StepContext } from "../state/types.ts";
import {
  GIVE_BACK_REMINDERS,
  giveBackReminder,
  type GiveBackReminder,
} from "../../../db/shapes/notifications.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";

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
