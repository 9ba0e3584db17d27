import type { Period } from "../../../db/shapes/units.ts";
import type { DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import {
  MAX_PASSED_OVER,
  MAX_PASSED_OVER_ATTEMPTS,
  passedOverIn,
} from "../../../durable/engine/replay/passed-over-log.ts";
import { summarizePassedOver } from "../../../durable/engine/replay/what-if.ts";
import { loadLogList } from "../../../durable/runtime/log-list.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";
import type { PassedOverResponse } from "../../contract/work/blocks.ts";

/**
 * The offers that the filters skipped in the last days, by reason, and the ones that one change would have let through.
 * The object only reads its log, page by page; the arithmetic is done here, beside its polls.
 */
export async function loadPassedOver(
  object: DurableObjectStub<DriverRpc>,
  { record: { profile }, currency, period }: { record: DriverRecord; currency: string; period: Period },
): Promise<PassedOverResponse> {
  const since = period.from;
  const [disliked, won, lost, { held, warehouses }, kept, givenBack] = await Promise.all([
    loadLogList(object, "disliked", { most: MAX_PASSED_OVER, from: since, before: period.to }),
    loadLogList(object, "won", { most: MAX_PASSED_OVER_ATTEMPTS, from: 0 }),
    loadLogList(object, "lost", { most: MAX_PASSED_OVER_ATTEMPTS, from: since }),
    object.snapshot(),
    object.heldBlocks(),
    object.givenBack(),
  ]);
  const log = passedOverIn({ disliked, won, lost, held: [...held, ...kept], givenBack }, period);
  return {
    filtersVersion: profile.filtersVersion,
    currency,
    since: log.passedOver[0]?.at ?? null,
    groups: summarizePassedOver({ ...log, profile, warehouses, currency }),
  };
}
