import * as z from "zod/mini";
import { openMatches, rejudge, takenSpans } from "./judge.ts";
import { leastPay } from "./match.ts";
import { isCutOff, isWanted, lookAt, mustHaveArrived, takingProfile } from "./phase.ts";
import { rulebookOf } from "./rulebook.ts";
import { selectOffers } from "./select.ts";
import { change, remember, takeFailure, type Turn } from "./turn.ts";
import type { AcceptOutcome, Attempt, Block, LostReason, Offer, Profile } from "./types.ts";
import { attemptId, type AttemptId, type DurationMs } from "./units.ts";

/** How many accepts a mode has under way at once. */
const AT_ONCE: Record<Profile["mode"], number> = { lucrative: 1, secure: 1, masacre: 4 };
/** An older answer says nothing of what is open now. */
const LISTING_FRESH_MS: DurationMs = 30_000;
/** A reading of the blocks that is older than an accept may arrive after its answer. */
const MAY_HAVE_CROSSED_MS: DurationMs = 60_000;
/** These say nothing of the offer: once they are over, it can be tried again. */
const NOT_THE_OFFER: ReadonlySet<LostReason> = new Set([
  "rate_limited",
  "signed_out",
  "verification_required",
]);

/**
 * Starts the attempts that the mode selects among the matches, where the driver's switch, rules
 * and service allow it now. `heldIsFresh`: the blocks held were read just now, which secure mode
 * asks for before each accept. Answers `blocks_first` where they have to be read before.
 */
export function takeOffers(turn: Turn, { heldIsFresh }: { heldIsFresh: boolean }): "done" | "blocks_first" {
  const { now } = turn.ctx;
  const { lastPollAt } = turn.state.memory;
  if (lastPollAt === null || now - lastPollAt > LISTING_FRESH_MS) return "done";
  rejudge(turn);
  const profile = takingProfile(turn.state, now);
  if (!profile) return "done";
  const pending = [...turn.state.openAttempts.values()].filter(({ outcome }) => outcome.status === "pending");
  const room = AT_ONCE[profile.mode] - pending.length;
  const matches = openMatches(turn.state, now);
  const taken = takenSpans(turn.state, "pending");
  const chosen = selectOffers(profile.mode, { matches, taken }).slice(0, Math.max(0, room));
  if (chosen.length === 0) return "done";
  if (profile.mode === "secure" && !heldIsFresh) return "blocks_first";
  startAttempts(turn, chosen, profile);
  return "done";
}

function startAttempts(turn: Turn, offers: readonly Offer[], profile: Profile): void {
  const { now } = turn.ctx;
  const { keyPrefix, attemptSeq, openAttempts, warehouses } = turn.state;
  const book = rulebookOf(profile, warehouses);
  const attempts = offers.map((offer, index): Attempt => {
    const payAtLeastCents = leastPay(book, offer) ?? offer.payCents;
    const id = z.parse(attemptId, `${keyPrefix}-${attemptSeq + index}`);
    return {
      attemptId: id,
      offer,
      payAtLeastCents,
      createdAt: now,
      settledAt: null,
      outcome: { status: "pending" },
    };
  });
  change(turn, {
    attemptSeq: attemptSeq + attempts.length,
    openAttempts: new Map([
      ...openAttempts,
      ...attempts.map((attempt) => [attempt.attemptId, attempt] as const),
    ]),
  });
  for (const attempt of attempts) turn.log.push({ kind: "attempt_started", at: now, attempt });
  turn.calls.push({ kind: "accept", attempts });
}

/**
 * Applies the answer to an accept. An attempt that is settled already is left alone.
 * Answers `blocks_first` where the block has to be looked for.
 */
export function takeAnswer(turn: Turn, id: AttemptId, outcome: AcceptOutcome): "done" | "blocks_first" {
  const attempt = turn.state.openAttempts.get(id);
  if (!attempt) return "done";
  switch (outcome.kind) {
    case "won":
      win(turn, attempt, outcome.block);
      return "done";
    case "already_yours":
      if (outcome.block) {
        win(turn, attempt, outcome.block);
        return "done";
      }
      leaveUnknown(turn, attempt);
      return "blocks_first";
    case "lost":
      lose(turn, attempt, outcome.reason);
      return "done";
    case "timeout":
    case "unreachable":
    case "unreadable":
      takeFailure(turn, outcome);
      leaveUnknown(turn, attempt);
      return "done";
    case "refused":
      lose(turn, attempt, "refused");
      return "done";
    case "rate_limited":
    case "signed_out":
    case "verification_required":
      takeFailure(turn, outcome);
      // Of a first call that was cut off, a refused repeat says nothing.
      if (attempt.outcome.status === "unknown") leaveUnknown(turn, attempt);
      else lose(turn, attempt, outcome.kind);
      return "done";
  }
}

function win(turn: Turn, attempt: Attempt, block: Block): void {
  const others = turn.state.held.filter(({ blockId }) => blockId !== block.blockId);
  change(turn, { held: [...others, block] });
  settle(turn, attempt, { status: "won", block });
  turn.notices.push({ kind: "captured", block });
}

/** Ends an attempt without a block. */
export function lose(turn: Turn, attempt: Attempt, reason: LostReason): void {
  settle(turn, attempt, { status: "lost", reason });
}

function settle(turn: Turn, attempt: Attempt, outcome: Attempt["outcome"]): void {
  const { now } = turn.ctx;
  const openAttempts = new Map(turn.state.openAttempts);
  openAttempts.delete(attempt.attemptId);
  change(turn, { openAttempts });
  if (outcome.status !== "lost" || !NOT_THE_OFFER.has(outcome.reason)) {
    remember(turn, { spent: new Set([...turn.state.memory.spent, attempt.offer.offerId]) });
  }
  turn.log.push({ kind: "attempt_settled", at: now, attempt: { ...attempt, settledAt: now, outcome } });
}

function leaveUnknown(turn: Turn, attempt: Attempt): void {
  const tries = attempt.outcome.status === "unknown" ? attempt.outcome.tries + 1 : 1;
  const next: Attempt = { ...attempt, outcome: { status: "unknown", tries } };
  change(turn, { openAttempts: new Map([...turn.state.openAttempts, [attempt.attemptId, next]]) });
  remember(turn, { triedAt: turn.ctx.now });
}

/** Attempts that no answer can reach any more become unknown. */
export function cutOff(turn: Turn): void {
  for (const attempt of turn.state.openAttempts.values()) {
    if (isCutOff(attempt, turn.ctx.now)) leaveUnknown(turn, attempt);
  }
}

/** Whether an unknown attempt is to be looked after now. */
export function hasLookDue({ state, ctx }: Turn): boolean {
  return [...state.openAttempts.values()].some(
    (attempt) => attempt.outcome.status === "unknown" && lookAt(state, attempt, ctx.now) <= ctx.now,
  );
}

/**
 * Takes the driver's blocks in place of those known. One that was won a moment ago may be missing
 * where the reading crossed the accept: it stays. Unknown attempts found among them are won.
 */
export function takeBlocks(turn: Turn, blocks: readonly Block[]): void {
  const { held, openAttempts } = turn.state;
  const { now } = turn.ctx;
  const read = new Set(blocks.map(({ blockId }) => blockId));
  const justWon = held.filter(
    ({ blockId, acceptedAt }) => !read.has(blockId) && now - acceptedAt < MAY_HAVE_CROSSED_MS,
  );
  const next = [...blocks, ...justWon];
  if (JSON.stringify(next) !== JSON.stringify(held)) change(turn, { held: next });
  remember(turn, { heldReadAt: now });
  for (const attempt of openAttempts.values()) {
    const block = blocks.find(({ offerId }) => offerId === attempt.offer.offerId);
    if (block && attempt.outcome.status === "unknown") win(turn, attempt, block);
  }
}

/**
 * Repeats, each under its own key, the unknown attempts that are due and still wanted, though the
 * blocks that were just read do not show them. One that is wanted no more is withdrawn when no
 * call for it can be on its way: a repeat could take what the driver has turned down since.
 */
export function lookAfterUnknown(turn: Turn): void {
  const { now } = turn.ctx;
  if (turn.state.memory.triedAt === null) remember(turn, { triedAt: now });
  const unknown = [...turn.state.openAttempts.values()].filter(({ outcome }) => outcome.status === "unknown");
  const wanted = unknown.filter((attempt) => isWanted(turn.state, attempt, now));
  if (mustHaveArrived(turn.state, now)) {
    for (const attempt of unknown) if (!wanted.includes(attempt)) lose(turn, attempt, "withdrawn");
  }
  if (wanted.length === 0) return;
  remember(turn, { triedAt: now });
  turn.calls.push({ kind: "accept", attempts: wanted });
}
