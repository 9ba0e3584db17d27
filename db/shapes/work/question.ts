import * as z from "zod/mini";
import { place } from "../log/attempt.ts";
import { offer } from "./offer.ts";
import { language } from "../language.ts";
import { attemptId, epochMs, type DurationMs } from "../units.ts";

/** One question about one offer. */
export const questionId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{8,64}$/))
  .brand<"QuestionId">();
export type QuestionId = z.infer<typeof questionId>;

/** The driver's answer. */
export const answer = z.enum(["take", "pass"]);
export type Answer = z.infer<typeof answer>;

/**
 * Why a question was withdrawn before it had an effect: the platform no longer lists the offer, or its terms changed; the
 * filters were saved; another block took its time; it no longer fits the filters; the driver was switched off, unlinked or
 * without service; it could not be tried in time, or not before the driver verifies themselves to the platform.
 */
export const withdrawal = z.enum([
  "offer_gone",
  "offer_changed",
  "filters_changed",
  "other_block",
  "no_longer_fits",
  "stopped",
  "not_in_time",
  "verification",
  "other",
]);
export type Withdrawal = z.infer<typeof withdrawal>;

const at = epochMs;

/**
 * The state of a question. `waiting` and `approved` are open: after a yes the offer is tried like any match. `accepting`
 * until the attempt is settled. `told`: the offer was one too many for an hour, and was only told of.
 */
export const questionState = z.discriminatedUnion("status", [
  z.object({ status: z.literal("waiting") }),
  z.object({ status: z.literal("approved"), at }),
  z.object({ status: z.literal("accepting"), at, attemptId }),
  z.object({ status: z.literal("captured"), at, attemptId }),
  z.object({ status: z.literal("missed"), at, attemptId }),
  z.object({ status: z.literal("passed"), at }),
  z.object({ status: z.literal("unanswered"), at }),
  z.object({ status: z.literal("withdrawn"), at, reason: withdrawal }),
  z.object({ status: z.literal("told"), at }),
  z.object({ status: z.literal("other") }),
]);
export type QuestionState = z.infer<typeof questionState>;
export type QuestionStatus = QuestionState["status"];

/** Whether the driver wants an offer that matches a rule that asks first. */
export const question = z.object({
  questionId,
  offer,
  /** Null if the warehouse was not known. */
  place: z.nullable(place),
  /** The filters that the offer fits. */
  filtersVersion: z.int(),
  askedAt: epochMs,
  /** The last instant for an answer is just before this one. */
  closesAt: epochMs,
  state: questionState,
});
export type Question = z.infer<typeof question>;

/** The question that a link answers, and the language in which it was asked. */
export const linkedQuestion = z.object({ question, language });
export type LinkedQuestion = z.infer<typeof linkedQuestion>;

/** The length of the token that a link has, in letters. */
export const QUESTION_TOKEN_LENGTH = 46;

/** Questions within any hour; further offers are only told of. */
export const MAX_QUESTIONS_AN_HOUR = 6;

/** The time left for an answer, which is never negative. */
export function questionTimeLeft({ closesAt }: Pick<Question, "closesAt">, now: number): DurationMs {
  return Math.max(0, closesAt - now);
}
