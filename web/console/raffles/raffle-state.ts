import type { EpochMs } from "../../../db/shapes/units.ts";
import { ENTRIES_CLOSE_AFTER_MS } from "../../../db/shapes/money/raffle.ts";
import type { RaffleListResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { m } from "../messages/messages.js";

type Raffle = RaffleListResponse["raffles"][number];
type RaffleState = { name: () => string; next: "end" | "draw" | "check" };

/** The states as the server names them. */
export const RAFFLE_STATES = {
  ahead: { name: m.raffle_ahead, next: "end" },
  running: { name: m.raffle_runs, next: "end" },
  over: { name: m.raffle_over, next: "draw" },
  drawn: { name: m.raffle_drawn, next: "check" },
} as const satisfies Record<Raffle["status"], RaffleState>;

/** Where a raffle is, what comes next, and until when it waits for that: for its entries to close, then for the beacon. */
export function raffleState(
  { status, hasBeacon, closing, endsAt }: Pick<Raffle, "status" | "hasBeacon" | "closing" | "endsAt">,
  now: EpochMs,
): RaffleState & { waitsUntil: EpochMs | null } {
  if (status !== "over" || !hasBeacon) return { ...RAFFLE_STATES[status], waitsUntil: null };
  if (closing === null)
    return { name: m.raffle_closing, next: "draw", waitsUntil: endsAt + ENTRIES_CLOSE_AFTER_MS };
  return closing.roundAt > now
    ? { name: m.raffle_waiting, next: "draw", waitsUntil: closing.roundAt }
    : { ...RAFFLE_STATES.over, waitsUntil: null };
}
