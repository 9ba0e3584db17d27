import type { DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import { DAY_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { compareReplays } from "../../../durable/engine/replay/replay-report.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";
import type { ReplayInput, ReplayResponse } from "../../contract/work/replay.ts";
import { loadReplayLog } from "./replay-log.ts";

/** Replays the driver's log by edited filters, beside the saved ones. */
export async function replayFilters(
  object: DurableObjectStub<DriverRpc>,
  {
    input: { days, filters, mode, specialMode },
    record: { profile: saved },
    currency,
    now,
  }: { input: ReplayInput; record: DriverRecord; currency: string; now: EpochMs },
): Promise<ReplayResponse> {
  const { log, warehouses, odds, capturedBlocks, staysFrom } = await loadReplayLog(
    object,
    now - days * DAY_MS,
  );
  const edited = {
    ...saved,
    filters,
    mode: mode ?? saved.mode,
    specialMode: specialMode === undefined ? saved.specialMode : specialMode,
  };
  const report = compareReplays({
    log,
    saved: { profile: saved, warehouses, currency },
    edited: { profile: edited, warehouses, currency },
    odds,
  });
  const known = new Set(log.changes.flatMap(({ seen }) => seen.map(({ warehouseId }) => warehouseId)));
  const listed = new Set(warehouses.map(({ warehouseId }) => warehouseId));
  const selected = filters.warehouses.filter((rule) => rule.selected && listed.has(rule.warehouseId));
  return {
    ...report,
    days,
    currency,
    since: log.changes.find(({ seen }) => seen.length > 0)?.at ?? null,
    staysFrom,
    captured: {
      blocks: capturedBlocks.length,
      payCents: capturedBlocks.reduce((sum, { payCents }) => sum + payCents, 0),
    },
    odds,
    unseen: selected.map(({ warehouseId }) => warehouseId).filter((id) => !known.has(id)),
  };
}
