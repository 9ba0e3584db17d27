import * as z from "zod/mini";
import { actFacts, actKind, operatorRole } from "../../../db/shapes/operators.ts";
import { readsAs } from "../../../db/shapes/tolerant.ts";
import { cents, driverId, epochMs } from "../../../db/shapes/units.ts";
import { actReason } from "./operators.ts";

/** Within this time a request is decided, or ends. */
export const REQUEST_HOURS = 72;

/** `waiting` for an owner; `approved`, and done; `declined`; `expired` without an answer. */
export const requestStatus = readsAs(z.enum(["waiting", "approved", "declined", "expired"]), "expired");

/** An act that waits for the yes of an owner who is not who asked. */
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
export const requestsResponse = z.object({ requests: z.array(operatorRequest) });
export type RequestsResponse = z.infer<typeof requestsResponse>;

/** POST /ops/v1/requests/{id}. */
export const requestParams = z.object({ id: z.string().check(z.regex(/^[\w-]{16,64}$/)) });
export const decisionInput = z.strictObject({ approve: z.boolean(), reason: actReason });
export type DecisionInput = z.infer<typeof decisionInput>;
