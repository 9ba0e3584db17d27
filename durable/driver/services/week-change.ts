import type { BlockList } from "../../../db/shapes/log/driver-log.ts";
import type { ProposedGain } from "../../../db/shapes/log/passed-over.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { EpochMs, Period } from "../../../db/shapes/units.ts";
import type { Deps } from "../../deps.ts";
import {
  MAX_PASSED_OVER,
  MAX_PASSED_OVER_ATTEMPTS,
  passedOverIn,
} from "../../engine/replay/passed-over-log.ts";
import { summarizeInSteps } from "../../engine/replay/what-if.ts";
import { loadLogList } from "../../runtime/log-list.ts";
import type { Machine } from "../machine.ts";
import type { Store } from "../storage/store.ts";
import { withCurrentStatus } from "./won-list.ts";

/**
 * The one change of the filters that would have let through the most pay in a time, as the driver's page of that week names it. Null
 * if none would. The object polls between its steps, of which each takes some milliseconds.
 */
export async function findWeekChange(
  {
    deps: { config, sleep, now },
    store,
    machine,
  }: {
    deps: Pick<Deps, "config" | "sleep" | "now">;
    store: Pick<Store, "events">;
    machine: Pick<Machine, "state">;
  },
  period: Period,
): Promise<ProposedGain | null> {
  const source = {
    list: async (name: BlockList, page: { cursor: number; limit: number }) => {
      await sleep(0);
      return withCurrentStatus(store.events.list(name, page), machine.state.held);
    },
  };
  const { from } = period;
  const disliked = await loadLogList(source, "disliked", { from, most: MAX_PASSED_OVER });
  const won = await loadLogList(source, "won", { from: 0, most: MAX_PASSED_OVER_ATTEMPTS });
  const lost = await loadLogList(source, "lost", { from, most: MAX_PASSED_OVER_ATTEMPTS });
  const { profile, warehouses, givenBack } = machine.state;
  if (profile === null) return null;
  const held = machine.state.held.filter(isHeldAt(now()));
  const log = passedOverIn({ disliked, won, lost, held, givenBack }, period);
  const steps = summarizeInSteps({ ...log, profile, warehouses, currency: config.currency });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value[0]?.proposal ?? null;
    await sleep(0);
  }
}

function isHeldAt(now: EpochMs): (block: Block) => boolean {
  return ({ endsAt, status }) => endsAt > now && status !== "forfeited";
}
