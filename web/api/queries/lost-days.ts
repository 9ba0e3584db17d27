import { queryOptions } from "@tanstack/react-query";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { lostDaysResponse } from "../../../worker/contract/money/service.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";

/** The driver's days with lost time, of which there may be one more a day. */
export const lostDaysQuery = queryOptions({
  queryKey: ["lost-days"],
  queryFn: async () => parseResponse(lostDaysResponse, await api.flex.v1["lost-days"].$get()),
  staleTime: HOUR_MS,
});
