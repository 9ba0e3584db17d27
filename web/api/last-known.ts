import type { QueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { snapshot } from "../../worker/contract/live.ts";
import { user, type User } from "../../worker/contract/user.ts";
import { epochMs } from "../../durable/engine/units.ts";
import { liveStore, tellLive } from "./live.ts";
import type { LiveState } from "./live-state.ts";
import { userQuery } from "./queries.ts";
import { sessionStore } from "./session.ts";
import { readStored, removeStored, writeStored } from "./stored.ts";

const PREFIX = "jornada.last.";
const SAVE_EVERY_MS = 5000;

const keptUser = z.object({ user, at: epochMs });
const keptLive = z.object({ snapshot, at: epochMs });

/**
 * Keeps what was last known of the driver on the device, so that the page opens without a connection too,
 * and forgets all of it as soon as nobody is signed in.
 */
export function keepLastKnown(queryClient: QueryClient): void {
  let driver = sessionStore.get()?.username;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saved: LiveState["snapshot"] = null;

  const take = () => {
    if (!driver) return;
    const lastUser = readStored(keptUser, nameOf(driver, "user"));
    if (lastUser && !queryClient.getQueryData(userQuery.queryKey))
      queryClient.setQueryData(userQuery.queryKey, lastUser.user, { updatedAt: lastUser.at });
    const live = readStored(keptLive, nameOf(driver, "live"));
    if (live) tellLive({ kind: "kept", ...live });
  };
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    const { snapshot, heardAt, isOld } = liveStore.get();
    if (!driver || !snapshot || heardAt === null || isOld) return;
    saved = snapshot;
    writeStored(nameOf(driver, "live"), { snapshot, at: heardAt } satisfies z.infer<typeof keptLive>);
  };
  const follow = (username: string | undefined) => {
    if (username === driver) return;
    clearTimeout(timer);
    timer = undefined;
    driver = username;
    if (username === undefined) removeStored(PREFIX);
    else take();
  };

  take();
  sessionStore.subscribe((session) => {
    // Not looked for yet, which is nobody's leaving.
    if (session !== undefined) follow(session?.username);
  });
  liveStore.subscribe(({ snapshot }) => {
    if (snapshot && snapshot !== saved) timer ??= setTimeout(save, SAVE_EVERY_MS);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") save();
  });
  addEventListener("pagehide", save);
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "updated" || query.queryKey[0] !== userQuery.queryKey[0] || !driver) return;
    const { data, dataUpdatedAt: at } = query.state as { data?: User; dataUpdatedAt: number };
    if (data) writeStored(nameOf(driver, "user"), { user: data, at } satisfies z.infer<typeof keptUser>);
  });
}

function nameOf(driver: string, what: "user" | "live"): string {
  return `${PREFIX}${driver}.${what}`;
}
