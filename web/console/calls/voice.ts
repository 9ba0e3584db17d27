import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import {
  errorsResponse,
  operatorAnnouncements,
  operatorFeedback,
} from "../../../worker/contract/console/voice.ts";
import { parseResponse } from "../../api/client/request.ts";
import { api, LIST_MS, PAGES } from "./api.ts";

export const feedbackListQuery = infiniteQueryOptions({
  queryKey: ["feedback"],
  queryFn: async ({ pageParam }) =>
    parseResponse(
      operatorFeedback,
      await api.feedback.$get({ query: pageParam === null ? {} : { cursor: pageParam } }),
    ),
  ...PAGES,
});

export const errorsQuery = queryOptions({
  queryKey: ["errors"],
  queryFn: async () => parseResponse(errorsResponse, await api.errors.$get()),
  staleTime: 0,
});

export const announcementListQuery = queryOptions({
  queryKey: ["announcements"],
  queryFn: async () => parseResponse(operatorAnnouncements, await api.announcements.$get()),
  refetchInterval: LIST_MS,
  staleTime: 0,
});
