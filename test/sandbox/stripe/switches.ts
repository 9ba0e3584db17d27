import type { State } from "../state.ts";
import type { Switches } from "./shapes.ts";

export const switchesOf = (state: State): Switches => ({
  declineNext: null,
  redirectNext: false,
  wallets: true,
  booksLate: false,
  ...state.payments.switches.get("switches"),
});
export const setSwitches = (state: State, switches: Switches): void =>
  state.payments.switches.set("switches", switches);
