import type { DriverOwner } from "../../db/shapes/profile.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../deps.ts";
import { initialState, nextWakeAt, recover, step } from "../engine/machine.ts";
import type { DriverState, MachineEvent, PlatformCall, StepContext } from "../engine/types.ts";
import type { Recorder } from "./recorder.ts";
import type { Store } from "./storage/store.ts";

type MachineDeps = { deps: Deps; store: Store; recorder: Recorder };

/** The driver's state machine over its storage: a step is loaded, taken, saved and recorded before it returns. */
export class Machine {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #recorder: Recorder;
  #state: DriverState;
  #owner: DriverOwner | null;

  constructor({ deps, store, recorder }: MachineDeps) {
    this.#deps = deps;
    this.#store = store;
    this.#recorder = recorder;
    this.#owner = store.state.owner();
    const saved = store.load(freshState());
    this.#state = recover(saved);
    store.save(saved, this.#state);
  }

  get state(): DriverState {
    return this.#state;
  }

  /** Whose machine it is; null until the Worker says so, and after the account was deleted. */
  get owner(): DriverOwner | null {
    return this.#owner;
  }

  /** One step. Answers the calls that it asks for; everything else it led to is written and shown already. */
  step(event: MachineEvent): readonly PlatformCall[] {
    const before = this.#state;
    const { state, effects } = step(before, event, this.#context());
    this.#state = state;
    this.#store.save(before, state);
    this.#recorder.record({ before, event, state, effects }, this.#owner, this.#deps.now());
    return effects.filter((effect) => effect.kind !== "log" && effect.kind !== "notify");
  }

  /** When the machine has something to do next; null where only an event can change that. */
  nextWakeAt(): EpochMs | null {
    return nextWakeAt(this.#state, this.#context());
  }

  /** @returns whether the object belongs to somebody else than before */
  setOwner(owner: DriverOwner): boolean {
    const isOther = owner.driverId !== this.#owner?.driverId;
    if (JSON.stringify(owner) === JSON.stringify(this.#owner)) return isOther;
    this.#owner = owner;
    this.#store.state.write("owner", owner);
    return isOther;
  }

  /** Belongs to nobody from now on. */
  disown(): void {
    this.#owner = null;
  }

  /** Back to the beginning, as the storage is. */
  reset(): void {
    this.#state = freshState();
  }

  #context(): StepContext {
    return { now: this.#deps.now(), roll: this.#deps.roll(), settings: this.#deps.config.engine };
  }
}

function freshState(): DriverState {
  return initialState(crypto.randomUUID().slice(0, 13));
}
