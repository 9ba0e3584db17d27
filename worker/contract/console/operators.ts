import * as z from "zod/mini";
import { actFacts, actKind, operatorRole } from "../../../db/shapes/operators.ts";
import { readsAs } from "../../../db/shapes/tolerant.ts";
import { cents, driverId, epochMs } from "../../../db/shapes/units.ts";

/** The caller of the console's API, by their e-mail address or the client id of a service token. */
export const operator = z.object({ name: z.string(), role: operatorRole });
export type Operator = z.infer<typeof operator>;

/** GET /ops/v1/me. */
export const meResponse = z.object({
  operator,
  productName: z.string(),
  /** Drivers' address, where the console has a host of its own. */
  publicUrl: z.optional(z.string()),
  currency: z.string(),
  /** The most money that support moves for one driver in a day. */
  supportLimitCents: cents,
  /** Whether the user pool is ours: only then can sessions and accounts be ended here. */
  hasOwnPool: z.boolean(),
  /** The server's clock. A former release leaves it out. */
  now: z.optional(epochMs),
});
export type MeResponse = z.infer<typeof meResponse>;

/** The header that every act needs: a new id for each act, and the same one when it is sent again. */
export const actHeaders = z.object({
  "idempotency-key": z.string().check(z.regex(/^[\w-]{16,64}$/)),
});

/** Why, in the operator's words. */
export const actReason = z.string().check(
  z.overwrite((words) => words.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")),
  z.trim(),
  z.minLength(3),
  z.maxLength(300),
);

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

/**
 * The response of an act. `pending`: written, and carried out as soon as whoever it needs answers. `waiting`: not done, until
 * an owner says yes; `act` is the line that asks.
 */
export const actResponse = z.object({
  act: actEntry,
  status: readsAs(z.enum(["done", "pending", "waiting"]), "pending"),
  /** The driver's numbers, on request. */
  phones: z.optional(z.object({ phoneNumber: z.string(), preferredPhoneNumber: z.nullable(z.string()) })),
});
export type ActResponse = z.infer<typeof actResponse>;

/** GET /ops/v1/acts: a page of the log, newest first. */
export const actsQueryInput = z.object({
  cursor: z.optional(z.string().check(z.regex(/^\d{1,16}\.[\w:-]{1,80}$/))),
  driver: z.optional(driverId),
});
export const actsResponse = z.object({ acts: z.array(actEntry), cursor: z.nullable(z.string()) });
export type ActsResponse = z.infer<typeof actsResponse>;

/** Within this time a request is decided, or ends. */
export const REQUEST_HOURS = 72;

/** `waiting` for an owner; `approved`, and done; `declined`; `expired` without an answer. */
export const requestStatus = readsAs(z.enum(["waiting", "approved", "declined", "expired"]), "expired");

/** An act that waits for the approval of an owner other than the one who asked. */
export const operatorRequest = z.object({
  /** The act's key, under which it is done once. */
  id: z.string(),
  act: actKind,
  driverId,
  /** Null once the account is deleted. */
  driverName: z.nullable(z.string()),
  what: actFacts,
  worthCents: cents,
  reason: z.string(),
  operator: z.string(),
  role: operatorRole,
  askedAt: epochMs,
  expiresAt: epochMs,
  status: requestStatus,
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(epochMs),
});
export type OperatorRequest = z.infer<typeof operatorRequest>;

/** GET /ops/v1/requests: those that wait, the oldest first, then those that are decided, the latest first. */
export const requestsResponse = z.object({
  requests: z.array(operatorRequest),
  /** Whether there are more than these. */
  hasMore: z._default(z.boolean(), false),
});
export type RequestsResponse = z.infer<typeof requestsResponse>;

/** POST /ops/v1/requests/{id}. */
export const requestParams = z.object({ id: z.string().check(z.regex(/^[\w-]{16,64}$/)) });
export const decisionInput = z.strictObject({ approve: z.boolean(), reason: actReason });
export type DecisionInput = z.infer<typeof decisionInput>;

/**
 * The limits of a day: numbers looked at, exports, the worth of all that support gave, what support asked for above its
 * limits (special prices, gifts of days or points, refunds), drivers' numbers changed, and drivers shut out or let in.
 */
export const limitKind = readsAs(
  z.enum(["looks", "exports", "worth", "special_prices", "gifts", "refunds", "numbers", "access", "other"]),
  "other",
);
export type LimitKind = z.infer<typeof limitKind>;

/** GET /ops/v1/limits: the limits that operators reached in the last day, the latest first. */
export const limitsResponse = z.object({
  limits: z.array(
    z.object({
      operator: z.string(),
      kind: limitKind,
      /** How many acts: those within the limit, or the requests above it. */
      acts: z.int(),
      /** The latest of them. */
      at: epochMs,
    }),
  ),
});
export type LimitsResponse = z.infer<typeof limitsResponse>;
export type ReachedLimit = LimitsResponse["limits"][number];
