import { NO_BACKOFF, paceFrom, pollIntervalMs, settleThrottle } from "./state/cadence.ts";
import { compiledFiltersOf } from "./verdicts/compiled-filters.ts";
import { noteAnswered, noteSent } from "./attempts/in-flight.ts";
import { countUnseen, judgeListing, listingOf } from "./verdicts/judge.ts";
import { trackOfferActivity } from "./statistics/city-shares.ts";
import { pollAt } from "./next-wake.ts";
import { noteContact, noteReadability } from "./contact.ts";
import { watchingProfile } from "./state/callable.ts";
import { addPoll } from "./quota/window.ts";
import { callsLeft, steadyCalls } from "./quota/pace.ts";
import { recordQuota, rememberPoll } from "./quota/quota-record.ts";
import { applyFailure, updateState, updateTransient, type Transition } from "./state/transition.ts";
import type { MachineEvent } from "./state/types.ts";
import type { EpochMs } from "../../db/shapes/units.ts";

/** Requests the offers of the selected warehouses. */
export function requestPoll(transition: Transition): void {
  const { profile, warehouses, transient, listParts: parts } = transition.state;
  if (!profile) return;
  const { quota, polls } = transient;
  const { now, roll, settings } = transition.ctx;
  const dueAt = pollAt(transition.state, profile, settings);
  const warehouseIds = compiledFiltersOf(profile, warehouses).selectedIds;
  const left = quota ? callsLeft(quota, polls, now) : Infinity;
  const intervalMs = pollIntervalMs(profile.mode, settings);
  const maxCalls = parts === null || !quota ? left : Math.min(left, steadyCalls(quota, intervalMs));
  transition.calls.push({ kind: "poll", warehouseIds, etag: transient.etag, maxCalls, parts });
  noteSent(transition, "poll");
  // Counted when sent: a call that gets no response still uses quota.
  updateTransient(transition, {
    lastPollAt: now,
    pacedFrom: paceFrom({ dueAt, now, pollFloorMs: settings.pollFloorMs }),
    pollRoll: roll,
    polls: addPoll(polls, now, quota),
    polledFiltersVersion: profile.filtersVersion,
    quota: quota && {
      ...quota,
      quota: { ...quota.quota, remaining: Math.max(0, quota.quota.remaining - 1) },
    },
  });
  rememberPoll(transition);
}

/** Applies the outcome of a poll. Returns whether the platform answered it: then there may be something to do. */
export function applyPoll(
  transition: Transition,
  { sentAt, partsSentAt = [], parts, outcome }: Extract<MachineEvent, { kind: "polled" }>,
): boolean {
  noteAnswered(transition, "poll");
  const { state, ctx } = transition;
  const { profile, transient } = state;
  if (!profile || state.link.status !== "linked") return false;
  notePollSent(transition, sentAt, partsSentAt);
  if (parts !== undefined) updateState(transition, { listParts: parts });
  noteReadability(transition, outcome, warehousesOf(state));
  if (outcome.kind !== "offers" && outcome.kind !== "unchanged") {
    if (outcome.kind === "unreadable" && outcome.quota) recordQuota(transition, outcome.quota, sentAt);
    applyFailure(transition, outcome);
    return false;
  }
  updateState(transition, { backoff: NO_BACKOFF, throttle: settleThrottle(state.throttle, ctx.now) });
  noteContact(transition, { isStored: false });
  if (outcome.quota) recordQuota(transition, outcome.quota, sentAt);
  // Nothing of it would be tried, and the log would have no reason why. The next poll asks for the whole list again.
  if (!watchingProfile(transition.state, ctx.now)) return true;
  const listed = outcome.kind === "offers" ? listingOf(transition, outcome) : null;
  checkForSoftBlock(transition, {
    listed: listed?.length ?? transient.openOfferIds.length,
    unseen: listed ? countUnseen(state, listed) : 0,
  });
  if (outcome.kind === "offers" && listed) {
    // Filters saved during the poll may select other warehouses, so the ETag would not match the next request.
    const isCurrent = transient.polledFiltersVersion === profile.filtersVersion;
    updateTransient(transition, { etag: isCurrent ? outcome.etag : null });
    judgeListing(transition, listed, outcome.partOf);
  }
  return true;
}

/** A poll leaves a little later than it was requested if its token had to be refreshed. */
function notePollSent(transition: Transition, sentAt: EpochMs, partsSentAt: readonly EpochMs[]): void {
  const { lastPollAt, polls } = transition.state.transient;
  updateTransient(transition, { pollCalls: 1 + partsSentAt.length });
  const isLater = lastPollAt === null || sentAt > lastPollAt;
  if (!isLater && partsSentAt.length === 0) return;
  const earlier = isLater && polls.at(-1) === lastPollAt ? polls.slice(0, -1) : polls;
  updateTransient(transition, {
    lastPollAt: isLater ? sentAt : lastPollAt,
    polls: [...earlier, ...(isLater ? [sentAt] : []), ...partsSentAt],
  });
}

/** The warehouses that the platform has opened to the driver, as far as we know. */
function warehousesOf({ warehouses }: Transition["state"]): ReadonlySet<string> {
  return new Set(warehouses.map(({ warehouseId }) => warehouseId));
}

function checkForSoftBlock(transition: Transition, observed: { listed: number; unseen: number }): void {
  const { now } = transition.ctx;
  const { offerActivity, transient } = transition.state;
  const next = trackOfferActivity(offerActivity, {
    now,
    // After the object was out of memory, the poll before this one is precise enough to tell a slow pace from a pause.
    answeredAt: transient.lastPollAnsweredAt ?? transient.polls.at(-2) ?? null,
    ...observed,
  });
  updateState(transition, { offerActivity: next });
  updateTransient(transition, { lastPollAnsweredAt: now });
  if (offerActivity.suspectedAt !== null || next.suspectedAt === null) return;
  transition.log.push({ kind: "silence_suspected", at: now, lastNewAt: next.lastNewAt ?? now });
  transition.notifications.push({ kind: "silence_suspected" });
}
