import type { RaffleListResponse } from "../../worker/contract/operators.ts";
import { m } from "./messages/messages.js";

type Raffle = RaffleListResponse["raffles"][number];

/** Where a raffle is, and what comes next. */
export function raffleState(
  { startsAt, endsAt, isDrawn }: Pick<Raffle, "startsAt" | "endsAt" | "isDrawn">,
  now: number,
): { name: string; next: "end" | "draw" | "check" } {
  if (isDrawn) return { name: m.raffle_drawn(), next: "check" };
  if (endsAt <= now) return { name: m.raffle_over(), next: "draw" };
  return { name: startsAt > now ? m.raffle_ahead() : m.raffle_runs(), next: "end" };
}
