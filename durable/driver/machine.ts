import type { DriverOwner } from "../../db/shapes/profile.ts";
import type { AttemptId, EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../deps.ts";
import { capStoredWait } from "../engine/state/cadence.ts";
import { initialState, recover } from "../engine/initial-state.ts";
import { nextWakeAt } from "../engine/next-wake.ts";
import { step } from "../engine/machine.ts";
import { maySendAccept } from "../engine/attempts/unsettled-attempts.ts";
import { recallQuota } from "../engine/quota/memory.ts";
import type { DriverState, MachineEvent, PlatformCall, StepContext } from "../engine/state/types.ts";
import type { Recorder } from "./recorder.ts";
import type { Store } from "./storage/store.ts";

type MachineDeps = { deps: Deps; store: Store; recorder: Recorder };

/** The driver's state machine and its storage: a step is computed, saved and recorded before `step` returns. */
export class Machine {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #recorder: Recorder;
  #state: DriverState;
  #owner: DriverOwner | null;
  /** Whether the stored wait was longer than any that we obey, so that the alarm is set too late. */
  readonly hadFarWait: boolean;

  constructor({ deps, store, recorder }: MachineDeps) {
    this.#deps = deps;
    this.#store = store;
    this.#recorder = recorder;
    this.#owner = store.state.owner();
    const saved = store.load(freshState());
    const recovered = recallQuota(recover(saved), deps.now());
    const throttle = capStoredWait(recovered.throttle, deps.now());
    this.hadFarWait = throttle !== recovered.throttle;
    this.#state = this.hadFarWait ? { ...recovered, throttle } : recovered;
    store.save(saved, this.#state);
  }

  get state(): DriverState {
    return this.#state;
  }

  /** The driver that the object belongs to; null until the Worker has set it, and after the account is deleted. */
  get owner(): DriverOwner | null {
    return this.#owner;
  }

  /**
   * Processes one event. Returns the platform calls to make; all other effects are already stored and sent to the
   * dashboards.
   */
  step(event: MachineEvent): readonly PlatformCall[] {
    const before = this.#state;
    const { state, effects } = step(before, event, this.#context());
    this.#state = state;
    this.#store.save(before, state);
    this.#recorder.record({ before, event, state, effects }, this.#owner, this.#deps.now());
    return effects.filter((effect) => effect.kind !== "log" && effect.kind !== "notify");
  }

  /** Whether an accept may leave now, by the state of this moment. */
  maySendAccept(attemptId: AttemptId): boolean {
    return maySendAccept(this.#state, attemptId, this.#deps.now());
  }

  /** When the machine has something to do next; null if only another event gives it something. */
  nextWakeAt(): EpochMs | null {
    return nextWakeAt(this.#state, this.#context());
  }

  /** @returns whether the object now belongs to a different driver */
  setOwner(owner: DriverOwner): boolean {
    const isOther = owner.driverId !== this.#owner?.driverId;
    if (JSON.stringify(owner) === JSON.stringify(this.#owner)) return isOther;
    this.#owner = owner;
    this.#store.state.write("owner", owner);
    return isOther;
  }

  /** Removes the owner. */
  disown(): void {
    this.#owner = null;
  }

  /** Resets the state in memory to match the erased storage. */
  reset(): void {
    this.#owner = null;
    this.#state = freshState();
  }

  #context(): StepContext {
    return { now: this.#deps.now(), roll: this.#deps.roll(), settings: this.#deps.config.engine };
  }
}

function freshState(): DriverState {
  return initialState(crypto.randomUUID().slice(0, 13));
}
