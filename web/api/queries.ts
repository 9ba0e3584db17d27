import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { blocksAnswer, type BlockList } from "../../worker/contract/blocks.ts";
import { earningsAnswer } from "../../worker/contract/earnings.ts";
import { filtersAnswer, type FiltersAnswer } from "../../worker/contract/filters.ts";
import { notificationSettings, type NotificationSettings } from "../../worker/contract/notifications.ts";
import { user, type User, type UserPatch } from "../../worker/contract/user.ts";
import { warehousesAnswer } from "../../worker/contract/warehouses.ts";
import type { Filters } from "../../durable/engine/rules.ts";
import { answer, api, readDeployment } from "./client.ts";
import { codeOf, type Answer } from "./problem.ts";
import { readStatus, sendSealed } from "./seal.ts";

const USER_RETRIES = 3;

const userAnswer = z.object({ Item: user });

export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: readDeployment,
  staleTime: Infinity,
  // Answered from the device where there is no connection.
  networkMode: "always",
});

/** Whether the service runs. */
export const statusQuery = queryOptions({
  queryKey: ["status"],
  queryFn: readStatus,
  staleTime: Infinity,
});

/** The driver's record; null where there is none, which is an answer like any other. */
export const userQuery = queryOptions({
  queryKey: ["user"],
  queryFn: readUser,
  refetchOnMount: "always",
  refetchOnWindowFocus: "always",
  refetchOnReconnect: "always",
  // Where nobody is signed in any more, asking again does not change it.
  retry: (failures, error) => failures < USER_RETRIES && codeOf(error) !== "unauthenticated",
});

async function readUser(): Promise<User | null> {
  const response: Answer = await api.flex.v1.user.$get();
  return response.status === 404 ? null : (await answer(userAnswer, response)).Item;
}

export const filtersQuery = queryOptions({
  queryKey: ["filters"],
  queryFn: async () => answer(filtersAnswer, await api.flex.v1.filters.$get()),
});

export const warehousesQuery = queryOptions({
  queryKey: ["warehouses"],
  queryFn: async () => answer(warehousesAnswer, await api.flex.v1.warehouses.$get()),
});

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: async () => answer(notificationSettings, await api.flex.v1.user.notifications.$get()),
});

export const earningsQuery = queryOptions({
  queryKey: ["earnings"],
  queryFn: async () => answer(earningsAnswer, await api.flex.v1.user.earnings.$get()),
  // The server asks the platform no more often than this; a day that goes on is looked at again.
  staleTime: 5 * 60_000,
  refetchInterval: 5 * 60_000,
});

export function blocksQuery(type: BlockList) {
  return infiniteQueryOptions({
    queryKey: ["blocks", type],
    queryFn: async ({ pageParam }) =>
      answer(
        blocksAnswer,
        await api.flex.v1.blocks.$get({ query: { type, ...(pageParam ? { cursor: pageParam } : {}) } }),
      ),
    initialPageParam: firstPage(),
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
  return (await answer(userAnswer, await sendSealed("PUT", "/flex/v1/user", body))).Item;
}

/** PATCH /flex/v1/user, sealed. */
export async function patchUser(patch: UserPatch): Promise<User> {
  return (await answer(userAnswer, await sendSealed("PATCH", "/flex/v1/user", patch))).Item;
}

/**
 * PUT /flex/v1/filters.
 * @throws {ApiError} `stale_version` where somebody saved since `version`
 */
export async function putFilters(filters: Filters, version: number): Promise<FiltersAnswer> {
  const response = await api.flex.v1.filters.$put(
    { json: filters },
    { headers: { "if-match": `"${version}"` } },
  );
  return answer(filtersAnswer, response);
}

/** PUT /flex/v1/user/notifications. */
export async function putNotifications(settings: NotificationSettings): Promise<NotificationSettings> {
  return answer(notificationSettings, await api.flex.v1.user.notifications.$put({ json: settings }));
}

function firstPage(): string | null {
  return null;
}
