import * as z from "zod/mini";
import {
  upcastAttemptV0,
  upcastAttemptV1,
  upcastAttemptV2,
  upcastLogEventV0,
  upcastLogEventV1,
  upcastLogEventV3,
} from "../../../db/shapes/log/driver-log-upcasts.ts";
import { attempt } from "../../../db/shapes/log/attempt.ts";
import { localDate } from "../../../db/shapes/work/local-date.ts";
import { shiftCheck } from "../../../db/shapes/work/checks.ts";
import { calendarFeed } from "../../../db/shapes/work/calendar.ts";
import { capturedBlock, logEvent } from "../../../db/shapes/log/driver-log.ts";
import { storedListing } from "../../../db/shapes/log/listing.ts";
import { givenBackBlock } from "../../../db/shapes/work/given-back.ts";
import { fleetState } from "../../../db/shapes/fleet.ts";
import { giveBackReminder, NOTIFICATION_EVENTS, REMINDERS } from "../../../db/shapes/notifications.ts";
import { block, warehouse } from "../../../db/shapes/work/offer.ts";
import { phase } from "../../../db/shapes/work/phase.ts";
import { question, questionId } from "../../../db/shapes/work/question.ts";
import { driverOwner, profile } from "../../../db/shapes/profile.ts";
import { blockId, epochMs, offerId, warehouseId } from "../../../db/shapes/units.ts";
import { verdict } from "../../../db/shapes/work/verdict.ts";
import { readsAs } from "../../../db/shapes/tolerant.ts";
import { unchanged, type Versioned } from "../../../db/shapes/versioned.ts";
import type { DriverState } from "../../engine/state/types.ts";
import { heldNotification, textAbout, upcastTextAboutV1 } from "./text-about.ts";
import {
  upcastExpiryWarningsV0,
  upcastListPartsV1,
  upcastOutboxItemV0,
  upcastOutboxItemV2,
  upcastOutboxItemV3,
  upcastOutboxItemV4,
  upcastOwnerV0,
  upcastPushSubscriptionV1,
  upcastTextDayV1,
  upcastThrottleV1,
  upcastVerificationV1,
  upcastWeeklyLimitV1,
} from "./row-upcasts.ts";

const instant = z.nullable(epochMs);

/** Our knowledge of the platform's quota, and our own polls that it may still count. */
const quotaMemory = z.object({
  learned: z.object({
    quota: z.object({ limit: z.int(), remaining: z.int(), resetAt: epochMs }),
    longestResetMs: z.number(),
    isWindowKnown: z.boolean(),
    shortestTurnMs: z.nullable(z.number()),
    anchorAt: epochMs,
    windowFrom: epochMs,
    rolls: z.boolean(),
    othersPerWindow: z.number(),
    blockedUntil: epochMs,
  }),
  polls: z.array(epochMs),
});

/** A linking session in progress. The platform's session id is a secret, so it is sealed. */
const linkSession = z.object({
  sealedSessionId: z.string(),
  email: z.string(),
  /** `unclaimed`: the tokens are here, but the account isn't claimed yet. `approved`: a former release put them into use. */
  state: z.enum(["otp_required", "approval_required", "approved", "unclaimed"]),
  channel: z.nullable(z.enum(["sms", "email"])),
  destination: z.nullable(z.string()),
  expiresAt: epochMs,
  /** The tokens of an unclaimed session, sealed as in `objectFields`. */
  sealedTokens: z._default(z.nullable(z.string()), null),
});
export type LinkSession = z.infer<typeof linkSession>;

/** Earnings of one block. The start is null if neither the platform's list of blocks nor our log has the block. */
const earningItem = z.object({
  blockId: z.string(),
  /** The Monday of the week that the platform counts it in. */
  week: z.string(),
  startsAt: z.nullable(epochMs),
  cents: z.int(),
  tipsCents: z.int(),
});
export type EarningItem = z.infer<typeof earningItem>;

/** The platform's figures of two weeks, before they are grouped by day in the driver's time zone. */
const earnings = z.object({ currency: z.string(), asOf: epochMs, items: z.array(earningItem) });
export type StoredEarnings = z.infer<typeof earnings>;

/** The machine's stored fields, each a row of `state` under its own name. */
export const machineFields = {
  profile: { shape: z.nullable(profile), upcasts: [unchanged, unchanged] },
  link: {
    shape: z.object({ status: readsAs(z.enum(["unlinked", "linked", "signed_out"]), "signed_out") }),
    upcasts: [unchanged],
  },
  verification: {
    shape: z.nullable(z.object({ url: z.nullable(z.string()), since: epochMs })),
    upcasts: [unchanged, upcastVerificationV1],
  },
  warehouses: { shape: z.array(warehouse), upcasts: [unchanged, unchanged] },
  held: { shape: z.array(block), upcasts: [unchanged, unchanged, unchanged] },
  givenBack: { shape: z.array(givenBackBlock), upcasts: [unchanged, unchanged] },
  giveBackReminded: {
    shape: z.array(z.object({ blockId, startsAt: epochMs, reminder: giveBackReminder })),
    upcasts: [unchanged],
  },
  weeklyLimit: {
    shape: z.array(z.object({ startsAt: epochMs, endsAt: epochMs, minutes: z.int(), refusedAt: instant })),
    upcasts: [unchanged, upcastWeeklyLimitV1],
  },
  contact: {
    shape: z.object({
      answeredAt: instant,
      blocksReadAt: instant,
      offersUnreadableSince: instant,
      blocksUnreadableSince: instant,
    }),
    upcasts: [unchanged],
  },
  throttle: {
    shape: z.object({ step: z.int(), until: instant, since: instant, isNotified: z.boolean() }),
    upcasts: [unchanged, upcastThrottleV1],
  },
  quotaWaitUntil: { shape: instant, upcasts: [unchanged] },
  quotaMemory: { shape: z.nullable(quotaMemory), upcasts: [unchanged] },
  listParts: {
    shape: z.nullable(z.object({ size: z.int(), read: z.int(), length: z.int() })),
    upcasts: [unchanged, upcastListPartsV1],
  },
  backoff: { shape: z.object({ failures: z.int(), retryAt: instant }), upcasts: [unchanged] },
  offerActivity: {
    shape: z.object({ lastNewAt: instant, meanGapMs: z.nullable(z.number()), suspectedAt: instant }),
    upcasts: [unchanged],
  },
  expiryWarnings: {
    shape: z.object({
      endsAt: instant,
      thresholdsMs: z.array(z.int()),
      isEndTold: z._default(z.boolean(), false),
      renewalAt: z._default(instant, null),
    }),
    upcasts: [upcastExpiryWarningsV0],
  },
  seenServiceChanges: { shape: z.array(z.string()), upcasts: [unchanged] },
  keyPrefix: { shape: z.string(), upcasts: [unchanged] },
  attemptSeq: { shape: z.int(), upcasts: [unchanged] },
  untried: { shape: z.array(offerId), upcasts: [unchanged] },
  questions: { shape: z.array(question), upcasts: [unchanged] },
  questionSeq: { shape: z.int(), upcasts: [unchanged] },
  questionLimitToldAt: { shape: instant, upcasts: [unchanged] },
  phase: { shape: phase, upcasts: [unchanged, unchanged, unchanged] },
} as const satisfies { [Field in keyof DriverState]?: Versioned<DriverState[Field]> };

/** The other rows of `state`. */
export const objectFields = {
  owner: { shape: driverOwner, upcasts: [upcastOwnerV0] },
  linkSession: { shape: linkSession, upcasts: [unchanged] },
  /** The platform's tokens, sealed. The sealed text has its own version. */
  tokens: { shape: z.string(), upcasts: [unchanged] },
  earnings: { shape: earnings, upcasts: [unchanged] },
  /** The platform's own id of the driver that is linked. */
  platformAccount: { shape: z.string(), upcasts: [unchanged] },
  warehousesReadAt: { shape: epochMs, upcasts: [unchanged] },
  calendar: { shape: calendarFeed, upcasts: [unchanged] },
  /** The last start of hours that had its check. */
  shiftCheck: { shape: shiftCheck, upcasts: [unchanged] },
  /** The Monday of the last week whose figures were sent. */
  weekTold: { shape: localDate, upcasts: [unchanged] },
  /** When the last browser that listened was lost. */
  pushLostAt: { shape: epochMs, upcasts: [unchanged] },
  /** The offers of the last listing whose changes are stored. */
  listedOffers: { shape: z.array(offerId), upcasts: [unchanged] },
  /** The end of what was added to the city's figures, and the weeks of warehouses in which the driver was counted. */
  cityShares: {
    shape: z.object({ countedTo: epochMs, counted: z.array(z.object({ week: z.int(), warehouseId })) }),
    upcasts: [unchanged],
  },
  /** The texts since the last evening. */
  textDay: {
    shape: z.object({ endsAt: epochMs, sent: z.int(), held: z.int(), urgent: z.int() }),
    upcasts: [unchanged, upcastTextDayV1],
  },
  /** When each kind of notification was last sent, as long as it must not be sent again. */
  told: { shape: z.record(z.string(), epochMs), upcasts: [unchanged] },
  /** The fleet's counts since an instant that were not sent yet, by the hour. */
  fleetCounts: {
    shape: z.object({
      from: epochMs,
      hours: z.array(z.object({ hour: z.int(), counts: z.record(z.string(), z.int()) })),
    }),
    upcasts: [unchanged],
  },
  /**
   * Time in which the system could not work, by the driver's date, and up to when it is counted; `wakesAt`: the end of
   * a sleep.
   */
  lostTime: {
    shape: z.object({ countedTo: epochMs, wakesAt: instant, days: z.record(z.string(), z.int()) }),
    upcasts: [unchanged],
  },
  /** Days for which service was given back, of which the driver was not told yet. */
  returnedDays: {
    shape: z.array(z.object({ date: localDate, lostMs: z.int(), givenMs: z.int() })),
    upcasts: [unchanged],
  },
  /** When the object last did what it does at intervals, as far as its memory knew. */
  intervals: {
    shape: z.object({
      heartbeatAt: epochMs,
      prunedAt: epochMs,
      wonComparedAt: z._default(epochMs, 0),
      state: z.nullable(z.object({ state: readsAs(fleetState, "off"), since: epochMs })),
      told: z.nullable(z.object({ state: readsAs(fleetState, "off"), at: epochMs })),
      outageToldAt: epochMs,
      drift: z.record(z.string(), epochMs),
    }),
    upcasts: [unchanged],
  },
} as const satisfies Record<string, Versioned<unknown>>;

export type StoredIntervals = z.infer<(typeof objectFields)["intervals"]["shape"]>;
export type ReturnedDay = z.infer<(typeof objectFields)["returnedDays"]["shape"]>[number];
export type StoredLostTime = z.infer<(typeof objectFields)["lostTime"]["shape"]>;
export type StoredCityShares = z.infer<(typeof objectFields)["cityShares"]["shape"]>;
export type StoredCounts = z.infer<(typeof objectFields)["fleetCounts"]["shape"]>;

/** A browser's push subscription, and the sign-in that it ends with: null where another pool signs drivers in. */
const pushSubscription = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
  session: z.nullable(z.object({ id: z.string(), expiresAt: epochMs })),
  /** The deployment's public key that the browser subscribed for. A former release didn't note it. */
  vapidKey: z.optional(z.string()),
});
export type StoredSubscription = z.infer<typeof pushSubscription>;

/** A push message. */
const pushMessage = z.object({
  data: z.object({
    title: z.string(),
    body: z.string(),
    url: z.string(),
    tag: z.string(),
    event: readsAs(z.enum([...NOTIFICATION_EVENTS, ...REMINDERS]), "needs_you"),
    question: z.optional(
      z.object({ questionId, closesAt: epochMs, take: z.string(), pass: z.string(), unsent: z.string() }),
    ),
  }),
  ttlSeconds: z.int(),
  urgency: readsAs(z.enum(["normal", "high"]), "normal"),
});

/** Items to send: copies to D1 at least once, texts and push messages at most once; and platform sessions to end. */
const outboxItem = z.discriminatedUnion("kind", [
  /** Of a former release, which copied blocks to D1. */
  z.object({ kind: z.literal("block_won"), attemptId: z.string(), block }),
  /** The sums of a day of captures, as they are when it is sent. */
  z.object({ kind: z.literal("won_day"), day: z.int() }),
  z.object({
    kind: z.literal("record_changed"),
    change: z.object({
      proxyInstalled: z.boolean(),
      flexEmail: z.optional(z.nullable(z.string())),
      humanRegion: z.optional(z.nullable(z.string())),
      humanTimezone: z.optional(z.string()),
    }),
  }),
  /** The tokens are sealed, as in `objectFields`. */
  z.object({ kind: z.literal("session_end"), sealedTokens: z.string() }),
  /** How many notifications it tells of: those that a digest sums up, else one. */
  z.object({
    kind: z.literal("text"),
    body: z.string(),
    notifications: z.int(),
    /** Null for texts from before it was kept. */
    about: z.nullable(textAbout),
    /** The name of the pushes of which one that is taken makes it needless. */
    unlessPushed: z.optional(z.string()),
  }),
  z.object({
    kind: z.literal("push"),
    endpoint: z.string(),
    message: pushMessage,
    /** The name that it has in common with the text in whose place it is sent, if it is. */
    inPlaceOf: z.optional(z.string()),
  }),
  /** Due at the end of the driver's quiet hours. */
  z.object({ kind: z.literal("quiet_over"), about: heldNotification }),
]);
export type OutboxItem = z.infer<typeof outboxItem>;

/** The values of the other tables. */
export const storedRows = {
  attempt: { shape: attempt, upcasts: [upcastAttemptV0, upcastAttemptV1, upcastAttemptV2] },
  verdict: { shape: verdict, upcasts: [unchanged, unchanged, unchanged, unchanged] },
  event: {
    shape: logEvent,
    upcasts: [upcastLogEventV0, upcastLogEventV1, unchanged, upcastLogEventV3],
  },
  outboxItem: {
    shape: outboxItem,
    upcasts: [upcastOutboxItemV0, unchanged, upcastOutboxItemV2, upcastOutboxItemV3, upcastOutboxItemV4],
  },
  pushSubscription: { shape: pushSubscription, upcasts: [unchanged, upcastPushSubscriptionV1] },
  textAbout: { shape: textAbout, upcasts: [unchanged, upcastTextAboutV1] },
  capturedBlock: { shape: capturedBlock, upcasts: [unchanged] },
  heldBlock: { shape: block, upcasts: [unchanged] },
  listing: storedListing,
} as const satisfies Record<string, Versioned<unknown>>;
