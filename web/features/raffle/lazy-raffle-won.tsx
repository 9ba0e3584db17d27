import { Suspense } from "react";
import { lazyOptional } from "../../ui/lazy-optional.ts";

/** Rarely shown, so not in the dashboard's own code. Where it can't be fetched, the raffle's own page says it. */
const RaffleWon = lazyOptional(async () => (await import("./raffle-won.tsx")).RaffleWon);

export function LazyRaffleWon() {
  return (
    <Suspense fallback={null}>
      <RaffleWon />
    </Suspense>
  );
}
