import type { Attempt, Place } from "../../../db/shapes/log/attempt.ts";
import type { LogEvent } from "../../../db/shapes/log/driver-log.ts";
import type { LocalDate } from "../../../db/shapes/work/local-date.ts";
import type { ProposedGain } from "../../../db/shapes/log/passed-over.ts";
import type { WeekFigures } from "../../../db/shapes/work/week.ts";
import type { ShiftNeed } from "../../../db/shapes/work/checks.ts";
import type { GivenBackBlock } from "../../../db/shapes/work/given-back.ts";
import type { Answer, Question, QuestionId } from "../../../db/shapes/work/question.ts";
import type { Block, Offer, Warehouse } from "../../../db/shapes/work/offer.ts";
import type { Phase } from "../../../db/shapes/work/phase.ts";
import type { GiveBackReminder } from "../../../db/shapes/notifications.ts";
import type { Announcement } from "../../../db/shapes/announcement.ts";
import type { DriverNews } from "../../../db/shapes/driver-news.ts";
import type { Profile, ServiceChange } from "../../../db/shapes/profile.ts";
import type {
  AttemptId,
  BlockId,
  Cents,
  DurationMs,
  EpochMs,
  OfferId,
  Span,
  WarehouseId,
} from "../../../db/shapes/units.ts";
import type {
  AcceptOutcome,
  BlocksOutcome,
  CheckInOutcome,
  PollOutcome,
  VerificationOutcome,
} from "./outcomes.ts";
import type { LearnedQuota, QuotaMemory } from "../quota/quota.ts";
import type { Verdict } from "../../../db/shapes/work/verdict.ts";

/**
 * How the object requests a list of offers that is too long for one response: `size` warehouses at a time. If the quota has no
 * room for all of them, `read` warehouses have been read since the first, in `length` characters, or with as many offers as
 * that stands for. Stored, because if the quota rarely has room for a call, the object leaves memory between two calls.
 */
export type ListParts = { size: number; read: number; length: number };

// ── The driver ───────────────────────────────────────────────────────────────────────────────

export type LinkState =
  | { status: "unlinked" }
  | { status: "linked" }
  /** The platform refused the tokens: the driver must link again. */
  | { status: "signed_out" };

/**
 * Waits that the platform asked for, and those after refusals that state none. Stored, so that neither a restart, nor
 * the switch, saved filters or another link clears it.
 */
export type Throttle = {
  /** 0 is no throttle; step n waits 30 s · 2^(n−1), at most 4 h. */
  step: number;
  /** The end of the wait, past or ahead; null once a poll was answered after it: the wait helped. */
  until: EpochMs | null;
  /** The latest refusal, or the latest step down. */
  since: EpochMs | null;
  /** Whether the driver was notified of a wait of over an hour since a poll was last answered. */
  isNotified: boolean;
};

/** Consecutive calls that got no usable response. The wait starts at 1 s and doubles up to 60 s. */
export type Backoff = { failures: number; retryAt: EpochMs | null };

/** How often this driver usually sees a new offer. Distinguishes a quiet hour from a soft block. */
export type OfferActivity = {
  lastNewAt: EpochMs | null;
  meanGapMs: DurationMs | null;
  suspectedAt: EpochMs | null;
};

/**
 * When the platform last told us something, and since when it tells us nothing that we understand. Stored, so that it is known
 * after a restart; the instants of what goes well only now and then, since an idle poll writes no row.
 */
export type Contact = {
  /** When it last answered a poll, or granted an offer. */
  answeredAt: EpochMs | null;
  /** When the held blocks were requested that were read last. */
  blocksReadAt: EpochMs | null;
  /** Since when most of what it lists as offers can't be read; null if it can. */
  offersUnreadableSince: EpochMs | null;
  /** Since when the held blocks can't be read; null if they can. */
  blocksUnreadableSince: EpochMs | null;
};

/** The platform refused an offer because it gives the driver no more blocks of a week that are so long. */
export type WeeklyLimit = {
  /** That week. */
  startsAt: EpochMs;
  endsAt: EpochMs;
  /** The shortest length that was refused: a shorter one is tried. */
  minutes: number;
  /** The latest refusal; null once a block was given back since, so that the platform is asked again. */
  refusedAt: EpochMs | null;
};

/** The warnings before the end of the paid time that are still to be sent. */
export type ExpiryWarnings = {
  /** The end that the thresholds count back from; null if there is none. */
  endsAt: EpochMs | null;
  thresholdsMs: readonly DurationMs[];
  /** Whether the driver was told that it ended. A clock that is set back, or a new link, brings the same end once more. */
  isEndTold: boolean;
  /** When a renewal before this end will be charged, as the driver was told; null if none was announced. */
  renewalAt: EpochMs | null;
};

/** A reminder that was sent: the block, and the start that it counted back from. */
export type GiveBackReminded = { blockId: BlockId; startsAt: EpochMs; reminder: GiveBackReminder };

/**
 * Everything that the engine needs to decide. The fields before `transient` are stored, each under its own key,
 * and keep their reference if nothing changed. An idle poll changes only `transient`, so it writes no row.
 */
export type DriverState = {
  profile: Profile | null;
  link: LinkState;
  /** The platform's task for the driver, and its start; `since` starts anew when they come back to the page. */
  verification: { url: string | null; since: EpochMs } | null;
  warehouses: readonly Warehouse[];
  held: readonly Block[];
  /** Blocks that have not started and that the driver gave back. */
  givenBack: readonly GivenBackBlock[];
  /** The reminders of blocks ahead that were sent. */
  giveBackReminded: readonly GiveBackReminded[];
  weeklyLimit: readonly WeeklyLimit[];
  contact: Contact;
  throttle: Throttle;
  backoff: Backoff;
  /** Until when the platform's quota is used up. Stored, so that neither an eviction nor saved filters forget it. */
  quotaWaitUntil: EpochMs | null;
  /** Our knowledge of the platform's quota; null until a window of it is known. */
  quotaMemory: QuotaMemory | null;
  /** Null while the list of offers fits into one answer. */
  listParts: ListParts | null;
  offerActivity: OfferActivity;
  expiryWarnings: ExpiryWarnings;
  /** Sources of the latest service changes that the driver was notified of, so that none is sent twice. */
  seenServiceChanges: readonly string[];
  /** Random and fixed for the object's life: attempt ids are `<keyPrefix>-<attemptSeq>`. */
  keyPrefix: string;
  attemptSeq: number;
  /** Verdicts on offers that are listed or have not expired. */
  verdicts: ReadonlyMap<OfferId, Verdict>;
  /** Matches for which nothing was tried or asked yet, as during a wait. Stored, so that the log can say of each if it goes. */
  untried: readonly OfferId[];
  /** Attempts whose outcome is pending or unknown. */
  openAttempts: ReadonlyMap<AttemptId, Attempt>;
  /** Lost attempts that may have had an effect all the same, until a listing of the blocks shows that they had none. */
  doubtedAttempts: ReadonlyMap<AttemptId, Attempt>;
  /**
   * Questions to the driver about offers: the open ones, and the latest that have ended. In the order in which they
   * were asked.
   */
  questions: readonly Question[];
  questionSeq: number;
  /** The instant of the last message that no more questions come for a while. */
  questionLimitToldAt: EpochMs | null;
  /** The phase that was last logged. */
  phase: Phase;
  transient: TransientState;
};

/** Whether most of a list of offers can be read; `unknown` before the first. */
export type ListReadability = "readable" | "unreadable" | "empty" | "unknown";

/** The part of the state that is not stored: losing it on a restart costs a few calls at most. */
export type TransientState = {
  etag: string | null;
  quota: LearnedQuota | null;
  /** When what was stored of the quota came back into memory; null if nothing was. */
  quotaRecalledAt: EpochMs | null;
  lastPollAt: EpochMs | null;
  /** The start of the interval to the next poll. */
  pacedFrom: EpochMs | null;
  /** Our own polls of the last windows, oldest first. */
  polls: readonly EpochMs[];
  /** The roll of the wait after the latest poll, drawn once: asking again for the next wake-up must not bias it. */
  pollRoll: number;
  /** How many calls the latest poll took: more than one where the list is too long for one. */
  pollCalls: number;
  /** Calls that were sent and not answered yet, and when each was sent. */
  inFlight: ReadonlyMap<CallKey, EpochMs>;
  /**
   * The filters version that the latest poll was sent with: its ETag is valid only for that selection of warehouses. Null
   * before the first, and once the warehouses are others.
   */
  polledFiltersVersion: number | null;
  /** When the held blocks were requested that were read last. */
  heldFetchedAt: EpochMs | null;
  /** From when on the blocks were requested that are being read, and those that were read last; null before. */
  heldAskedFrom: EpochMs | null;
  heldReadFrom: EpochMs | null;
  /** Consecutive failed reads of the blocks. */
  heldBackoff: Backoff;
  /**
   * Offers that the platform refused because they overlap a block that we don't know of, and when. Nothing of their
   * spans is tried until the blocks have been read.
   */
  overlapRefusals: readonly { offer: Offer; at: EpochMs }[];
  /** When each block was won, by our clock, as long as a listing may miss it. */
  wonAt: ReadonlyMap<BlockId, EpochMs>;
  /** When each block was checked in to, by our clock, as long as a listing may not show it yet. */
  arrivedAt: ReadonlyMap<BlockId, EpochMs>;
  /** Spans of held blocks of which nothing else could be read. */
  unreadableHeld: readonly Span[];
  /** When most of a list of offers was last found unreadable. */
  offersUnreadableAt: EpochMs | null;
  /** The kind of the last list of offers: one that is unchanged since is the same. */
  listReadability: ListReadability;
  /** Since when the platform required a verification that it then denied, and when it denied it. */
  verificationDenied: { since: EpochMs; at: EpochMs } | null;
  /** When we last asked the platform whether the driver has verified themselves. */
  verificationCheckedAt: EpochMs | null;
  /** When the platform last answered a poll. */
  lastPollAnsweredAt: EpochMs | null;
  /** The offers in the latest listing, the only ones that may be accepted. */
  openOfferIds: readonly OfferId[];
  /**
   * Listed offers whose attempt has ended. Not tried again until they are delisted, their pay changes or the filters
   * are saved.
   */
  triedOffers: ReadonlySet<OfferId>;
};

/** The identity of a call in flight: at most one of each kind, and of each attempt. */
export type CallKey = "poll" | "read_blocks" | "check_verification" | AttemptId;

// ── The machine ──────────────────────────────────────────────────────────────────────────────

export type MachineEvent =
  /** The alarm fired. */
  | { kind: "woke" }
  | { kind: "profile_changed"; profile: Profile }
  | { kind: "service_changed"; serviceChanges: readonly ServiceChange[] }
  | { kind: "news_arrived"; news: readonly DriverNews[] }
  | { kind: "announced"; announcement: Announcement }
  | { kind: "linked"; warehouses: readonly Warehouse[] }
  | { kind: "unlinked" }
  /** The driver's warehouses were read again. Not complete if some of them were malformed. */
  | { kind: "warehouses_read"; warehouses: readonly Warehouse[]; isComplete: boolean }
  | { kind: "verification_checked"; outcome: VerificationOutcome }
  /** The driver looks at a page of ours again, perhaps straight from the platform's. */
  | { kind: "driver_returned" }
  /** The platform rate-limited a call that is not one of the engine's own. */
  | { kind: "rate_limited"; retryAt: EpochMs | null }
  /** The platform stated a wait in a failed response to such a call. */
  | { kind: "wait_stated"; retryAt: EpochMs }
  /** `partsSentAt`: the further calls of a poll whose list was too long for one; `parts`: what the next poll asks for. */
  | {
      kind: "polled";
      sentAt: EpochMs;
      partsSentAt?: readonly EpochMs[];
      parts?: ListParts | null;
      outcome: PollOutcome;
    }
  | { kind: "blocks_read"; outcome: BlocksOutcome }
  /** The driver is about to check in and needs the block for it. */
  | { kind: "arriving" }
  /** The driver says whether they want an offer. */
  | { kind: "question_answered"; questionId: QuestionId; answer: Answer }
  /** The driver wants a block that they gave back, should it be offered again. */
  | { kind: "take_again"; blockId: BlockId }
  | { kind: "check_in_answered"; blockId: BlockId; outcome: CheckInOutcome }
  | { kind: "accepted"; attemptId: AttemptId; outcome: AcceptOutcome };

/** Something to notify the driver of once, by text or push. */
export type DriverNotification =
  | { kind: "captured"; block: Block; place: Place | null }
  /** The platform lists a block of this span, but not from which offer it came. */
  | { kind: "probably_captured"; offer: Offer; place: Place | null }
  /** Does the driver want this offer? */
  | { kind: "asked"; question: Question }
  /** An offer that fits a rule which asks, and the first of those that are only told of until then. */
  | { kind: "questions_limited"; offer: Offer; place: Place | null; until: EpochMs }
  /** Offers that fit a rule which only tells: the first, and how many there are. */
  | { kind: "offers_told"; offer: Offer; place: Place | null; count: number }
  /** Most of what the platform lists can't be read. */
  | { kind: "unreadable" }
  | { kind: "needs_link" }
  | { kind: "verification_required" }
  | { kind: "no_service"; waitingForSpot: boolean }
  | { kind: "service_ending"; endsAt: EpochMs; remainingMs: DurationMs }
  /** `until` is the present end of the paid time; null if none is left. */
  | { kind: "news"; news: Omit<DriverNews, "source"> }
  | { kind: "announcement"; announcement: Announcement }
  | { kind: "service_changed"; change: ServiceChange; until: EpochMs | null }
  /** The week is full; we ask again at `until`. */
  | { kind: "weekly_limit"; until: EpochMs }
  | { kind: "silence_suspected" }
  /** A held block can be given back until `until`; how many other offers at that time are known to fit. */
  | { kind: "give_back_ahead"; block: Block; reminder: GiveBackReminder; until: EpochMs; others: number }
  /**
   * The driver's week is nearly over; `beforeCents`: what was worked for in the week before. `best`: the change of the
   * filters that would have brought most.
   */
  | {
      kind: "week";
      monday: LocalDate;
      figures: WeekFigures;
      beforeCents: Cents;
      currency: string;
      best: ProposedGain | null;
    }
  /** Service was given back for a day on which the system could not work for so long. */
  | { kind: "lost_day"; date: LocalDate; lostMs: DurationMs; givenMs: DurationMs }
  /** The driver's hours begin soon and need them first: for this, and for so many things more. */
  | { kind: "before_shift"; startsAt: EpochMs; timeZone: string; need: ShiftNeed; more: number }
  /** The platform makes us wait for over an hour: it said so, or its quota is used up. */
  | { kind: "long_wait"; until: EpochMs };

export type Effect =
  /** At most `maxCalls` calls, as many as the quota has room for, should the list be too long for one. */
  | {
      kind: "poll";
      warehouseIds: readonly WarehouseId[];
      etag: string | null;
      maxCalls: number;
      parts: ListParts | null;
    }
  /** Fetch the driver's blocks that start in [from, to). */
  | { kind: "read_blocks"; from: EpochMs; to: EpochMs }
  /** Ask the platform whether the driver must still verify themselves. */
  | { kind: "check_verification" }
  /** New attempts (four at most) or repeats, sent concurrently. Each results in its own `accepted` event. */
  | { kind: "accept"; attempts: readonly Attempt[] }
  | { kind: "log"; events: readonly LogEvent[] }
  | { kind: "notify"; notifications: readonly DriverNotification[] };

/** An effect that is a call to the platform. Its outcome comes back as an event. */
export type PlatformCall = Exclude<Effect, { kind: "log" | "notify" }>;

/** The operator's settings that concern the engine. */
export type EngineSettings = {
  pollFloorMs: DurationMs;
  offerHorizonMs: DurationMs;
  /** How long before its start the platform last takes a block back without a mark. */
  giveBackMs: DurationMs;
  /** ISO 4217: the currency of the amounts in the drivers' filters. */
  currency: string;
};

/** A step's inputs from outside. Time and randomness are passed in so that the engine stays pure; `roll` is in [0, 1). */
export type StepContext = { now: EpochMs; roll: number; settings: EngineSettings };

export type StepResult = { state: DriverState; effects: readonly Effect[] };
