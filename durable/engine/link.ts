import { markLost } from "./attempts/attempts.ts";
import { NO_BACKOFF } from "./state/cadence.ts";
import { leaveBlocksBehind } from "./verdicts/given-back.ts";
import { noteGone } from "./verdicts/judge.ts";
import { INITIAL_TRANSIENT_STATE, NO_CONTACT } from "./initial-state.ts";
import { withdrawAll } from "./questions/close.ts";
import { updateState, updateTransient, type Transition } from "./state/transition.ts";
import type { DriverState, MachineEvent } from "./state/types.ts";
import type { Warehouse } from "../../db/shapes/work/offer.ts";

/** Whether the platform account is linked, as far as the platform has said. */
export function isLinked({ link }: DriverState): boolean {
  return link.status === "linked";
}

/**
 * The new link may be to another account, so nothing that was seen under the old one counts: no offer listed then is accepted
 * now, and no attempt is repeated. Captures by those attempts for the old account are recorded once they are known. A wait
 * continues, and so does the quota: the platform may mean the address that we call from, and linking again must not be a way
 * around it. A wait ends after four hours at most, and the driver hears of it again if it is long.
 */
export function applyLink(transition: Transition, warehouses: readonly Warehouse[]): void {
  forgetAccount(transition);
  const { throttle } = transition.state;
  updateState(transition, {
    throttle: throttle.isNotified ? { ...throttle, isNotified: false } : throttle,
    link: { status: "linked" },
    warehouses,
  });
}

/**
 * Replaces the warehouses if they have changed. Known ones that are merely malformed in the list stay, and an empty list is
 * ignored: without a warehouse nothing would be captured.
 */
export function applyWarehouses(
  transition: Transition,
  { warehouses, isComplete }: Extract<MachineEvent, { kind: "warehouses_read" }>,
): void {
  const { warehouses: known, link } = transition.state;
  if (link.status !== "linked" || warehouses.length === 0) return;
  const ids = new Set(warehouses.map(({ warehouseId }) => warehouseId));
  const rest = isComplete ? [] : known.filter(({ warehouseId }) => !ids.has(warehouseId));
  const next = [...warehouses, ...rest];
  if (JSON.stringify(next) === JSON.stringify(known)) return;
  updateState(transition, { warehouses: next });
  // The next poll may ask for other warehouses than the last, which may still be under way.
  updateTransient(transition, { etag: null, polledFiltersVersion: null });
}

/** Attempts are closed now: without a token they can't be reconciled. The late answer of a call in flight still counts. */
export function applyUnlink(transition: Transition): void {
  forgetAccount(transition);
  updateState(transition, { link: { status: "unlinked" }, warehouses: [] });
}

function forgetAccount(transition: Transition): void {
  withdrawAll(transition);
  noteGone(transition, () => false);
  const { quota, polls, lastPollAt } = transition.state.transient;
  for (const attempt of transition.state.openAttempts.values())
    markLost(transition, attempt, { reason: "signed_out", isDoubted: true });
  leaveBlocksBehind(transition);
  updateState(transition, {
    verification: null,
    backoff: NO_BACKOFF,
    held: [],
    weeklyLimit: [],
    contact: NO_CONTACT,
    listParts: null,
    verdicts: new Map(),
    transient: { ...INITIAL_TRANSIENT_STATE, quota, polls, lastPollAt },
  });
}
