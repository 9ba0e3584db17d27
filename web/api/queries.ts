import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { blocksResponse } from "../../worker/contract/blocks.ts";
import type { BlockList } from "../../db/shapes/driver-log.ts";
import { earningsResponse } from "../../db/shapes/earnings.ts";
import { filtersResponse, type FiltersResponse } from "../../worker/contract/filters.ts";
import { notificationPreferences, type NotificationPreferences } from "../../db/shapes/notifications.ts";
import { user, type User, type UserPatch } from "../../worker/contract/user.ts";
import { warehousesResponse } from "../../worker/contract/warehouses.ts";
import type { Filters } from "../../db/shapes/filters.ts";
import { parseResponse, api, fetchConfig } from "./client.ts";
import { errorCodeOf, type ApiResponse } from "./api-error.ts";
import { fetchStatus, sendSealed } from "./seal.ts";

const USER_RETRIES = 3;

const userResponse = z.object({ Item: user });

export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: fetchConfig,
  staleTime: Infinity,
  // Answered from the device where there is no connection.
  networkMode: "always",
});

/** Whether the service runs. */
export const statusQuery = queryOptions({
  queryKey: ["status"],
  queryFn: fetchStatus,
  staleTime: Infinity,
});

/** The driver's record; null where there is none, which is an answer like any other. */
export const userQuery = queryOptions({
  queryKey: ["user"],
  queryFn: fetchUser,
  refetchOnMount: "always",
  refetchOnWindowFocus: "always",
  refetchOnReconnect: "always",
  // Where nobody is signed in any more, asking again does not change it.
  retry: (failures, error) => failures < USER_RETRIES && errorCodeOf(error) !== "unauthenticated",
});

async function fetchUser(): Promise<User | null> {
  const response: ApiResponse = await api.flex.v1.user.$get();
  return response.status === 404 ? null : (await parseResponse(userResponse, response)).Item;
}

export const filtersQuery = queryOptions({
  queryKey: ["filters"],
  queryFn: async () => parseResponse(filtersResponse, await api.flex.v1.filters.$get()),
});

export const warehousesQuery = queryOptions({
  queryKey: ["warehouses"],
  queryFn: async () => parseResponse(warehousesResponse, await api.flex.v1.warehouses.$get()),
});

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: async () => parseResponse(notificationPreferences, await api.flex.v1.user.notifications.$get()),
});

export const earningsQuery = queryOptions({
  queryKey: ["earnings"],
  queryFn: async () => parseResponse(earningsResponse, await api.flex.v1.user.earnings.$get()),
  // The server asks the platform no more often than this; a day that goes on is looked at again.
  staleTime: 5 * 60_000,
  refetchInterval: 5 * 60_000,
});

export function blocksQuery(type: BlockList) {
  return infiniteQueryOptions({
    queryKey: ["blocks", type],
    queryFn: async ({ pageParam }) =>
      parseResponse(
        blocksResponse,
        await api.flex.v1.blocks.$get({ query: { type, ...(pageParam ? { cursor: pageParam } : {}) } }),
      ),
    initialPageParam: initialCursor(),
    getNextPageParam: ({ cursor }) => cursor,
    // A live list: what was captured since the last visit belongs at its top.
    staleTime: 10_000,
  });
}

/** PUT /flex/v1/user, sealed: the record of a driver who has just registered. */
export async function createUser(body: {
  name: string;
  phoneNumber: string;
  referral: string;
  humanTimezone: string;
}): Promise<User> {
  return (await parseResponse(userResponse, await sendSealed("PUT", "/flex/v1/user", body))).Item;
}

/** PATCH /flex/v1/user, sealed. */
export async function patchUser(patch: UserPatch): Promise<User> {
  return (await parseResponse(userResponse, await sendSealed("PATCH", "/flex/v1/user", patch))).Item;
}

/**
 * PUT /flex/v1/filters.
 * @throws {ApiError} `stale_version` where somebody saved since `version`
 */
export async function putFilters(filters: Filters, version: number): Promise<FiltersResponse> {
  const response = await api.flex.v1.filters.$put(
    { json: filters },
    { headers: { "if-match": `"${version}"` } },
  );
  return parseResponse(filtersResponse, response);
}

/** PUT /flex/v1/user/notifications. */
export async function putNotifications(settings: NotificationPreferences): Promise<NotificationPreferences> {
  return parseResponse(
    notificationPreferences,
    await api.flex.v1.user.notifications.$put({ json: settings }),
  );
}

function initialCursor(): string | null {
  return null;
}
