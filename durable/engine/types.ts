import type { Attempt } from "../../db/shapes/attempt.ts";
import type { LogEvent } from "../../db/shapes/driver-log.ts";
import type { Block, Offer, Warehouse } from "../../db/shapes/offer.ts";
import type { Phase } from "../../db/shapes/phase.ts";
import type { Profile, ServiceChange } from "../../db/shapes/profile.ts";
import type { AttemptId, BlockId, DurationMs, EpochMs, OfferId, WarehouseId } from "../../db/shapes/units.ts";
import type { Verdict } from "../../db/shapes/verdict.ts";

/** What `RateLimit-*` leaves: `remaining` calls until `resetAt`. */
export type Quota = { limit: number; remaining: number; resetAt: EpochMs };

// ── What comes back from the platform ────────────────────────────────────────────────────────

/** A call that did not answer the question; every platform operation can end so. */
export type PlatformFailure =
  | { kind: "rate_limited"; retryAt: EpochMs | null }
  | { kind: "signed_out" }
  | { kind: "verification_required"; url: string | null }
  /** 5xx, refused connection. */
  | { kind: "unreachable" }
  | { kind: "timeout" }
  | { kind: "unreadable" }
  /** A 4xx that nothing here knows. */
  | { kind: "refused"; status: number };

export type PollOutcome =
  | { kind: "offers"; offers: readonly Offer[]; quota: Quota | null; etag: string | null }
  | { kind: "unchanged"; quota: Quota | null }
  | PlatformFailure;

export type AcceptOutcome =
  | { kind: "won"; block: Block }
  | { kind: "already_yours"; block: Block | null }
  | { kind: "lost"; reason: "offer_gone" | "overlap" | "weekly_limit" | "pay_changed" }
  | PlatformFailure;

/** Of saying that the driver has arrived; a figure is null where the platform does not say. */
export type CheckInOutcome =
  | { kind: "checked_in"; block: Block }
  | { kind: "outside_geofence"; distanceMeters: number | null }
  | { kind: "too_early"; opensAt: EpochMs | null }
  | { kind: "too_late" }
  | { kind: "already_checked_in" }
  | { kind: "block_not_found" }
  | PlatformFailure;

/** Of asking whether the platform still wants to see the driver in person. */
export type VerificationOutcome = { kind: "verification"; required: boolean } | PlatformFailure;

export type BlocksOutcome = { kind: "blocks"; blocks: readonly Block[] } | PlatformFailure;

// ── The driver ───────────────────────────────────────────────────────────────────────────────

export type LinkState =
  | { status: "unlinked" }
  | { status: "linked" }
  /** The platform refused the tokens: the driver must link again. */
  | { status: "signed_out" };

/** The waiting ladder for refusals by rate. Stored: no restart, switch or saved filter clears it. */
export type Throttle = {
  /** 0 is clean; step n waits 30 s · 2^(n−1), at most 4 h. */
  step: number;
  until: EpochMs | null;
  /** The latest refusal, or the latest step down. */
  since: EpochMs | null;
};

/** Failures to reach or to read, in a row: 1 s doubling to 60 s. */
export type Backoff = { failures: number; retryAt: EpochMs | null };

/** How often this driver usually sees a new offer; tells a quiet hour from a silent block. */
export type OfferActivity = {
  lastNewAt: EpochMs | null;
  meanGapMs: DurationMs | null;
  suspectedAt: EpochMs | null;
};

/** Of which thresholds before the end of the paid time the driver is still to be told, each once. */
export type ExpiryWarnings = {
  /** The end that the thresholds count back from; null where there is none. */
  endsAt: EpochMs | null;
  thresholdsMs: readonly DurationMs[];
};

/**
 * All that is needed to decide. The fields above `memory` are stored, each under its own key, and
 * keep their reference where nothing changed; an idle poll changes `memory` alone, so it writes
 * no row.
 */
export type DriverState = {
  profile: Profile | null;
  link: LinkState;
  verification: { url: string | null } | null;
  warehouses: readonly Warehouse[];
  held: readonly Block[];
  throttle: Throttle;
  backoff: Backoff;
  offerActivity: OfferActivity;
  expiryWarnings: ExpiryWarnings;
  /** Sources of the latest news that the driver was told of: none is told twice. */
  seenServiceChanges: readonly string[];
  /** Random, fixed when the object is made: attempt ids are `<keyPrefix>-<attemptSeq>`. */
  keyPrefix: string;
  attemptSeq: number;
  /** Verdicts on offers that have not expired, by offer. */
  verdicts: ReadonlyMap<OfferId, Verdict>;
  /** Attempts whose outcome is pending or unknown, by id. */
  openAttempts: ReadonlyMap<AttemptId, Attempt>;
  /** The phase that was last told to the driver. */
  phase: Phase;
  transient: TransientState;
};

/** What a restart may forget. */
export type TransientState = {
  etag: string | null;
  quota: Quota | null;
  /** How long the quota's window is, as far as it was seen. */
  quotaWindowMs: DurationMs | null;
  lastPollAt: EpochMs | null;
  /** The version of the rules when the latest poll went out: an ETag answers that selection only. */
  polledFiltersVersion: number | null;
  /** When an attempt last stayed unknown or was repeated; after a restart, when one was first found. */
  lastUnknownAt: EpochMs | null;
  heldFetchedAt: EpochMs | null;
  /** When the platform was last asked whether the driver has verified themselves. */
  verificationCheckedAt: EpochMs | null;
  /** When the platform last answered a poll. */
  lastPollAnsweredAt: EpochMs | null;
  /** Offers seen open in the latest answer: the only ones that can be taken. */
  openOfferIds: readonly OfferId[];
  /** Offers for which an attempt ended in this listing; not tried again until their pay changes. */
  triedOffers: ReadonlySet<OfferId>;
};

// ── The machine ──────────────────────────────────────────────────────────────────────────────

export type MachineEvent =
  /** The alarm rang. */
  | { kind: "woke" }
  | { kind: "profile_changed"; profile: Profile }
  | { kind: "service_changed"; serviceChanges: readonly ServiceChange[] }
  | { kind: "linked"; warehouses: readonly Warehouse[] }
  | { kind: "unlinked" }
  | { kind: "verification_checked"; outcome: VerificationOutcome }
  /** The platform asked a call outside the capture to wait. */
  | { kind: "rate_limited"; retryAt: EpochMs | null }
  | { kind: "polled"; sentAt: EpochMs; outcome: PollOutcome }
  | { kind: "blocks_read"; outcome: BlocksOutcome }
  /** The driver asks where to arrive. */
  | { kind: "arriving" }
  | { kind: "check_in_answered"; blockId: BlockId; outcome: CheckInOutcome }
  | { kind: "accepted"; attemptId: AttemptId; outcome: AcceptOutcome };

/** What the driver must be told of once, by text or notification. */
export type DriverNotification =
  | { kind: "captured"; block: Block }
  | { kind: "needs_link" }
  | { kind: "verification_required" }
  | { kind: "no_service"; waitingForSpot: boolean }
  | { kind: "service_ending"; endsAt: EpochMs; remainingMs: DurationMs }
  /** `until` is the end of the paid time as it is now; null where none is left. */
  | { kind: "service_changed"; change: ServiceChange["kind"]; until: EpochMs | null }
  | { kind: "silence_suspected" };

export type Effect =
  | { kind: "poll"; warehouseIds: readonly WarehouseId[]; etag: string | null }
  /** Read the driver's blocks that start within the span. */
  | { kind: "read_blocks"; from: EpochMs; to: EpochMs }
  /** Ask whether the platform still wants to see the driver in person. */
  | { kind: "check_verification" }
  /** At once, at most four; each answers with its own `accepted`. */
  | { kind: "accept"; attempts: readonly Attempt[] }
  | { kind: "log"; events: readonly LogEvent[] }
  | { kind: "notify"; notifications: readonly DriverNotification[] };

/** An effect that is a call to the platform: each answer to it is an event. */
export type PlatformCall = Exclude<Effect, { kind: "log" | "notify" }>;

/** The engine's settings, from the operator's. */
export type EngineSettings = { pollFloorMs: DurationMs; offerHorizonMs: DurationMs };

/** Time and chance are arguments; `roll` is in [0, 1). */
export type StepContext = { now: EpochMs; roll: number; settings: EngineSettings };

export type StepResult = { state: DriverState; effects: readonly Effect[] };
