import * as z from "zod/mini";
import { attempt, type Attempt, type LostReason } from "./attempt.ts";
import { block, offer, type Block, type Offer } from "../work/offer.ts";
import { phase } from "../work/phase.ts";
import { question, type Question, type Withdrawal } from "../work/question.ts";
import { blockId, DAY_MS, epochMs, type BlockId, type Cents, type EpochMs } from "../units.ts";
import { judgedRule, reason, type JudgedRule, type Reason } from "../work/verdict.ts";

/** One event of the driver's log, before the object assigns its `seq`. `other`: of a later release, and shown nowhere. */
export const logEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("phase_changed"), at: epochMs, phase }),
  z.object({
    kind: z.literal("offer_judged"),
    at: epochMs,
    offer,
    reasons: z.array(reason),
    rule: z.optional(judgedRule),
    filtersVersion: z.int(),
  }),
  /** A match that the platform no longer lists, before anything was tried for it. */
  z.object({ kind: z.literal("match_gone"), at: epochMs, offer }),
  z.object({ kind: z.literal("attempt_started"), at: epochMs, attempt }),
  z.object({ kind: z.literal("attempt_settled"), at: epochMs, attempt }),
  /** The driver was asked whether they want an offer, and what became of the question before an attempt, or by one. */
  z.object({ kind: z.literal("question_asked"), at: epochMs, question }),
  z.object({ kind: z.literal("question_closed"), at: epochMs, question }),
  z.object({ kind: z.literal("silence_suspected"), at: epochMs, lastNewAt: epochMs }),
  /** Fields of the platform's answers that are not as its contract says, by name: `listOffers offers.pay.amount`. */
  z.object({ kind: z.literal("drift_noted"), at: epochMs, fields: z.array(z.string()) }),
  /** The paid time ends soon: logged a day and an hour before it does. */
  z.object({ kind: z.literal("service_ending"), at: epochMs, endsAt: epochMs }),
  z.object({ kind: z.literal("other"), at: epochMs }),
]);

export type LogEvent = z.infer<typeof logEvent>;

/** The outcome of an offer, as far as an event of the log tells. */
export type OfferOutcome =
  | { kind: "rejected"; reasons: readonly Reason[]; rule?: JudgedRule | undefined }
  | { kind: "match" }
  | { kind: "asked"; until: EpochMs }
  | { kind: "withdrawn"; reason: Withdrawal }
  | { kind: "trying" }
  | { kind: "unknown" }
  | { kind: "won"; block: Block }
  | { kind: "lost"; reason: LostReason };

/** The offer that an event is about and what became of it; null where it isn't about one. Lists, feeds and totals ask this. */
export function offerOutcomeOf(event: LogEvent): { offer: Offer; outcome: OfferOutcome } | null {
  switch (event.kind) {
    case "offer_judged": {
      const { offer: judged, reasons, rule } = event;
      return {
        offer: judged,
        outcome:
          reasons.length > 0 ? { kind: "rejected", reasons, ...(rule && { rule }) } : { kind: "match" },
      };
    }
    case "match_gone":
      return { offer: event.offer, outcome: { kind: "withdrawn", reason: "not_in_time" } };
    case "attempt_started":
      return { offer: event.attempt.offer, outcome: { kind: "trying" } };
    case "attempt_settled":
      return { offer: event.attempt.offer, outcome: attemptOutcome(event.attempt) };
    case "question_asked":
      return { offer: event.question.offer, outcome: { kind: "asked", until: event.question.closesAt } };
    case "question_closed":
      return withdrawnOffer(event.question);
    case "phase_changed":
    case "silence_suspected":
    case "drift_noted":
    case "service_ending":
    case "other":
      return null;
  }
}

/** Of every other question the verdict tells, or the attempt. */
function withdrawnOffer({ offer, state }: Question): { offer: Offer; outcome: OfferOutcome } | null {
  if (state.status !== "withdrawn") return null;
  const { reason } = state;
  return {
    offer,
    outcome: reason === "offer_gone" ? { kind: "lost", reason } : { kind: "withdrawn", reason },
  };
}

function attemptOutcome({ outcome }: Attempt): OfferOutcome {
  switch (outcome.status) {
    case "won":
      return { kind: "won", block: outcome.block };
    case "lost":
      return { kind: "lost", reason: outcome.reason };
    case "pending":
      return { kind: "trying" };
    case "unknown":
      return { kind: "unknown" };
  }
}

/** The pay of an offer as the lists count it: a captured block's own pay. */
export function shownPay({ offer: { payCents }, outcome }: { offer: Offer; outcome: OfferOutcome }): Cents {
  return outcome.kind === "won" ? outcome.block.payCents : payCents;
}

export const seq = z.int().check(z.nonnegative());

/** One event of the driver's log and its position in it. */
export const logEntry = z.object({ seq, event: logEvent });
export type LogEntry = z.infer<typeof logEntry>;

/** The block that an entry captured; none if it is about something else. */
export function capturedIn({ event }: LogEntry): Block[] {
  return event.kind === "attempt_settled" && event.attempt.outcome.status === "won"
    ? [event.attempt.outcome.block]
    : [];
}

/** `won`: captured. `disliked`: rejected by the driver's filters. `lost`: attempted, but not captured. */
export const blockList = z.enum(["won", "disliked", "lost"]);
export type BlockList = z.infer<typeof blockList>;

/** The list of each outcome. A match is listed by the outcome of its attempt. */
export const LIST_OF: Readonly<Record<OfferOutcome["kind"], BlockList | null>> = {
  rejected: "disliked",
  match: null,
  asked: null,
  withdrawn: null,
  trying: null,
  unknown: null,
  won: "won",
  lost: "lost",
};

/** A captured block as lists show it, newest first. `at` is when the platform gave it to the driver. */
export type WonBlock = { seq: number; at: EpochMs; block: Block };

/** A captured block as the driver's object keeps it: beyond the log, and as what became of it. */
export const capturedBlock = z.object({ attemptId: z.string(), block });
export type CapturedBlock = z.infer<typeof capturedBlock>;

/**
 * The sums of the blocks that were captured on a day (UTC, days since 1970). One that was given back counts, and adds
 * neither pay nor minutes.
 */
export type WonDay = { day: number; currency: string; blocks: number; payCents: Cents; minutes: number };

/** The sums of all captured blocks of a currency. */
export type WonSum = Omit<WonDay, "day">;

/** The day on which a block was captured. */
export function wonDayOf(at: EpochMs): number {
  return Math.floor(at / DAY_MS);
}

/** A place in the list of captured blocks. */
export type WonPosition = { at: EpochMs; blockId: BlockId };

/** Before every captured block. */
export const NEWEST_WON: WonPosition = { at: Number.MAX_SAFE_INTEGER, blockId: z.parse(blockId, "_") };
