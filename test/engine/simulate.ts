import { nextWakeAt, step } from "../../durable/engine/machine.ts";
import type {
  AcceptOutcome,
  Attempt,
  Block,
  DriverState,
  Effect,
  EngineSettings,
  LogEvent,
  MachineEvent,
  Notice,
  Offer,
  PlatformFailure,
  Quota,
} from "../../durable/engine/types.ts";
import type { EpochMs } from "../../durable/engine/units.ts";
import { ctx, makeBlock, SETTINGS } from "./world.ts";

/** An offer with the time in which the platform lists it. */
export type Drop = { offer: Offer; from: EpochMs; to: EpochMs };

/** What goes wrong with a call: its answer is a failure, before or after its effect. */
export type Fault = { failure: PlatformFailure; hasEffect: boolean };
export type Call = "poll" | "read_blocks" | "accept";

/** A delivery platform of a few lines: lists, gives once, repeats its first answer to a key, meters calls. */
export class Platform {
  readonly polls: EpochMs[] = [];
  readonly accepts: { at: EpochMs; attempt: Attempt; state: DriverState }[] = [];
  readonly calls: { at: EpochMs; call: Call }[] = [];
  blocks: Block[] = [];
  drops: Drop[];
  readonly #fault: (call: Call, at: EpochMs) => Fault | null;
  readonly #meter: { limit: number; windowMs: number } | null;
  readonly #answers = new Map<string, AcceptOutcome>();
  #window = { startedAt: -Infinity, spent: 0 };

  constructor(given: {
    drops?: Drop[];
    fault?: (call: Call, at: EpochMs) => Fault | null;
    meter?: { limit: number; windowMs: number };
  }) {
    this.drops = given.drops ?? [];
    this.#fault = given.fault ?? (() => null);
    this.#meter = given.meter ?? null;
  }

  poll(now: EpochMs): Extract<MachineEvent, { kind: "polled" }>["outcome"] {
    this.polls.push(now);
    this.calls.push({ at: now, call: "poll" });
    const quota = this.#spend(now);
    if (quota === "spent") return { kind: "rate_limited", retryAt: null };
    const fault = this.#fault("poll", now);
    if (fault) return fault.failure;
    const taken = new Set(this.blocks.map(({ offerId }) => offerId));
    const listed = this.drops.filter(
      ({ offer, from, to }) => from <= now && now < to && !taken.has(offer.offerId),
    );
    return { kind: "offers", offers: listed.map(({ offer }) => offer), quota, etag: null };
  }

  readBlocks(now: EpochMs): Extract<MachineEvent, { kind: "blocks_read" }>["outcome"] {
    this.calls.push({ at: now, call: "read_blocks" });
    return this.#fault("read_blocks", now)?.failure ?? { kind: "blocks", blocks: [...this.blocks] };
  }

  accept(now: EpochMs, attempt: Attempt): AcceptOutcome {
    this.calls.push({ at: now, call: "accept" });
    const fault = this.#fault("accept", now);
    if (fault && !fault.hasEffect) return fault.failure;
    const answer = this.#answers.get(attempt.attemptId) ?? this.#give(now, attempt);
    this.#answers.set(attempt.attemptId, answer);
    return fault ? fault.failure : answer;
  }

  #give(now: EpochMs, { offer, payAtLeastCents }: Attempt): AcceptOutcome {
    const drop = this.drops.findLast(
      ({ offer: { offerId }, from, to }) => offerId === offer.offerId && from <= now && now < to,
    );
    const mine = this.blocks.find(({ offerId }) => offerId === offer.offerId);
    if (mine) return { kind: "already_yours", block: mine };
    if (!drop) return { kind: "lost", reason: "offer_gone" };
    if (drop.offer.payCents < payAtLeastCents) return { kind: "lost", reason: "pay_changed" };
    const block = makeBlock(drop.offer, { acceptedAt: now });
    this.blocks.push(block);
    return { kind: "won", block };
  }

  #spend(now: EpochMs): Quota | null | "spent" {
    if (!this.#meter) return null;
    const { limit, windowMs } = this.#meter;
    if (now - this.#window.startedAt >= windowMs) this.#window = { startedAt: now, spent: 0 };
    if (this.#window.spent >= limit) return "spent";
    this.#window.spent += 1;
    const resetAt = now + Math.ceil((this.#window.startedAt + windowMs - now) / 1000) * 1000;
    return { limit, remaining: limit - this.#window.spent, resetAt };
  }
}

export type Session = { state: DriverState; now: EpochMs; log: LogEvent[]; notices: Notice[]; wakes: number };

/**
 * Runs the machine against a platform as the driver's object does: rings when it asks to, makes
 * its calls in order, hands every answer back. `script` events come at their own instants, also
 * in the middle of a call.
 */
export function runSession(
  start: DriverState,
  given: {
    platform: Platform;
    from: EpochMs;
    until: EpochMs;
    roll?: () => number;
    settings?: EngineSettings;
    callMs?: number;
    script?: { at: EpochMs; event: MachineEvent }[];
    onStep?: (before: DriverState, after: DriverState, event: MachineEvent) => void;
  },
): Session {
  const { platform, until, roll = () => 0.5, settings = SETTINGS, callMs = 40, onStep } = given;
  const script = (given.script ?? []).toSorted((one, other) => one.at - other.at);
  const session: Session = { state: start, now: given.from, log: [], notices: [], wakes: 0 };

  function apply(event: MachineEvent): void {
    const before = session.state;
    const { state, effects } = step(before, event, ctx(session.now, roll(), settings));
    session.state = state;
    onStep?.(before, state, event);
    for (const effect of effects) perform(effect);
  }

  function pass(ms: number): void {
    session.now += ms;
    while (script[0] && script[0].at <= session.now) apply(script.shift()!.event);
  }

  function perform(effect: Effect): void {
    switch (effect.kind) {
      case "log":
        session.log.push(...effect.events);
        return;
      case "notify":
        session.notices.push(...effect.notices);
        return;
      case "poll": {
        const sentAt = session.now;
        const outcome = platform.poll(sentAt);
        pass(callMs);
        return apply({ kind: "polled", sentAt, outcome });
      }
      case "read_blocks": {
        const outcome = platform.readBlocks(session.now);
        pass(callMs);
        return apply({ kind: "blocks_read", outcome });
      }
      case "accept": {
        const state = session.state;
        const answers = effect.attempts.map((attempt) => {
          platform.accepts.push({ at: session.now, attempt, state });
          return { attemptId: attempt.attemptId, outcome: platform.accept(session.now, attempt) };
        });
        for (const answer of answers) {
          pass(callMs);
          apply({ kind: "accepted", ...answer });
        }
      }
    }
  }

  for (let still = 0; ;) {
    const before = session.now;
    const at = nextWakeAt(session.state, ctx(session.now, roll(), settings));
    const scripted = script[0]?.at ?? Infinity;
    if (Math.min(at ?? Infinity, scripted) >= until) return session;
    if (at === null || scripted <= at) pass(Math.max(0, scripted - session.now));
    else {
      session.now = Math.max(session.now, at);
      session.wakes += 1;
      apply({ kind: "woke" });
    }
    still = session.now === before ? still + 1 : 0;
    if (still > 20) throw new Error(`the machine rings without end at ${session.now}`);
  }
}
