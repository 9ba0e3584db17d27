import type { QueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { user, type User } from "../../worker/contract/user.ts";
import { epochMs, type EpochMs } from "../../db/shapes/units.ts";
import { unchanged } from "../../db/shapes/versioned.ts";
import { userQuery } from "./queries.ts";
import { createStored } from "./storage.ts";

/** What a driver leaves on the device has names that begin so. */
export const DRIVER_CACHE_PREFIX = "jornada.last.";

export const storedUser = { shape: z.object({ user, at: epochMs }), upcasts: [unchanged] };
const userCache = (username: string) =>
  createStored({ key: `${DRIVER_CACHE_PREFIX}${username}.user`, ...storedUser });

/** The record as this device saw it last, until the server's answer is there. */
export function restoreUser(queryClient: QueryClient, username: string): void {
  if (queryClient.getQueryData(userQuery.queryKey)) return;
  const cached = userCache(username).load();
  if (cached) queryClient.setQueryData(userQuery.queryKey, cached.user, { updatedAt: cached.at });
}

export function saveUser(username: string, user: User, at: EpochMs): void {
  userCache(username).save({ user, at });
}
