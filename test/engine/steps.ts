import { step } from "../../durable/engine/machine.ts";
import type { AcceptOutcome } from "../../durable/engine/state/outcomes.ts";
import type { DriverState, MachineEvent, StepResult } from "../../durable/engine/state/types.ts";
import type { Attempt } from "../../db/shapes/log/attempt.ts";
import type { Block, Offer } from "../../db/shapes/work/offer.ts";
import { ctx, NOON } from "./fixtures.ts";

/** A listing of these offers. */
export const polled = (...offers: Offer[]): MachineEvent => ({
  kind: "polled",
  sentAt: NOON,
  outcome: { kind: "offers", offers, quota: null, etag: "e1" },
});
/** The driver's blocks, as the platform lists them. */
export const listed = (...blocks: Block[]): MachineEvent => ({
  kind: "blocks_read",
  outcome: { kind: "blocks", blocks },
});
/** A listing that is as before. */
export const UNCHANGED: MachineEvent = {
  kind: "polled",
  sentAt: NOON,
  outcome: { kind: "unchanged", quota: null },
};

/** The attempts of the accepts among the effects. */
export function attempts({ effects }: StepResult): Attempt[] {
  return effects.flatMap((effect) => (effect.kind === "accept" ? effect.attempts : []));
}

/** The state after this response to the first accept among the effects. */
export function answer(before: StepResult, outcome: AcceptOutcome, now = NOON + 100): StepResult {
  const [attempt] = attempts(before);
  if (!attempt) throw new Error("no attempt was started");
  return step(before.state, { kind: "accepted", attemptId: attempt.attemptId, outcome }, ctx(now));
}

/** The state after the alarm fires. */
export const wake = (state: DriverState, now = NOON) => step(state, { kind: "woke" }, ctx(now));

/** The state after an event. */
export const after = (state: DriverState, event: MachineEvent, now = NOON) => step(state, event, ctx(now));
