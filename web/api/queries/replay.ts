import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Filters, Mode } from "../../../db/shapes/work/filters.ts";
import type { ReplayDays } from "../../../db/shapes/work/replay.ts";
import { replayResponse } from "../../../worker/contract/work/replay.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";

/**
 * POST /flex/v1/filters/replay: replays the log with edited filters, beside those of a saved version. The last response stays
 * until the next.
 */
export function replayQuery({
  filters,
  version,
  days,
  mode,
}: {
  filters: Filters;
  version: number;
  days: ReplayDays;
  /** Another mode than the driver's, or null. */
  mode: Mode | null;
}) {
  return queryOptions({
    queryKey: ["replay", version, days, mode, filters],
    queryFn: async () =>
      parseResponse(
        replayResponse,
        await api.flex.v1.filters.replay.$post({ json: { days, filters, ...(mode && { mode }) } }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
