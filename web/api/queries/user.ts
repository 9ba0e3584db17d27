import { queryOptions } from "@tanstack/react-query";
import { earningsResponse } from "../../../db/shapes/work/earnings.ts";
import {
  userResponse,
  type User,
  type UserDetails,
  type UserPatch,
} from "../../../worker/contract/account/user.ts";
import { atOwnPace } from "../client/full-jitter.ts";
import { api, fetchConfig } from "../client/client.ts";
import { JUST_FETCHED_MS } from "../client/query-client.ts";
import { parseResponse } from "../client/request.ts";
import { errorCodeOf, type ApiResponse } from "../client/request-error.ts";
import { fetchStatus } from "../client/seal.ts";

const USER_RETRIES = 3;
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
  // Parts of the first screen don't repeat it. The device's cache is from before the page was loaded.
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

/** GET /flex/v1/user; null if there is no record. */
export async function fetchUser(): Promise<User | null> {
  const response: ApiResponse = await api.flex.v1.user.$get();
  return response.status === 404 ? null : (await parseResponse(userResponse, response)).Item;
}

export const earningsQuery = queryOptions({
  queryKey: ["earnings"],
  queryFn: async () => parseResponse(earningsResponse, await api.flex.v1.user.earnings.$get()),
  // The server asks the platform no more often than this.
  staleTime: 5 * 60_000,
  refetchInterval: atOwnPace(5 * 60_000),
});

/** PATCH /flex/v1/user. */
export async function patchUser(patch: UserPatch): Promise<User> {
  return (await parseResponse(userResponse, await api.flex.v1.user.$patch({ json: patch }))).Item;
}

/** PUT /flex/v1/user/{phone}: replaces the details of the driver with this number. */
export async function replaceDetails(phone: string, details: UserDetails): Promise<User> {
  const call = api.flex.v1.user[":phone{(?:\\+|%2B|%2b)?[0-9]+}"];
  return (await parseResponse(userResponse, await call.$put({ param: { phone }, json: details }))).Item;
}
