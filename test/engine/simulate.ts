import { nextWakeAt } from "../../durable/engine/next-wake.ts";
import { step } from "../../durable/engine/machine.ts";
import type { AcceptOutcome, PlatformFailure } from "../../durable/engine/state/outcomes.ts";
import type {
  DriverState,
  Effect,
  EngineSettings,
  MachineEvent,
  DriverNotification,
} from "../../durable/engine/state/types.ts";
import type { Attempt } from "../../db/shapes/log/attempt.ts";
import type { Block } from "../../db/shapes/work/offer.ts";
import type { LogEvent } from "../../db/shapes/log/driver-log.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import { ctx, makeBlock, SETTINGS, type ListedOffer } from "./fixtures.ts";
import type { QuotaMeter } from "./quota/quota-meter.ts";

/** A failed call, which may have taken effect all the same. */
export type SimulatedFault = { failure: PlatformFailure; hasEffect: boolean };
export type PlatformCall = "poll" | "read_blocks" | "accept" | "check_verification";

/** A minimal delivery platform: lists offers, gives each away once, honors idempotency keys and a quota. */
export class SimulatedPlatform {
  readonly polls: EpochMs[] = [];
  readonly accepts: { at: EpochMs; attempt: Attempt; state: DriverState }[] = [];
  readonly calls: { at: EpochMs; call: PlatformCall }[] = [];
  blocks: Block[] = [];
  /** When the driver takes the selfie that the platform asks for. */
  verifiedAt: EpochMs = 0;
  listedOffers: ListedOffer[];
  readonly #fault: (call: PlatformCall, at: EpochMs) => SimulatedFault | null;
  readonly #meter: QuotaMeter | null;
  readonly #answers = new Map<string, AcceptOutcome>();

  constructor(given: {
    listedOffers?: ListedOffer[];
    fault?: (call: PlatformCall, at: EpochMs) => SimulatedFault | null;
    meter?: QuotaMeter;
  }) {
    this.listedOffers = given.listedOffers ?? [];
    this.#fault = given.fault ?? (() => null);
    this.#meter = given.meter ?? null;
  }

  poll(now: EpochMs): Extract<MachineEvent, { kind: "polled" }>["outcome"] {
    this.polls.push(now);
    this.calls.push({ at: now, call: "poll" });
    const quota = this.#meter?.spend(now) ?? null;
    if (quota && "retryAt" in quota) return { kind: "rate_limited", ...quota };
    const fault = this.#fault("poll", now);
    if (fault) return fault.failure;
    const acceptedIds = new Set(this.blocks.map(({ offerId }) => offerId));
    const listed = this.listedOffers.filter(
      ({ offer, from, to }) => from <= now && now < to && !acceptedIds.has(offer.offerId),
    );
    return { kind: "offers", offers: listed.map(({ offer }) => offer), quota, etag: null };
  }

  readBlocks(now: EpochMs): Extract<MachineEvent, { kind: "blocks_read" }>["outcome"] {
    this.calls.push({ at: now, call: "read_blocks" });
    return this.#fault("read_blocks", now)?.failure ?? { kind: "blocks", blocks: [...this.blocks] };
  }

  checkVerification(now: EpochMs): Extract<MachineEvent, { kind: "verification_checked" }>["outcome"] {
    this.calls.push({ at: now, call: "check_verification" });
    const failure = this.#fault("check_verification", now)?.failure;
    return failure ?? { kind: "verification", required: now < this.verifiedAt };
  }

  accept(now: EpochMs, attempt: Attempt): AcceptOutcome {
    this.calls.push({ at: now, call: "accept" });
    const fault = this.#fault("accept", now);
    if (fault && !fault.hasEffect) return fault.failure;
    const answer = this.#answers.get(attempt.attemptId) ?? this.#resolveAccept(now, attempt);
    this.#answers.set(attempt.attemptId, answer);
    return fault ? fault.failure : answer;
  }

  #resolveAccept(now: EpochMs, { offer, payAtLeastCents }: Attempt): AcceptOutcome {
    const drop = this.listedOffers.findLast(
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
}

export type Simulation = {
  state: DriverState;
  now: EpochMs;
  log: LogEvent[];
  notifications: DriverNotification[];
  wakes: number;
};

/** The response to a call, and its time. */
type Answer = { at: EpochMs; event: MachineEvent };

/**
 * Runs the machine against a platform as the driver's object does: wakes it when it asks to, makes its calls and
 * feeds back every outcome after the time that the call takes. Calls overlap. `script` events are applied at their
 * own instants, even during a call.
 */
export function runSimulation(
  start: DriverState,
  given: {
    platform: SimulatedPlatform;
    from: EpochMs;
    until: EpochMs;
    roll?: () => number;
    settings?: EngineSettings;
    callMs?: number | ((call: PlatformCall, at: EpochMs) => number);
    script?: { at: EpochMs; event: MachineEvent }[];
    onStep?: (before: DriverState, after: DriverState, event: MachineEvent) => void;
  },
): Simulation {
  const { platform, until, roll = () => 0.5, settings = SETTINGS, callMs = 40, onStep } = given;
  const script = (given.script ?? []).toSorted((one, other) => one.at - other.at);
  const answers: Answer[] = [];
  const simulation: Simulation = { state: start, now: given.from, log: [], notifications: [], wakes: 0 };

  function apply(event: MachineEvent): void {
    const before = simulation.state;
    const { state, effects } = step(before, event, ctx(simulation.now, roll(), settings));
    simulation.state = state;
    onStep?.(before, state, event);
    for (const effect of effects) perform(effect);
  }

  function answerLater(call: PlatformCall, event: MachineEvent): void {
    const takesMs = typeof callMs === "number" ? callMs : callMs(call, simulation.now);
    const at = simulation.now + takesMs;
    const later = answers.findIndex((other) => other.at > at);
    answers.splice(later === -1 ? answers.length : later, 0, { at, event });
  }

  function perform(effect: Effect): void {
    const { now, state } = simulation;
    switch (effect.kind) {
      case "log":
        simulation.log.push(...effect.events);
        return;
      case "notify":
        simulation.notifications.push(...effect.notifications);
        return;
      case "poll":
        return answerLater("poll", { kind: "polled", sentAt: now, outcome: platform.poll(now) });
      case "read_blocks":
        return answerLater("read_blocks", { kind: "blocks_read", outcome: platform.readBlocks(now) });
      case "check_verification":
        return answerLater("check_verification", {
          kind: "verification_checked",
          outcome: platform.checkVerification(now),
        });
      case "accept":
        for (const attempt of effect.attempts) {
          platform.accepts.push({ at: now, attempt, state });
          const outcome = platform.accept(now, attempt);
          answerLater("accept", { kind: "accepted", attemptId: attempt.attemptId, outcome });
        }
    }
  }

  for (let idleSteps = 0; ;) {
    const before = simulation.now;
    const wakeAt = nextWakeAt(simulation.state, ctx(before, roll(), settings)) ?? Infinity;
    const answeredAt = answers[0]?.at ?? Infinity;
    const scriptedAt = script[0]?.at ?? Infinity;
    const next = Math.min(wakeAt, answeredAt, scriptedAt);
    if (next >= until) return simulation;
    simulation.now = Math.max(before, next);
    if (scriptedAt === next) apply(script.shift()!.event);
    else if (answeredAt === next) apply(answers.shift()!.event);
    else {
      simulation.wakes += 1;
      apply({ kind: "woke" });
    }
    idleSteps = simulation.now === before ? idleSteps + 1 : 0;
    if (idleSteps > 40) throw new Error(`the machine wakes in an endless loop at ${simulation.now}`);
  }
}
