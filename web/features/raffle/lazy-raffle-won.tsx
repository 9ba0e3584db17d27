import { lazy, Suspense, type ComponentType } from "react";

/** Rarely shown, so not in the dashboard's own code. Where it can't be fetched, the raffle's own page says it. */
const RaffleWon = lazy<ComponentType>(() =>
  import("./raffle-won.tsx").then(
    (loaded) => ({ default: loaded.RaffleWon }),
    () => ({ default: () => null }),
  ),
);

export function LazyRaffleWon() {
  return (
    <Suspense fallback={null}>
      <RaffleWon />
    </Suspense>
  );
}
