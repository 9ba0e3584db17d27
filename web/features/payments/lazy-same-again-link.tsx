import { lazy, Suspense, type ComponentProps, type ReactNode } from "react";
import type { SameAgainLink } from "./same-again-link.tsx";

/** Only for who has no service left, or little. Where it can't be fetched, the plans are one tap further. */
const Link = lazy<(props: ComponentProps<typeof SameAgainLink>) => ReactNode>(() =>
  import("./same-again-link.tsx").then(
    (loaded) => ({ default: loaded.SameAgainLink }),
    () => ({ default: ({ fallback = null }) => fallback }),
  ),
);

/** A link to the same again, for a driver who has what it needs; else `fallback`, or nothing. */
export function LazySameAgainLink({ fallback = null, ...props }: ComponentProps<typeof SameAgainLink>) {
  return (
    <Suspense fallback={fallback}>
      <Link fallback={fallback} {...props} />
    </Suspense>
  );
}
