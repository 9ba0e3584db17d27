import type { QueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { user, type User } from "../../worker/contract/user.ts";
import { epochMs, type EpochMs } from "../../db/shapes/units.ts";
import { userQuery } from "./queries.ts";
import { loadStored, saveStored } from "./storage.ts";

const cachedUser = z.object({ user, at: epochMs });

/** What a driver leaves on the device has names that begin so. */
export const DRIVER_CACHE_PREFIX = "jornada.last.";

/** The record as this device saw it last, until the server's answer is there. */
export function restoreUser(queryClient: QueryClient, username: string): void {
  if (queryClient.getQueryData(userQuery.queryKey)) return;
  const cached = loadStored(cachedUser, storageKey(username));
  if (cached) queryClient.setQueryData(userQuery.queryKey, cached.user, { updatedAt: cached.at });
}

export function saveUser(username: string, user: User, at: EpochMs): void {
  saveStored(storageKey(username), { user, at } satisfies z.infer<typeof cachedUser>);
}

function storageKey(username: string): string {
  return `${DRIVER_CACHE_PREFIX}${username}.user`;
}
