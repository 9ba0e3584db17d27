import { createStore, useSelector } from "@tanstack/react-store";
import * as z from "zod/mini";
import { DAY_MS, epochMs, type EpochMs } from "../../../db/shapes/units.ts";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { parseReferral } from "../../../worker/contract/account/user.ts";
import { createStored } from "../../api/cache/storage.ts";
import { useIsHydrated } from "../../early/use-is-hydrated.ts";

/** How long a link counts after it was first opened on this device. */
const KEPT_MS = 30 * DAY_MS;

export const storedInviter = {
  key: "jornada.inviter",
  shape: z.object({ referral: z.string(), seenAt: epochMs }),
  upcasts: [unchanged],
};
const stored = createStored(storedInviter);

/** The referral of the link that was opened last, while it counts. Without storage it lasts as long as the page. */
const inviterStore = createStore<string | null>(null);

/**
 * Keeps the referral in the page's address, whichever page it leads to: visitors look around before they register. Opening
 * the same link again doesn't make it count longer; another link takes its place.
 */
export function storeInviter(search: string, now: EpochMs): void {
  const kept = stored.load();
  const isKept = kept !== null && now - kept.seenAt < KEPT_MS;
  if (kept && !isKept) stored.remove();
  const opened = parseReferral(new URLSearchParams(search).get("referral") ?? undefined);
  const referral = opened ?? (isKept ? parseReferral(kept.referral) : null);
  inviterStore.setState(() => referral);
  if (opened !== null && !(isKept && kept.referral === opened))
    stored.save({ referral: opened, seenAt: now });
}

/** The referral that a record created now has; null if nobody's link was opened. */
export function loadInviter(): string | null {
  return inviterStore.get();
}

/** Once a record has it, the next to register on this device isn't invited by the same link. */
export function forgetInviter(): void {
  stored.remove();
  inviterStore.setState(() => null);
}

/** The referral that counts, for links to the registration. HTML that was rendered at build time has none. */
export function useInviter(): string | undefined {
  const referral = useSelector(inviterStore);
  return (useIsHydrated() ? referral : null) ?? undefined;
}
