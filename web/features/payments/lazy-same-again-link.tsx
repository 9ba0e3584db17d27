import { Suspense, type ComponentProps } from "react";
import { lazyOptional } from "../../ui/lazy-optional.ts";
import type { SameAgainLink } from "./same-again-link.tsx";

/** Only for who has no service left, or little. Where it can't be fetched, the plans are one tap further. */
const Link = lazyOptional(
  async () => (await import("./same-again-link.tsx")).SameAgainLink,
  ({ fallback = null }) => fallback,
);

/** A link to the same again, for a driver who has what it needs; else `fallback`, or nothing. */
export function LazySameAgainLink({ fallback = null, ...props }: ComponentProps<typeof SameAgainLink>) {
  return (
    <Suspense fallback={fallback}>
      <Link fallback={fallback} {...props} />
    </Suspense>
  );
}
