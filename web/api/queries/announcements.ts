import { queryOptions } from "@tanstack/react-query";
import { announcementsResponse } from "../../../worker/contract/announcements.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";

const SHOWN_MS = 60_000;
const QUIET_MS = 10 * 60_000;

/** What operators tell the driver now. Asked for again soon while something is shown, since it may be taken back. */
export const announcementsQuery = queryOptions({
  queryKey: ["announcements"],
  queryFn: async () => parseResponse(announcementsResponse, await api.flex.v1.announcements.$get()),
  staleTime: SHOWN_MS,
  refetchInterval: ({ state }) => ((state.data?.announcements.length ?? 0) > 0 ? SHOWN_MS : QUIET_MS),
});
