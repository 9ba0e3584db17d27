import { CLEAN_THROTTLE, NO_BACKOFF } from "./state/cadence.ts";
import { LONG_AGO } from "./attempts/held-blocks.ts";
import type { Attempt } from "../../db/shapes/log/attempt.ts";
import type { Contact, DriverState, TransientState } from "./state/types.ts";

/** Nothing is known yet, or nothing any more. */
export const INITIAL_TRANSIENT_STATE: TransientState = {
  etag: null,
  quota: null,
  quotaRecalledAt: null,
  lastPollAt: null,
  pacedFrom: null,
  polls: [],
  pollRoll: 0.5,
  pollCalls: 1,
  inFlight: new Map(),
  polledFiltersVersion: null,
  heldFetchedAt: null,
  heldAskedFrom: null,
  heldReadFrom: null,
  heldBackoff: NO_BACKOFF,
  overlapRefusals: [],
  wonAt: new Map(),
  arrivedAt: new Map(),
  unreadableHeld: [],
  offersUnreadableAt: null,
  listReadability: "unknown",
  verificationDenied: null,
  verificationCheckedAt: null,
  lastPollAnsweredAt: null,
  openOfferIds: [],
  triedOffers: new Set(),
};

/** The platform told us nothing yet. */
export const NO_CONTACT: Contact = {
  answeredAt: null,
  blocksReadAt: null,
  offersUnreadableSince: null,
  blocksUnreadableSince: null,
};

/** The state of a new driver. `keyPrefix` is random and starts the id of every attempt. */
export function initialState(keyPrefix: string): DriverState {
  return {
    profile: null,
    link: { status: "unlinked" },
    verification: null,
    warehouses: [],
    held: [],
    givenBack: [],
    giveBackReminded: [],
    weeklyLimit: [],
    contact: NO_CONTACT,
    throttle: CLEAN_THROTTLE,
    backoff: NO_BACKOFF,
    quotaWaitUntil: null,
    quotaMemory: null,
    listParts: null,
    offerActivity: { lastNewAt: null, meanGapMs: null, suspectedAt: null },
    expiryWarnings: { endsAt: null, thresholdsMs: [], isEndTold: false, renewalAt: null },
    seenServiceChanges: [],
    keyPrefix,
    attemptSeq: 0,
    verdicts: new Map(),
    untried: [],
    openAttempts: new Map(),
    doubtedAttempts: new Map(),
    questions: [],
    questionSeq: 0,
    questionLimitToldAt: null,
    phase: { kind: "off" },
    transient: INITIAL_TRANSIENT_STATE,
  };
}

/**
 * Restores the state after a restart: a pending attempt may or may not have reached the platform, so it is unknown. The held
 * blocks must be read again; if they can't be, they count as they were.
 */
export function recover(stored: DriverState): DriverState {
  const { blocksReadAt } = stored.contact;
  const state =
    blocksReadAt === null
      ? stored
      : { ...stored, transient: { ...stored.transient, heldFetchedAt: LONG_AGO } };
  const attempts = [...state.openAttempts.values()];
  if (!attempts.some(({ outcome }) => outcome.status === "pending")) return state;
  const openAttempts = attempts.map((attempt): Attempt => {
    return attempt.outcome.status === "pending"
      ? { ...attempt, outcome: { status: "unknown", tries: 1, triedAt: attempt.createdAt } }
      : attempt;
  });
  return { ...state, openAttempts: new Map(openAttempts.map((attempt) => [attempt.attemptId, attempt])) };
}
