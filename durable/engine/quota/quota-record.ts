import { longQuotaWait } from "./pace.ts";
import { learnFrom, mustOutlive, rememberQuota } from "./memory.ts";
import { updateState, updateTransient, type Transition } from "../state/transition.ts";
import type { Quota } from "./quota.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";

/** Learns from what an answer says of the quota, and stores it where it must outlive the object's memory. */
export function recordQuota(transition: Transition, quota: Quota, sentAt: EpochMs): void {
  const { now } = transition.ctx;
  const { transient, quotaMemory } = transition.state;
  const answer = { quota, now, tookMs: now - sentAt, polls: transient.polls };
  const { learned, polls } = learnFrom(transient.quota, answer);
  updateTransient(transition, { quota: learned, polls });
  const waitUntil = longQuotaWait(learned, { polls, calls: transient.pollCalls }, now);
  updateState(transition, {
    quotaWaitUntil: waitUntil,
    quotaMemory: rememberQuota(quotaMemory, {
      learned,
      polls,
      isWhole: waitUntil !== null || mustOutlive(transition.state.transient, now),
    }),
  });
}

/**
 * Stores a poll before it leaves where its quota is tight, or while polls are so seldom that the object may leave memory
 * before it is answered: it counts even if nothing is ever heard of it.
 */
export function rememberPoll(transition: Transition): void {
  const { transient, quotaMemory, quotaWaitUntil, phase } = transition.state;
  const { quota: learned, polls } = transient;
  const { now } = transition.ctx;
  const mayLeaveMemory = phase.kind !== "polling";
  if (!learned || !(mayLeaveMemory || mustOutlive(transient, now))) return;
  const waitUntil = longQuotaWait(learned, { polls, calls: transient.pollCalls }, now);
  updateState(transition, {
    // A wait that is over stays until the answer says what comes after it.
    quotaWaitUntil: waitUntil ?? quotaWaitUntil,
    quotaMemory: rememberQuota(quotaMemory, { learned, polls, isWhole: true }),
  });
}

/** Stores the polls of the window: from here on the object may leave memory. */
export function rememberPolls(transition: Transition): void {
  const { transient, quotaMemory } = transition.state;
  const { quota: learned, polls } = transient;
  if (!learned) return;
  updateState(transition, {
    quotaMemory: rememberQuota(quotaMemory, { learned, polls, isWhole: true }),
  });
}
