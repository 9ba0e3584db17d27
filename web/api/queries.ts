import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { blocksResponse } from "../../worker/contract/blocks.ts";
import { passedOverResponse } from "../../worker/contract/passed-over.ts";
import type { BlockList } from "../../db/shapes/driver-log.ts";
import { earningsResponse } from "../../db/shapes/earnings.ts";
import { filtersResponse, type FiltersResponse } from "../../worker/contract/filters.ts";
import { notificationPreferences, type NotificationPreferences } from "../../db/shapes/notifications.ts";
import { userResponse, type User, type UserInput, type UserPatch } from "../../worker/contract/user.ts";
import { warehousesResponse } from "../../worker/contract/warehouses.ts";
import type { Filters } from "../../db/shapes/filters.ts";
import { api, fetchConfig } from "./client.ts";
import { parseResponse, requireOk } from "./request.ts";
import { errorCodeOf, type ApiResponse } from "./request-error.ts";
import { fetchStatus } from "./seal.ts";

const USER_RETRIES = 3;
const JUST_FETCHED_MS = 2000;
/** The record as it was cached on the device, and as the server has it. */
const FIRST_UPDATES = 2;

export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: fetchConfig,
  staleTime: Infinity,
  // Served from the device's cache if there is no connection.
  networkMode: "always",
});

/** Whether the service runs. */
export const statusQuery = queryOptions({
  queryKey: ["status"],
  queryFn: fetchStatus,
  staleTime: Infinity,
});

/** The driver's record; null if there is none, which isn't an error. */
export const userQuery = queryOptions({
  queryKey: ["user"],
  queryFn: fetchUser,
  // Not by each part of the first screen. What the device had cached is from before the page was loaded.
  refetchOnMount: ({ state: { dataUpdateCount, dataUpdatedAt } }) =>
    dataUpdateCount <= FIRST_UPDATES &&
    dataUpdatedAt > performance.timeOrigin &&
    Date.now() - dataUpdatedAt < JUST_FETCHED_MS
      ? false
      : "always",
  refetchOnWindowFocus: "always",
  refetchOnReconnect: "always",
  retry: isUserRetryable,
});

/** If nobody is signed in, a retry won't help. */
export function isUserRetryable(failures: number, error: Error): boolean {
  return failures < USER_RETRIES && errorCodeOf(error) !== "unauthenticated";
}

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
  // The platform opens and closes warehouses; the server asks it no more often than every five minutes.
  refetchOnMount: "always",
});

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: async () => parseResponse(notificationPreferences, await api.flex.v1.user.notifications.$get()),
});

export const earningsQuery = queryOptions({
  queryKey: ["earnings"],
  queryFn: async () => parseResponse(earningsResponse, await api.flex.v1.user.earnings.$get()),
  // The server asks the platform no more often than this.
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

/** What the filters passed over, by reason. */
export const passedOverQuery = queryOptions({
  queryKey: ["passed-over"],
  queryFn: async () => parseResponse(passedOverResponse, await api.flex.v1.blocks["passed-over"].$get()),
  staleTime: 60_000,
});

/** PUT /flex/v1/user: the record of a driver who has just registered. */
export async function createUser(input: UserInput): Promise<User> {
  return (await parseResponse(userResponse, await api.flex.v1.user.$put({ json: input }))).Item;
}

/** PATCH /flex/v1/user. */
export async function patchUser(patch: UserPatch): Promise<User> {
  return (await parseResponse(userResponse, await api.flex.v1.user.$patch({ json: patch }))).Item;
}

/** POST /flex/v1/user/preferred-phone/code: texts a code to the preferred number. */
export async function requestPreferredPhoneCode(): Promise<void> {
  await requireOk(await api.flex.v1.user["preferred-phone"].code.$post());
}

/** POST /flex/v1/user/preferred-phone/verify. */
export async function verifyPreferredPhone(code: string): Promise<User> {
  const response = await api.flex.v1.user["preferred-phone"].verify.$post({ json: { code } });
  return (await parseResponse(userResponse, response)).Item;
}

/**
 * PUT /flex/v1/filters.
 * @throws {RequestError} `stale_version` if another save happened since `version`
 */
export async function putFilters(filters: Filters, version: number): Promise<FiltersResponse> {
  const response = await api.flex.v1.filters.$put({ json: filters, header: { "if-match": `"${version}"` } });
  return parseResponse(filtersResponse, response);
}

/** POST /flex/v1/blocks/{id}/take-again: a block that the driver gave back may be taken again. */
export async function takeBlockAgain(blockId: string): Promise<void> {
  await requireOk(await api.flex.v1.blocks[":id"]["take-again"].$post({ param: { id: blockId } }));
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
