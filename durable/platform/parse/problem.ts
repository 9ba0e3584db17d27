import * as z from "zod";
import type { DurationMs } from "../../../db/shapes/units.ts";
import { nameDrift, type NoteDrift } from "../drift.ts";
import { GENEROUS, STRICT } from "../fields.ts";
import { partialBlock, strictBlock } from "./block.ts";
import { pageUrl } from "./words.ts";

/** The codes of the contract. */
const PROBLEM_CODES = [
  "invalid_credentials",
  "account_locked",
  "session_not_found",
  "otp_invalid",
  "otp_expired",
  "approval_denied",
  "invalid_token",
  "invalid_grant",
  "verification_required",
  "offer_gone",
  "overlap",
  "weekly_limit",
  "pay_changed",
  "already_yours",
  "block_not_found",
  "too_late",
  "too_early",
  "outside_geofence",
  "already_checked_in",
  "rate_limited",
  "invalid_request",
  "internal",
] as const;

const strictProblem = z.object({
  status: z.int(),
  code: z.enum(PROBLEM_CODES),
  title: z.string(),
  attemptsLeft: z.int().nonnegative().optional(),
  distanceMeters: z.number().nonnegative().optional(),
  opensAt: STRICT.instant.optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
  block: strictBlock.optional(),
});

/** The parts of RFC 9457 problem details that we use. */
const problemJson = z.object({
  code: z.string().transform((code) => code.trim().toLowerCase()),
  attemptsLeft: GENEROUS.int.pipe(z.int().nonnegative()).nullable().catch(null),
  distanceMeters: z.number().nonnegative().nullable().catch(null),
  opensAt: GENEROUS.instant.nullable().catch(null),
  url: pageUrl,
  block: partialBlock.nullable().catch(null),
});
export type PlatformProblem = z.infer<typeof problemJson>;

/** Problem details; null if the body is none. Our clock is ahead of the platform's by `clockAheadMs`. */
export function readProblem(
  given: unknown,
  { note, clockAheadMs }: { note: NoteDrift; clockAheadMs: DurationMs },
): PlatformProblem | null {
  nameDrift(strictProblem, given, (field) => note(`problem.${field}`));
  const { data: problem } = problemJson.safeParse(given);
  if (!problem) return null;
  const { opensAt } = problem;
  return { ...problem, opensAt: opensAt === null ? null : Math.max(0, opensAt + clockAheadMs) };
}

/**
 * Whether a refusal asks for the driver in person, on a page of the platform: by its code, or as a 403 does whose code the
 * contract doesn't have.
 */
export function asksForDriver({ code, url }: PlatformProblem, status: number): boolean {
  if (code === "verification_required") return true;
  return status === 403 && url !== null && !PROBLEM_CODES.some((known) => known === code);
}

/** Whether a body is a refusal by its code, whatever the status says. */
export function isRefusal(given: unknown): boolean {
  return z.object({ code: z.enum(PROBLEM_CODES) }).safeParse(given).success;
}
