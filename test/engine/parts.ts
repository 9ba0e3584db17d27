import * as z from "zod/mini";
import type { Attempt } from "../../db/shapes/log/attempt.ts";
import type { Offer } from "../../db/shapes/work/offer.ts";
import { attemptId, HOUR_MS, type EpochMs } from "../../db/shapes/units.ts";
import { beginTransition, type Transition } from "../../durable/engine/state/transition.ts";
import type { DriverState, TransientState } from "../../durable/engine/state/types.ts";
import { activeState, ctx, makeOffer, makeProfile, NOON } from "./fixtures.ts";

/** An attempt at an offer, which is pending unless told otherwise. */
export function makeAttempt(name: string, offer: Offer, fields: Partial<Attempt> = {}): Attempt {
  return {
    attemptId: z.parse(attemptId, `attempt-${name}`),
    offer,
    place: null,
    payAtLeastCents: offer.payCents,
    createdAt: NOON,
    endedAt: null,
    outcome: { status: "pending" },
    ...fields,
  };
}

/** The outcome of an attempt whose fate is unknown after so many tries. */
export const inDoubt = (tries: number, triedAt: EpochMs) => ({
  outcome: { status: "unknown" as const, tries, triedAt },
});

export const byId = (...attempts: Attempt[]) => new Map(attempts.map((one) => [one.attemptId, one]));

/** An active driver's state with these fields of its transient part. */
export function transientState(
  transient: Partial<TransientState>,
  fields: Partial<DriverState> = {},
): DriverState {
  const state = activeState(fields);
  return { ...state, transient: { ...state.transient, ...transient } };
}

/** The result of one part of the machine for a state. */
export function change(
  state: DriverState,
  part: (transition: Transition) => void,
  now: EpochMs = NOON,
): Transition {
  const transition = beginTransition(state, ctx(now));
  part(transition);
  return transition;
}

/** The throttle of a wait until then, after a refusal an hour ago. */
export const throttled = (until: EpochMs | null) => ({
  throttle: { step: 1, until, since: NOON - HOUR_MS, isNotified: false },
});

/** A driver in secure mode to whom an offer was just listed that matches. */
export function listed(
  fields: Partial<DriverState> = {},
  transient: Partial<TransientState> = {},
): DriverState {
  const offer = makeOffer("a");
  const verdict = { offer, reasons: [], filtersVersion: 1, judgedAt: NOON, firstSeenAt: NOON };
  return transientState(
    { openOfferIds: [offer.offerId], lastPollAnsweredAt: NOON, lastPollAt: NOON, ...transient },
    { profile: makeProfile({ mode: "secure" }), verdicts: new Map([[offer.offerId, verdict]]), ...fields },
  );
}
