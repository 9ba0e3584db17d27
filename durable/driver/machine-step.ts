import type { EpochMs } from "../../db/shapes/units.ts";
import type { DriverState, Effect, MachineEvent } from "../engine/state/types.ts";

/** One step of the machine: the event, the state before and after it, and the effects. */
export type MachineStep = {
  before: DriverState;
  event: MachineEvent;
  state: DriverState;
  effects: readonly Effect[];
};

/** Is told of each step once it is stored. */
export type StepListener = { note(step: MachineStep, now: EpochMs): void };
