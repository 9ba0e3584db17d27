import type { RaffleListResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { m } from "../messages/messages.js";

type Status = RaffleListResponse["raffles"][number]["status"];

/** Where a raffle is, and what comes next. */
export const RAFFLE_STATES = {
  ahead: { name: m.raffle_ahead, next: "end" },
  running: { name: m.raffle_runs, next: "end" },
  over: { name: m.raffle_over, next: "draw" },
  drawn: { name: m.raffle_drawn, next: "check" },
} as const satisfies Record<Status, { name: () => string; next: "end" | "draw" | "check" }>;
