import * as z from "zod/mini";
import { audienceKind } from "../../db/shapes/announcement.ts";
import { filters, mode, specialMode } from "../../db/shapes/filters.ts";
import { language } from "../../db/shapes/language.ts";
import { snapshot } from "../../db/shapes/live.ts";
import { actFacts, actKind, operatorRole } from "../../db/shapes/operators.ts";
import { paymentStatus, plan, planForSale } from "../../db/shapes/plans.ts";
import { rafflePrize } from "../../db/shapes/raffle.ts";
import { pointEntry } from "../../db/shapes/rewards.ts";
import { textDelivery, textStatus } from "../../db/shapes/text-delivery.ts";
import { cents, driverId, epochMs } from "../../db/shapes/units.ts";

/** Who calls the console's API, by their e-mail address or the client id of a service token. */
export const operator = z.object({ name: z.string(), role: operatorRole });
export type Operator = z.infer<typeof operator>;

/** GET /ops/v1/me. */
export const meResponse = z.object({
  operator,
  productName: z.string(),
  currency: z.string(),
  /** The most money that support moves for one driver in a day. */
  supportLimitCents: cents,
  /** Whether the user pool is ours: only then can sessions and accounts be ended here. */
  hasOwnPool: z.boolean(),
});
export type MeResponse = z.infer<typeof meResponse>;

/** The header that every act needs: a new id for each act, and the same one when it is sent again. */
export const actHeaders = z.object({
  "idempotency-key": z.string().check(z.regex(/^[\w-]{16,64}$/)),
});

/** Why, in the operator's words. */
export const reason = z.string().check(
  z.overwrite((words) => words.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")),
  z.trim(),
  z.minLength(3),
  z.maxLength(300),
);

export const MAX_ANNOUNCEMENT_LENGTH = 240;

/** What drivers read in one language. */
const announcementLine = z.string().check(
  z.overwrite((words) => words.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")),
  z.trim(),
  z.minLength(1),
  z.maxLength(MAX_ANNOUNCEMENT_LENGTH),
);

const id = z.string().check(z.regex(/^[\w:-]{1,128}$/));
const notZero = z.refine<number>((count) => count !== 0);

/** What an operator does to a driver. Days and points below zero are taken. */
export const driverAct = z.discriminatedUnion("act", [
  z.strictObject({
    act: z.literal("days"),
    days: z.int().check(z.minimum(-365), z.maximum(365), notZero),
    reason,
  }),
  z.strictObject({
    act: z.literal("points"),
    points: z.int().check(z.minimum(-100_000), z.maximum(100_000), notZero),
    reason,
  }),
  z.strictObject({
    act: z.literal("refund"),
    paymentId: id,
    cents: z.int().check(z.minimum(1)),
    /** Goodwill: the driver keeps days and points. */
    keepsDays: z.boolean(),
    reason,
  }),
  z.strictObject({
    act: z.literal("special_price"),
    plan: planForSale,
    priceCents: z.int().check(z.minimum(1)),
    endsAt: epochMs,
    reason,
  }),
  z.strictObject({ act: z.literal("end_price"), discountId: id, reason }),
  z.strictObject({ act: z.literal("sign_out"), reason }),
  z.strictObject({ act: z.literal("unlink"), reason }),
  z.strictObject({ act: z.literal("disable"), reason }),
  z.strictObject({ act: z.literal("enable"), reason }),
  /** To the number that a text of the driver's did not reach, or to where their texts go. Words of texts are not kept. */
  z.strictObject({ act: z.literal("test_text"), textId: z.optional(id), reason }),
  z.strictObject({ act: z.literal("show_phone"), reason }),
]);
export type DriverAct = z.infer<typeof driverAct>;

const prizeText = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));
/** As it stands in the address of the raffle's page. */
const raffle = z.string().check(z.regex(/^[\w-]{1,64}$/));

/** What an operator does to the whole deployment. */
export const deploymentAct = z.discriminatedUnion("act", [
  /** A lower price of a plan for everybody, between two instants. */
  z.strictObject({
    act: z.literal("sale"),
    plan: planForSale,
    priceCents: z.int().check(z.minimum(1)),
    startsAt: epochMs,
    endsAt: epochMs,
    reason,
  }),
  z.strictObject({ act: z.literal("end_sale"), saleId: id, reason }),
  /** A line to drivers for a while, in all three languages. `audienceOf`: the city or the language; null for all drivers. */
  z.strictObject({
    act: z.literal("announce"),
    en: announcementLine,
    es: announcementLine,
    pt: announcementLine,
    audience: audienceKind,
    audienceOf: z.nullable(z.string().check(z.minLength(1), z.maxLength(100))),
    startsAt: epochMs,
    endsAt: epochMs,
    reason,
  }),
  z.strictObject({ act: z.literal("end_announcement"), announcementId: id, reason }),
  z.strictObject({ act: z.enum(["resolve_error", "reopen_error"]), errorId: id, reason }),
  /** Null takes the limit away. Nobody loses the spot that they have. */
  z.strictObject({
    act: z.literal("city_spots"),
    city: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
    spots: z.nullable(z.int().check(z.minimum(0), z.maximum(1_000_000))),
    reason,
  }),
  z.strictObject({
    act: z.literal("raffle"),
    raffle,
    plan: planForSale,
    startsAt: epochMs,
    endsAt: epochMs,
    winners: z.int().check(z.minimum(1), z.maximum(1000)),
    prize: z.nullable(z.strictObject({ en: prizeText, es: prizeText, pt: prizeText })),
    /** SHA-256 of the seed, which is public from now on. */
    seedHash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    /** The seed as the operator's browser or program sealed it; null where the operator keeps it. */
    sealedSeed: z.nullable(z.string().check(z.regex(/^v[12](\.[\w-]{8,400}){3,4}$/))),
    reason,
  }),
  z.strictObject({ act: z.literal("end_raffle"), raffle, reason }),
  /** With the seed, which the server gets only now. */
  z.strictObject({
    act: z.literal("draw"),
    raffle,
    seed: z.string().check(z.minLength(1), z.maxLength(200)),
    reason,
  }),
]);
export type DeploymentAct = z.infer<typeof deploymentAct>;

/** GET /ops/v1/prices: each plan's list price, and the sales that hold or will. */
export const pricesResponse = z.object({
  prices: z.array(z.object({ plan: planForSale, priceCents: cents })),
  sales: z.array(z.object({ id: z.string(), plan, priceCents: cents, startsAt: epochMs, endsAt: epochMs })),
});
export type PricesResponse = z.infer<typeof pricesResponse>;

/** GET /ops/v1/raffles: those that end last, first. */
export const raffleListResponse = z.object({
  raffles: z.array(
    z.object({
      id: z.string(),
      plan,
      startsAt: epochMs,
      endsAt: epochMs,
      winners: z.int(),
      prize: z.nullable(rafflePrize),
      seedHash: z.string(),
      entries: z.int(),
      status: z.enum(["ahead", "running", "over", "drawn"]),
      /** For owners, until it is drawn; null where the operator keeps the seed. */
      sealedSeed: z.nullable(z.string()),
    }),
  ),
});
export type RaffleListResponse = z.infer<typeof raffleListResponse>;

/** GET /ops/v1/cities: each city that has drivers or a limit. `next`: who is offered the next free spot. */
export const citiesResponse = z.object({
  cities: z.array(
    z.object({
      city: z.string(),
      /** Null for no limit. */
      spots: z.nullable(z.int()),
      taken: z.int(),
      waiting: z.int(),
      next: z.nullable(z.object({ id: driverId, name: z.string(), since: epochMs })),
    }),
  ),
});
export type CitiesResponse = z.infer<typeof citiesResponse>;

export const driverParams = z.object({ id: driverId });

/** One line of the log. */
export const actEntry = z.object({
  id: z.string(),
  at: epochMs,
  operator: z.string(),
  role: operatorRole,
  act: actKind,
  driverId: z.nullable(driverId),
  what: actFacts,
  reason: z.string(),
  before: actFacts,
  after: actFacts,
});
export type ActEntry = z.infer<typeof actEntry>;

/** The response of an act. `pending`: written, and carried out as soon as whoever it needs answers. */
export const actResponse = z.object({
  act: actEntry,
  status: z.enum(["done", "pending"]),
  /** The driver's numbers, where they were asked for. */
  phones: z.optional(z.object({ phoneNumber: z.string(), preferredPhoneNumber: z.nullable(z.string()) })),
});
export type ActResponse = z.infer<typeof actResponse>;

/** GET /ops/v1/acts: a page of the log, newest first. */
export const actsQuery = z.object({
  cursor: z.optional(z.string().check(z.regex(/^\d{1,16}\.[\w-]{1,64}$/))),
  driver: z.optional(driverId),
});
export const actsResponse = z.object({ acts: z.array(actEntry), cursor: z.nullable(z.string()) });
export type ActsResponse = z.infer<typeof actsResponse>;

/** GET /ops/v1/drivers?q=: a number in any form or its last four digits, the beginning of a name, or a platform e-mail. */
export const driverSearchQuery = z.object({
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
  /** What it changed, which for what was taken may be less than was due. */
  appliedMs: z.int(),
  at: epochMs,
});
const paymentLine = z.object({
  id: z.string(),
  plan,
  status: paymentStatus,
  currency: z.string(),
  totalCents: cents,
  refundedCents: cents,
  /** Ordered to be given back, and not done yet. */
  orderedCents: cents,
  /** What can still be given back. */
  refundableCents: cents,
  method: z.nullable(z.string()),
  methodBrand: z.nullable(z.string()),
  methodLast4: z.nullable(z.string()),
  receiptNumber: z.nullable(z.int()),
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
    mode,
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
  acts: z.array(actEntry),
});
export type DriverPage = z.infer<typeof driverPage>;

/** GET /ops/v1/drivers/{id}/live: what the driver's dashboard shows at this moment. */
export const driverLive = z.object({ snapshot });
export type DriverLive = z.infer<typeof driverLive>;
