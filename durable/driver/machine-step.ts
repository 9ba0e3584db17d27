import type { DriverState, Effect, MachineEvent } from "../engine/types.ts";

/** One step of the machine: the event, the state before and after it, and the effects. */
export type MachineStep = {
  before: DriverState;
  event: MachineEvent;
  state: DriverState;
  effects: readonly Effect[];
};
