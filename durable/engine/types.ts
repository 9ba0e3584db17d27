import * as z from "zod/mini";
import type { Filters, Mode, ServiceType, SpecialMode } from "./rules.ts";
import { serviceType } from "./rules.ts";
import {
  attemptId,
  blockId,
  cents,
  epochMs,
  minuteOfDay,
  offerId,
  warehouseId,
  type AttemptId,
  type BlockId,
  type Cents,
  type DurationMs,
  type EpochMs,
  type OfferId,
  type Span,
  type WarehouseId,
} from "./units.ts";

// ── What the platform shows ──────────────────────────────────────────────────────────────────

/** An offer as the engine sees it. Pay is for the whole block, tips left out. */
export const offer = z.object({
  offerId,
  warehouseId,
  serviceType,
  startsAt: epochMs,
  endsAt: epochMs,
  payCents: cents,
  currency: z.string(),
  surge: z.boolean(),
  expiresAt: epochMs,
});
export type Offer = z.infer<typeof offer>;

/** A block that the driver holds, or held: taken by Jornada or by hand. */
export const block = z.object({
  blockId,
  offerId,
  warehouseId,
  serviceType,
  startsAt: epochMs,
  endsAt: epochMs,
  payCents: cents,
  currency: z.string(),
  status: z.enum(["scheduled", "checked_in", "completed", "forfeited"]),
  acceptedAt: epochMs,
  checkedInAt: z.nullable(epochMs),
});
export type Block = z.infer<typeof block>;

export const warehouse = z.object({
  warehouseId,
  /** Null for a warehouse that the platform leaves unnamed. */
  name: z.nullable(z.string()),
  address: z.nullable(z.string()),
  serviceType,
  timeZone: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  geofenceMeters: z.number(),
});
export type Warehouse = z.infer<typeof warehouse>;

/** What `RateLimit-*` leaves: `remaining` calls until `resetAt`. */
export type Quota = { limit: number; remaining: number; resetAt: EpochMs };

// ── Verdicts ─────────────────────────────────────────────────────────────────────────────────

const span = z.object({ startsAt: epochMs, endsAt: epochMs });
const minutes = z.int();
const weekday = z.int().check(z.minimum(1), z.maximum(7));

/**
 * Why an offer was passed over: the rule's figure beside the offer's. Weekdays are ISO (1 is
 * Monday) and times of day minutes since midnight, both in the warehouse's zone.
 */
export const reason = z.discriminatedUnion("code", [
  /** The instant of judging, and the offer's own end. */
  z.object({ code: z.literal("expired"), rule: epochMs, offer: epochMs }),
  z.object({ code: z.literal("warehouse_not_selected"), rule: z.array(warehouseId), offer: warehouseId }),
  z.object({ code: z.literal("service_type"), rule: serviceType, offer: serviceType }),
  z.object({ code: z.literal("day_off"), rule: z.array(weekday), offer: weekday }),
  z.object({
    code: z.literal("outside_schedule"),
    rule: z.object({ start: minuteOfDay, end: minuteOfDay }),
    offer: minuteOfDay,
  }),
  /** Minutes ahead: asked for, and left (rounded down; negative where it has begun). */
  z.object({ code: z.literal("too_soon"), rule: minutes, offer: minutes }),
  /** Minutes: the lengths wanted, and the offer's own. */
  z.object({ code: z.literal("duration_not_preferred"), rule: z.array(minutes), offer: minutes }),
  z.object({ code: z.literal("price_below_minimum"), rule: cents, offer: cents }),
  /** Cents an hour: the greater minimum, and the offer's, rounded down for display only. */
  z.object({ code: z.literal("rate_below_minimum"), rule: cents, offer: cents }),
  z.object({ code: z.literal("overlaps_block"), rule: span, offer: span }),
]);
export type Reason = z.infer<typeof reason>;
export type ReasonCode = Reason["code"];

/** A match where `reasons` is empty; else all that speaks against it, the deciding one first. */
export type Verdict = {
  offer: Offer;
  reasons: readonly Reason[];
  /** The version of the rules under which it was judged. */
  filtersVersion: number;
  judgedAt: EpochMs;
  firstSeenAt: EpochMs;
};

// ── Attempts ─────────────────────────────────────────────────────────────────────────────────

/**
 * Why an attempt did not win: the platform's word, or `withdrawn` where the driver's switch,
 * rules or service changed before the call went out, or `refused` for a code not known here.
 */
export const lostReason = z.enum([
  "offer_gone",
  "overlap",
  "weekly_limit",
  "pay_changed",
  "withdrawn",
  "rate_limited",
  "signed_out",
  "verification_required",
  "refused",
]);
export type LostReason = z.infer<typeof lostReason>;

export const attempt = z.object({
  attemptId,
  offer,
  /** What the driver's rules ask at least; the platform answers `pay_changed` below it. */
  payAtLeastCents: cents,
  createdAt: epochMs,
  settledAt: z.nullable(epochMs),
  outcome: z.discriminatedUnion("status", [
    z.object({ status: z.literal("pending") }),
    z.object({ status: z.literal("unknown"), tries: z.int() }),
    z.object({ status: z.literal("won"), block }),
    z.object({ status: z.literal("lost"), reason: lostReason }),
  ]),
});
export type Attempt = z.infer<typeof attempt>;

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

export type BlocksOutcome = { kind: "blocks"; blocks: readonly Block[] } | PlatformFailure;

// ── The driver ───────────────────────────────────────────────────────────────────────────────

/** What D1 says of a driver. The object holds a copy and takes only a higher `revision`. */
export type Profile = {
  revision: number;
  switchedOn: boolean;
  mode: Mode;
  specialMode: SpecialMode | null;
  filters: Filters;
  filtersVersion: number;
  /** The end of the paid time; null where none was ever bought. */
  serviceUntil: EpochMs | null;
  /** In line for a spot in the city: may not capture. */
  waitingForSpot: boolean;
};

export type Link =
  | { status: "unlinked" }
  | { status: "linked" }
  /** The platform refused the tokens: the driver must link again. */
  | { status: "signed_out" };

/** What the driver sees the system do. */
export const phase = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("off") }),
  z.object({ kind: z.literal("asleep"), until: z.nullable(epochMs) }),
  z.object({ kind: z.literal("polling") }),
  z.object({ kind: z.literal("throttled"), until: epochMs }),
  z.object({ kind: z.literal("unreachable"), retryAt: epochMs }),
  z.object({ kind: z.literal("needs_link") }),
  z.object({ kind: z.literal("verification_required"), url: z.nullable(z.string()) }),
  z.object({ kind: z.literal("no_service"), waitingForSpot: z.boolean() }),
]);
export type Phase = z.infer<typeof phase>;

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
export type Sightings = {
  lastNewAt: EpochMs | null;
  meanGapMs: DurationMs | null;
  suspectedAt: EpochMs | null;
};

/** Of which thresholds before the end of the paid time the driver is still to be told, each once. */
export type EndWarnings = {
  /** The end that the thresholds count back from; null where there is none. */
  endsAt: EpochMs | null;
  leftMs: readonly DurationMs[];
};

/** What happened to a driver's money that changed their service; `source` names it once and for all. */
export const serviceNews = z.object({ source: z.string(), kind: z.enum(["paid", "refunded", "disputed"]) });
export type ServiceNews = z.infer<typeof serviceNews>;

/**
 * All that is needed to decide. The fields above `memory` are stored, each under its own key, and
 * keep their reference where nothing changed; an idle poll changes `memory` alone, so it writes
 * no row.
 */
export type DriverState = {
  profile: Profile | null;
  link: Link;
  verification: { url: string | null } | null;
  warehouses: readonly Warehouse[];
  held: readonly Block[];
  throttle: Throttle;
  backoff: Backoff;
  sightings: Sightings;
  endWarnings: EndWarnings;
  /** Sources of the latest news that the driver was told of: none is told twice. */
  heardNews: readonly string[];
  /** Random, fixed when the object is made: attempt ids are `<keyPrefix>-<attemptSeq>`. */
  keyPrefix: string;
  attemptSeq: number;
  /** Verdicts on offers that have not expired, by offer. */
  verdicts: ReadonlyMap<OfferId, Verdict>;
  /** Attempts whose outcome is pending or unknown, by id. */
  openAttempts: ReadonlyMap<AttemptId, Attempt>;
  /** The phase that was last told to the driver. */
  phase: Phase;
  memory: Memory;
};

/** What a restart may forget. */
export type Memory = {
  etag: string | null;
  quota: Quota | null;
  /** How long the quota's window is, as far as it was seen. */
  quotaWindowMs: DurationMs | null;
  lastPollAt: EpochMs | null;
  /** The version of the rules when the latest poll went out: an ETag answers that selection only. */
  polledVersion: number | null;
  /** When an attempt last stayed unknown or was repeated; after a restart, when one was first found. */
  triedAt: EpochMs | null;
  heldReadAt: EpochMs | null;
  /** When the platform last answered a poll. */
  answeredAt: EpochMs | null;
  /** Offers seen open in the latest answer: the only ones that can be taken. */
  open: readonly OfferId[];
  /** Offers for which an attempt ended in this listing; not tried again until their pay changes. */
  spent: ReadonlySet<OfferId>;
};

// ── The machine ──────────────────────────────────────────────────────────────────────────────

export type MachineEvent =
  /** The alarm, or a poke by the watchdog. */
  | { kind: "woke" }
  | { kind: "profile_changed"; profile: Profile }
  | { kind: "news_arrived"; news: readonly ServiceNews[] }
  | { kind: "linked"; warehouses: readonly Warehouse[] }
  | { kind: "unlinked" }
  | { kind: "warehouses_read"; warehouses: readonly Warehouse[] }
  /** The driver did what the platform asked for, as the platform says. */
  | { kind: "verification_cleared" }
  | { kind: "polled"; sentAt: EpochMs; outcome: PollOutcome }
  | { kind: "blocks_read"; outcome: BlocksOutcome }
  /** The driver asks where to arrive. */
  | { kind: "arriving" }
  | { kind: "check_in_answered"; blockId: BlockId; outcome: CheckInOutcome }
  | { kind: "accepted"; attemptId: AttemptId; outcome: AcceptOutcome };

/** What the driver must be told of once, by text or notification. */
export type Notice =
  | { kind: "captured"; block: Block }
  | { kind: "needs_link" }
  | { kind: "verification_required" }
  | { kind: "no_service"; waitingForSpot: boolean }
  | { kind: "service_ending"; endsAt: EpochMs; leftMs: DurationMs }
  /** `until` is the end of the paid time as it is now; null where none is left. */
  | { kind: "service_changed"; change: ServiceNews["kind"]; until: EpochMs | null }
  | { kind: "silence_suspected" };

/** One line of the event log; the object adds `seq`. */
export const logEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("phase_changed"), at: epochMs, phase }),
  z.object({
    kind: z.literal("offer_judged"),
    at: epochMs,
    offer,
    reasons: z.array(reason),
    filtersVersion: z.int(),
  }),
  z.object({ kind: z.literal("attempt_started"), at: epochMs, attempt }),
  z.object({ kind: z.literal("attempt_settled"), at: epochMs, attempt }),
  z.object({ kind: z.literal("silence_suspected"), at: epochMs, lastNewAt: epochMs }),
  /** The paid time ends soon: told a day and an hour before. */
  z.object({ kind: z.literal("service_ending"), at: epochMs, endsAt: epochMs }),
]);
export type LogEvent = z.infer<typeof logEvent>;

export type Effect =
  | { kind: "poll"; warehouseIds: readonly WarehouseId[]; etag: string | null }
  /** Read the driver's blocks that start within the span. */
  | { kind: "read_blocks"; from: EpochMs; to: EpochMs }
  /** At once, at most four; each answers with its own `accepted`. */
  | { kind: "accept"; attempts: readonly Attempt[] }
  | { kind: "log"; events: readonly LogEvent[] }
  | { kind: "notify"; notices: readonly Notice[] };

/** The engine's settings, from the operator's. */
export type EngineSettings = { pollFloorMs: DurationMs; offerHorizonMs: DurationMs };

/** Time and chance are arguments; `roll` is in [0, 1). */
export type StepContext = { now: EpochMs; roll: number; settings: EngineSettings };

export type Step = { state: DriverState; effects: readonly Effect[] };

export type { Cents, Filters, Mode, ServiceType, Span, SpecialMode };
