import type { QueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { snapshot } from "../../../db/shapes/work/live.ts";
import { type User, user } from "../../../worker/contract/account/user.ts";
import { epochMs, type EpochMs } from "../../../db/shapes/units.ts";
import { liveStore, dispatchLive } from "../live/live.ts";
import type { LiveState } from "../live/live-state.ts";
import { userQuery } from "../queries/user.ts";
import { sessionStore } from "../session/session.ts";
import { createStored, removeStoredUnder } from "./storage.ts";
import { unchanged, isRecord, type Upcast } from "../../../db/shapes/versioned.ts";
import { upcastLogEventV0, upcastLogEventV1 } from "../../../db/shapes/log/driver-log-upcasts.ts";

/** Upcasts the events in the snapshot's feed. */
const upcastLiveCacheV0: Upcast = (stored) => upcastFeed(stored, upcastLogEventV0);
const upcastLiveCacheV1: Upcast = (stored) => upcastFeed(stored, upcastLogEventV1);

/** The day's captures are now separate from the feed. An old snapshot may be of another day, so they come with the next one. */
const upcastLiveCacheV2: Upcast = (stored) =>
  isRecord(stored) && isRecord(stored["snapshot"])
    ? { ...stored, snapshot: { ...stored["snapshot"], won: [] } }
    : stored;

const SAVE_EVERY_MS = 5000;

export const storedLive = {
  shape: z.object({ snapshot, at: epochMs }),
  upcasts: [upcastLiveCacheV0, upcastLiveCacheV1, upcastLiveCacheV2, unchanged, unchanged],
};
const liveCache = (username: string) =>
  createStored({ key: `${DRIVER_CACHE_PREFIX}${username}.live`, ...storedLive });

/**
 * Caches the driver's data on the device, so that the page opens without a connection, and deletes it as soon as
 * nobody is signed in.
 */
export function startOfflineCache(queryClient: QueryClient): void {
  let driver = sessionStore.get()?.username;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let savedSnapshot: LiveState["snapshot"] = null;

  const restore = () => {
    if (!driver) return;
    restoreUser(queryClient, driver);
    const live = liveCache(driver).load();
    if (live) dispatchLive({ kind: "restored", ...live });
  };
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    const { snapshot, lastMessageAt, isRestored } = liveStore.get();
    if (!driver || !snapshot || lastMessageAt === null || isRestored) return;
    savedSnapshot = snapshot;
    liveCache(driver).save({ snapshot, at: lastMessageAt });
  };
  const switchDriver = (username: string | undefined) => {
    if (username === driver) return;
    clearTimeout(timer);
    timer = undefined;
    driver = username;
    if (username === undefined) removeStoredUnder(DRIVER_CACHE_PREFIX);
    else restore();
  };

  restore();
  sessionStore.subscribe((session) => {
    // Not restored yet, which isn't a sign-out.
    if (session !== undefined) switchDriver(session?.username);
  });
  liveStore.subscribe(({ snapshot }) => {
    if (snapshot && snapshot !== savedSnapshot) timer ??= setTimeout(save, SAVE_EVERY_MS);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") save();
  });
  addEventListener("pagehide", save);
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "updated" || query.queryKey[0] !== userQuery.queryKey[0] || !driver) return;
    const { data, dataUpdatedAt: at } = query.state as { data?: User; dataUpdatedAt: number };
    if (data) saveUser(driver, data, at);
  });
}

function upcastFeed(stored: unknown, upcast: Upcast): unknown {
  if (!isRecord(stored) || !isRecord(stored["snapshot"])) return stored;
  const { snapshot } = stored;
  const { feed } = snapshot;
  if (!Array.isArray(feed)) return stored;
  const entries = feed.map((entry: unknown) =>
    isRecord(entry) ? { ...entry, event: upcast(entry["event"]) } : entry,
  );
  return { ...stored, snapshot: { ...snapshot, feed: entries } };
}

/** The prefix of every key under which a driver's data is cached on the device. */
const DRIVER_CACHE_PREFIX = "jornada.last.";

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
