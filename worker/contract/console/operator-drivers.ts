import * as z from "zod/mini";
import { filters, shownMode, specialMode } from "../../../db/shapes/work/filters.ts";
import { language } from "../../../db/shapes/language.ts";
import { snapshot } from "../../../db/shapes/work/live.ts";
import { plan, shownPaymentStatus, shownPlan } from "../../../db/shapes/money/plans.ts";
import { pointEntry } from "../../../db/shapes/money/rewards.ts";
import { textDelivery, textStatus } from "../../../db/shapes/text-delivery.ts";
import { cents, driverId, epochMs } from "../../../db/shapes/units.ts";
import { readsAs } from "../../../db/shapes/tolerant.ts";
import { securityEvent } from "../account/security.ts";
import { renewal } from "../money/saved-cards.ts";
import { actEntry } from "./operators.ts";

export const driverParams = z.object({ id: driverId });

/** GET /ops/v1/drivers?q=: a number in any form or its last four digits, the beginning of a name, or a platform e-mail. */
export const driverSearchQueryInput = z.object({
  q: z.string().check(z.trim(), z.minLength(2), z.maxLength(100)),
});
export const foundDriver = z.object({
  id: driverId,
  name: z.string(),
  /** Masked but for its end, where the caller is support. */
  phone: z.string(),
  flexEmail: z.nullable(z.string()),
  humanRegion: z.nullable(z.string()),
  isLinked: z.boolean(),
  isSwitchedOn: z.boolean(),
  createdAt: epochMs,
});
export type FoundDriver = z.infer<typeof foundDriver>;
export const driverSearchResponse = z.object({
  drivers: z.array(foundDriver),
  /** There are more than are listed. */
  hasMore: z.boolean(),
});
export type DriverSearchResponse = z.infer<typeof driverSearchResponse>;

const serviceLine = z.object({
  /** `payment`, `operator` and so on: the source up to its first colon. */
  source: z.string(),
  /** Its effect, which may be less than was due if it took something. */
  appliedMs: z.int(),
  at: epochMs,
});
const paymentLine = z.object({
  id: z.string(),
  plan: shownPlan,
  status: shownPaymentStatus,
  currency: z.string(),
  totalCents: cents,
  refundedCents: cents,
  /** Ordered to be given back, and not done yet. */
  orderedCents: cents,
  /** The rest that can still be refunded. */
  refundableCents: cents,
  method: z.nullable(z.string()),
  methodBrand: z.nullable(z.string()),
  methodLast4: z.nullable(z.string()),
  receiptNumber: z.nullable(z.int()),
  /** There is an intent at Stripe to ask about, and no money is known to have come. */
  canCheck: z.boolean(),
  at: epochMs,
});
export type PaymentLine = z.infer<typeof paymentLine>;

/** GET /ops/v1/drivers/{id}: what an operator sees of one driver, without what their object knows. */
export const driverPage = z.object({
  driver: z.object({
    id: driverId,
    name: z.string(),
    phone: z.string(),
    preferredPhone: z.nullable(z.string()),
    isPreferredVerified: z.boolean(),
    isMasked: z.boolean(),
    language,
    humanTimezone: z.string(),
    humanRegion: z.nullable(z.string()),
    flexEmail: z.nullable(z.string()),
    isLinked: z.boolean(),
    isSwitchedOn: z.boolean(),
    isWaitingForSpot: z.boolean(),
    /** Null where another pool signs drivers in. */
    isEnabled: z.nullable(z.boolean()),
    mode: shownMode,
    specialMode: z.nullable(specialMode),
    createdAt: epochMs,
  }),
  service: z.object({ until: z.nullable(epochMs), unusedMs: z.int(), lines: z.array(serviceLine) }),
  points: z.object({ balance: z.int(), lines: z.array(pointEntry) }),
  payments: z.array(paymentLine),
  prices: z.array(z.object({ id: z.string(), plan, priceCents: cents, startsAt: epochMs, endsAt: epochMs })),
  filters: z.object({ version: z.int(), filters, isComplete: z.boolean() }),
  texts: z.object({
    delivery: textDelivery,
    sent: z.array(z.object({ id: z.string(), phone: z.string(), status: textStatus, at: epochMs })),
  }),
  sessions: z.array(
    z.object({
      browser: z.nullable(z.string()),
      system: z.nullable(z.string()),
      country: z.nullable(z.string()),
      createdAt: epochMs,
      lastSeenAt: epochMs,
    }),
  ),
  /** Null where the driver never agreed to one. */
  renewal: z.nullable(renewal),
  /** Wrong guesses that hold up sign-ins; null where another pool signs drivers in. */
  locks: z.nullable(z.object({ wrong: z.int(), until: z.nullable(epochMs) })),
  /** The latest security events, as their owner sees them. */
  security: z.array(securityEvent),
  /** Invitations that the driver sent. `withheld`: why inviter and friend are taken for one person. */
  invitations: z.array(
    z.object({
      id: z.string(),
      /** Masked but for its end, whoever asks; null for a friend who came by a link. */
      phone: z.nullable(z.string()),
      friendId: z.nullable(driverId),
      status: z.enum(["sent", "registered", "completed", "revoked"]),
      withheld: z.nullable(readsAs(z.enum(["same_card", "same_account", "same_device", "other"]), "other")),
      at: epochMs,
    }),
  ),
  acts: z.array(actEntry),
  /** The tables that go on: of these only the latest lines are here. Servers of before didn't say which. */
  cut: z._default(z.array(z.string()), []),
});
export type DriverPage = z.infer<typeof driverPage>;

/**
 * GET /ops/v1/drivers/{id}/live: the driver's dashboard at this moment. Null where the object throws or does not answer:
 * `failure` names the classes of the error and of its causes, as the log does.
 */
export const driverLiveResponse = z.object({
  snapshot: z.nullable(snapshot),
  failure: z.nullable(z.object({ errors: z.array(z.string()), place: z.nullable(z.string()) })),
});
export type DriverLiveResponse = z.infer<typeof driverLiveResponse>;
