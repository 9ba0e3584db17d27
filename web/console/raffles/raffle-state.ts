import type { EpochMs } from "../../../db/shapes/units.ts";
import { ENTRIES_CLOSE_AFTER_MS } from "../../../db/shapes/money/raffle.ts";
import type { RaffleListResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { m } from "../messages/messages.js";

type Raffle = RaffleListResponse["raffles"][number];
type RaffleState = { name: () => string; next: "end" | "draw" | "check" | null };

/** The states as the server names them. */
const RAFFLE_STATES = {
  ahead: { name: m.raffle_ahead, next: "end" },
  running: { name: m.raffle_runs, next: "end" },
  over: { name: m.raffle_over, next: "draw" },
  drawn: { name: m.raffle_drawn, next: "check" },
} as const satisfies Record<Raffle["status"], RaffleState>;

/** A raffle that can't be drawn any more: nothing comes next. */
const COMPENSATED: RaffleState = { name: m.raffle_compensated, next: null };

/** The state as the server has it, whatever the raffle waits for. */
export function outcomeOf({ status, isCompensated }: Pick<Raffle, "status" | "isCompensated">): RaffleState {
  return isCompensated ? COMPENSATED : RAFFLE_STATES[status];
}

/** Where a raffle is, what comes next, and until when it waits for that: for its entries to close, then for the beacon. */
export function raffleState(
  raffle: Pick<Raffle, "status" | "isCompensated" | "hasBeacon" | "closing" | "endsAt">,
  now: EpochMs,
): RaffleState & { waitsUntil: EpochMs | null } {
  const { status, isCompensated, hasBeacon, closing, endsAt } = raffle;
  if (status !== "over" || isCompensated || !hasBeacon) return { ...outcomeOf(raffle), waitsUntil: null };
  if (closing === null)
    return { name: m.raffle_closing, next: "draw", waitsUntil: endsAt + ENTRIES_CLOSE_AFTER_MS };
  return closing.roundAt > now
    ? { name: m.raffle_waiting, next: "draw", waitsUntil: closing.roundAt }
    : { ...RAFFLE_STATES.over, waitsUntil: null };
}
