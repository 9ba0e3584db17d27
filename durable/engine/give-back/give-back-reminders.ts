import { dueReminders } from "./give-back-clock.ts";
import { isHeldStale, requestBlocks } from "../attempts/held-blocks.ts";
import { isInFlight } from "../attempts/in-flight.ts";
import { otherOffersAt } from "./other-offers.ts";
import { updateState, type Transition } from "../state/transition.ts";

/**
 * Reminds the driver that a block can still be given back, once for each block, start and reminder. Of several that are due at
 * once only the latest is sent, and none once the last minute has passed. Blocks that were not read for a while are read first:
 * the driver may have given this one back. Where they can't be read, those that are known count.
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
