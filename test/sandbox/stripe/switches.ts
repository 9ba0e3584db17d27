import type { State } from "../state.ts";
import type { Switches } from "./shapes.ts";

export const switchesOf = (state: State): Switches =>
  state.payments.switches.get("switches") ?? { declineNext: null, redirectNext: false };
export const setSwitches = (state: State, switches: Switches): void =>
  state.payments.switches.set("switches", switches);
