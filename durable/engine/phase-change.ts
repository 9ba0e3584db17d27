import { phaseOf } from "./phase.ts";
import { rememberPolls } from "./quota/quota-record.ts";
import { recordLastContact } from "./reading/contact.ts";
import { notifyOfEnd } from "./state/service-notifications.ts";
import { updateState, type Transition } from "./state/transition.ts";
import type { Phase } from "../../db/shapes/work/phase.ts";
import { HOUR_MS, type EpochMs } from "../../db/shapes/units.ts";

/** Logs each new phase, and notifies the driver once of each that needs them to act. */
export function applyPhase(transition: Transition): void {
  const { now, settings } = transition.ctx;
  const before = transition.state.phase;
  const phase = phaseOf(transition.state, now, settings);
  if (JSON.stringify(phase) === JSON.stringify(before)) return;
  updateState(transition, { phase });
  transition.log.push({ kind: "phase_changed", at: now, phase });
  if (phase.kind !== before.kind) notifyPhase(transition, phase);
  if (before.kind === "polling") {
    rememberPolls(transition);
    recordLastContact(transition);
  }
  if (phase.kind === "throttled" || phase.kind === "quota_used_up") notifyLongWait(transition, phase.until);
  const { throttle } = transition.state;
  const isOver = phase.kind === "polling" && throttle.until === null;
  if (isOver && throttle.isNotified)
    updateState(transition, { throttle: { ...throttle, isNotified: false } });
}

/** Notifies the driver of a wait of over an hour: once, until polls were answered again. */
function notifyLongWait(transition: Transition, until: EpochMs): void {
  const { throttle } = transition.state;
  if (throttle.isNotified || until - transition.ctx.now <= HOUR_MS) return;
  updateState(transition, { throttle: { ...throttle, isNotified: true } });
  transition.notifications.push({ kind: "long_wait", until });
}

function notifyPhase(transition: Transition, phase: Phase): void {
  // Drivers who never linked, or unlinked themselves, already know.
  if (phase.kind === "needs_link" && transition.state.link.status === "signed_out") {
    transition.notifications.push({ kind: "needs_link" });
  }
  if (phase.kind === "verification_required")
    transition.notifications.push({ kind: "verification_required" });
  if (phase.kind === "unreadable") transition.notifications.push({ kind: "unreadable" });
  if (phase.kind === "no_service") notifyOfEnd(transition, phase);
}
