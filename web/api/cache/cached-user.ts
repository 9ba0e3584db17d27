import type { QueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { user, type User } from "../../../worker/contract/account/user.ts";
import { epochMs, type EpochMs } from "../../../db/shapes/units.ts";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { userQuery } from "../queries/user.ts";
import { createStored } from "./storage.ts";

/** The prefix of every key under which a driver's data is cached on the device. */
export const DRIVER_CACHE_PREFIX = "jornada.last.";

export const storedUser = {
  shape: z.object({ user, at: epochMs }),
  upcasts: [unchanged, unchanged, unchanged],
};
const userCache = (username: string) =>
  createStored({ key: `${DRIVER_CACHE_PREFIX}${username}.user`, ...storedUser });

/** Restores the record from the device's cache, until the server responds. */
export function restoreUser(queryClient: QueryClient, username: string): void {
  if (queryClient.getQueryData(userQuery.queryKey)) return;
  const cached = userCache(username).load();
  if (cached) queryClient.setQueryData(userQuery.queryKey, cached.user, { updatedAt: cached.at });
}

export function saveUser(username: string, user: User, at: EpochMs): void {
  userCache(username).save({ user, at });
}
