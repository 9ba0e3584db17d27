import { takeCheckIn } from "./arrive.ts";
import { calm, CLEAN_THROTTLE, NO_BACKOFF, quotaWindow } from "./cadence.ts";
import { countNew, judgeListing } from "./judge.ts";
import { isPollDue, mayCall, phaseOf } from "./phase.ts";
import { rulebookOf } from "./rulebook.ts";
import { takeNews, warnOfEnd } from "./service.ts";
import { cutOff, hasLookDue, lookAfterUnknown, lose, takeAnswer, takeBlocks, takeOffers } from "./settle.ts";
import { watchSightings } from "./sightings.ts";
import { beginTurn, change, remember, takeFailure, type Turn } from "./turn.ts";
import type {
  Attempt,
  BlocksOutcome,
  DriverState,
  Effect,
  MachineEvent,
  Memory,
  Phase,
  PollOutcome,
  Profile,
  Quota,
  Step,
  StepContext,
  Warehouse,
} from "./types.ts";
import { DAY_MS, MINUTE_MS, type EpochMs } from "./units.ts";

export { nextWakeAt, phaseOf } from "./phase.ts";

/** Blocks taken by hand are seen no later than this. */
const HELD_FRESH_MS = 5 * MINUTE_MS;
/** Offers lie a few days ahead; the platform reads at most 62 days at once. */
const HELD_AHEAD_MS = 30 * DAY_MS;
const HELD_BEHIND_MS = DAY_MS;
const HELD_BEHIND_AT_MOST_MS = 30 * DAY_MS;

const BLANK: Memory = {
  etag: null,
  quota: null,
  quotaWindowMs: null,
  lastPollAt: null,
  polledVersion: null,
  triedAt: null,
  heldReadAt: null,
  answeredAt: null,
  open: [],
  spent: new Set(),
};

/** A driver of whom nothing is known yet. `keyPrefix` is random and begins every attempt's id. */
export function initialState(keyPrefix: string): DriverState {
  return {
    profile: null,
    link: { status: "unlinked" },
    verification: null,
    warehouses: [],
    held: [],
    throttle: CLEAN_THROTTLE,
    backoff: NO_BACKOFF,
    sightings: { lastNewAt: null, meanGapMs: null, suspectedAt: null },
    endWarnings: { endsAt: null, leftMs: [] },
    heardNews: [],
    keyPrefix,
    attemptSeq: 0,
    verdicts: new Map(),
    openAttempts: new Map(),
    phase: { kind: "off" },
    memory: BLANK,
  };
}

/** After a restart: an attempt that was pending may have arrived or not, so its outcome is unknown. */
export function recover(state: DriverState): DriverState {
  const attempts = [...state.openAttempts.values()];
  if (!attempts.some(({ outcome }) => outcome.status === "pending")) return state;
  const openAttempts = attempts.map((attempt): Attempt => {
    return attempt.outcome.status === "pending"
      ? { ...attempt, outcome: { status: "unknown", tries: 1 } }
      : attempt;
  });
  return { ...state, openAttempts: new Map(openAttempts.map((attempt) => [attempt.attemptId, attempt])) };
}

/**
 * The whole machine: what an event makes of a driver's state, and what is to be done. Fields that
 * did not change keep their reference. Effects come as log, notices, then calls to the platform,
 * which are made in order; each answer is the next event.
 */
export function step(state: DriverState, event: MachineEvent, ctx: StepContext): Step {
  const turn = beginTurn(state, ctx);
  take(turn, event);
  warnOfEnd(turn);
  announcePhase(turn);
  const effects: Effect[] = [];
  if (turn.log.length > 0) effects.push({ kind: "log", events: turn.log });
  if (turn.notices.length > 0) effects.push({ kind: "notify", notices: turn.notices });
  return { state: turn.state, effects: [...effects, ...turn.calls] };
}

function take(turn: Turn, event: MachineEvent): void {
  switch (event.kind) {
    case "woke":
      change(turn, { throttle: calm(turn.state.throttle, turn.ctx.now) });
      cutOff(turn);
      return proceed(turn, { heldIsFresh: false });
    case "profile_changed":
      return takeProfile(turn, event.profile);
    case "news_arrived":
      return takeNews(turn, event.news);
    case "linked":
      return takeLink(turn, event.warehouses);
    case "unlinked":
      return takeUnlink(turn);
    case "warehouses_read":
      return takeWarehouses(turn, event.warehouses);
    case "verification_cleared":
      return change(turn, { verification: null });
    case "polled":
      return takePoll(turn, event);
    case "blocks_read":
      return takeBlocksAnswer(turn, event.outcome);
    case "arriving":
      return isHeldStale(turn) ? readBlocks(turn) : undefined;
    case "check_in_answered":
      return takeCheckIn(turn, event);
    case "accepted": {
      if (isAnswer(event.outcome.kind)) change(turn, { backoff: NO_BACKOFF });
      const next = takeAnswer(turn, event.attemptId, event.outcome);
      return next === "blocks_first" ? readBlocks(turn) : proceed(turn, { heldIsFresh: false });
    }
  }
}

function isAnswer(kind: Extract<MachineEvent, { kind: "accepted" }>["outcome"]["kind"]): boolean {
  return kind === "won" || kind === "already_yours" || kind === "lost";
}

/**
 * The next call, if one may go out now. One question at a time, since an answer can forbid the
 * next: first what is unknown, then a poll that is due, then what the latest answer left to take.
 */
function proceed(turn: Turn, { heldIsFresh }: { heldIsFresh: boolean }): void {
  const { ctx, state } = turn;
  if (!mayCall(state, ctx.now)) return;
  if (hasLookDue(turn)) {
    if (!heldIsFresh) return readBlocks(turn);
    lookAfterUnknown(turn);
    if (turn.calls.length > 0) return;
  }
  if (isPollDue(turn.state, ctx)) return isHeldStale(turn) ? readBlocks(turn) : poll(turn);
  if (takeOffers(turn, { heldIsFresh }) === "blocks_first") readBlocks(turn);
}

function isHeldStale({ state, ctx }: Turn): boolean {
  const { heldReadAt } = state.memory;
  return heldReadAt === null || ctx.now - heldReadAt >= HELD_FRESH_MS;
}

function readBlocks(turn: Turn): void {
  const { now } = turn.ctx;
  if (!mayCall(turn.state, now)) return;
  const starts = [...turn.state.openAttempts.values()].map(({ offer }) => offer.startsAt);
  const from = Math.max(now - HELD_BEHIND_AT_MOST_MS, Math.min(now - HELD_BEHIND_MS, ...starts));
  turn.calls.push({ kind: "read_blocks", from, to: now + HELD_AHEAD_MS });
}

function poll(turn: Turn): void {
  const { profile, warehouses, memory } = turn.state;
  if (!profile) return;
  const { quota } = memory;
  const warehouseIds = rulebookOf(profile, warehouses).selectedIds;
  turn.calls.push({ kind: "poll", warehouseIds, etag: memory.etag });
  // Counted when it goes out: a call without an answer was a call.
  remember(turn, {
    lastPollAt: turn.ctx.now,
    polledVersion: profile.filtersVersion,
    quota: quota && { ...quota, remaining: Math.max(0, quota.remaining - 1) },
  });
}

function takePoll(turn: Turn, { sentAt, outcome }: { sentAt: EpochMs; outcome: PollOutcome }): void {
  const { state, ctx } = turn;
  const { profile, memory } = state;
  if (!profile || state.link.status !== "linked") return;
  const before = memory.lastPollAt;
  remember(turn, { lastPollAt: Math.max(before ?? 0, sentAt) });
  if (outcome.kind !== "offers" && outcome.kind !== "unchanged") return takeFailure(turn, outcome);

  change(turn, { backoff: NO_BACKOFF, throttle: calm(state.throttle, ctx.now) });
  if (outcome.quota) rememberQuota(turn, outcome.quota);
  const listed = outcome.kind === "offers" ? outcome.offers : null;
  watchSilence(turn, {
    listed: listed?.length ?? memory.open.length,
    fresh: listed ? countNew(state, listed) : 0,
  });
  if (outcome.kind === "offers") {
    // Rules that were saved while the poll was under way may select other warehouses.
    const isCurrent = memory.polledVersion === profile.filtersVersion;
    remember(turn, { etag: isCurrent ? outcome.etag : null });
    judgeListing(turn, outcome.offers);
  }
  if (takeOffers(turn, { heldIsFresh: false }) === "blocks_first") readBlocks(turn);
}

function rememberQuota(turn: Turn, quota: Quota): void {
  const quotaWindowMs = quotaWindow(turn.state.memory, { quota, now: turn.ctx.now });
  remember(turn, { quota, quotaWindowMs });
}

function watchSilence(turn: Turn, seen: { listed: number; fresh: number }): void {
  const { now } = turn.ctx;
  const { sightings, memory } = turn.state;
  const next = watchSightings(sightings, { now, answeredAt: memory.answeredAt, ...seen });
  change(turn, { sightings: next });
  remember(turn, { answeredAt: now });
  if (sightings.suspectedAt !== null || next.suspectedAt === null) return;
  turn.log.push({ kind: "silence_suspected", at: now, lastNewAt: next.lastNewAt ?? now });
  turn.notices.push({ kind: "silence_suspected" });
}

function takeBlocksAnswer(turn: Turn, outcome: BlocksOutcome): void {
  if (turn.state.link.status !== "linked") return;
  if (outcome.kind !== "blocks") return takeFailure(turn, outcome);
  change(turn, { backoff: NO_BACKOFF });
  takeBlocks(turn, outcome.blocks);
  proceed(turn, { heldIsFresh: true });
}

/** Saved rules give every offer another chance; the throttle stays as it is. */
function takeProfile(turn: Turn, profile: Profile): void {
  const known = turn.state.profile;
  if (known && profile.revision <= known.revision) return;
  change(turn, { profile });
  if (known?.filtersVersion !== profile.filtersVersion) remember(turn, { etag: null, spent: new Set() });
}

/** The account may be another one: what was read under the old link is not known any more. */
function takeLink(turn: Turn, warehouses: readonly Warehouse[]): void {
  const { triedAt } = turn.state.memory;
  change(turn, {
    link: { status: "linked" },
    verification: null,
    backoff: NO_BACKOFF,
    warehouses,
    memory: { ...BLANK, triedAt },
  });
}

/** Nothing can be asked any more, and under another account a repeat would take the block anew. */
function takeUnlink(turn: Turn): void {
  for (const attempt of turn.state.openAttempts.values()) lose(turn, attempt, "signed_out");
  change(turn, {
    link: { status: "unlinked" },
    verification: null,
    backoff: NO_BACKOFF,
    warehouses: [],
    held: [],
    memory: BLANK,
  });
}

function takeWarehouses(turn: Turn, warehouses: readonly Warehouse[]): void {
  if (JSON.stringify(warehouses) === JSON.stringify(turn.state.warehouses)) return;
  change(turn, { warehouses });
  remember(turn, { etag: null });
}

/** Logs a phase once, and tells the driver once of each that needs them. */
function announcePhase(turn: Turn): void {
  const { now, settings } = turn.ctx;
  const before = turn.state.phase;
  const phase = phaseOf(turn.state, now, settings);
  if (JSON.stringify(phase) === JSON.stringify(before)) return;
  change(turn, { phase });
  turn.log.push({ kind: "phase_changed", at: now, phase });
  if (phase.kind !== before.kind) notifyPhase(turn, phase);
}

function notifyPhase(turn: Turn, phase: Phase): void {
  // Who never linked, or unlinked by themselves, knows.
  if (phase.kind === "needs_link" && turn.state.link.status === "signed_out") {
    turn.notices.push({ kind: "needs_link" });
  }
  if (phase.kind === "verification_required") turn.notices.push({ kind: "verification_required" });
  if (phase.kind === "no_service") {
    turn.notices.push({ kind: "no_service", waitingForSpot: phase.waitingForSpot });
  }
}
