import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Filters } from "../../../db/shapes/work/filters.ts";
import type { ReplayDays } from "../../../db/shapes/work/replay.ts";
import { replayResponse } from "../../../worker/contract/work/replay.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";

/** POST /flex/v1/filters/replay: the log by edited filters, beside those of a saved version. The last answer stays until the next. */
export function replayQuery({
  filters,
  version,
  days,
}: {
  filters: Filters;
  version: number;
  days: ReplayDays;
}) {
  return queryOptions({
    queryKey: ["replay", version, days, filters],
    queryFn: async () =>
      parseResponse(replayResponse, await api.flex.v1.filters.replay.$post({ json: { days, filters } })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
