import { CatchBoundary } from "@tanstack/react-router";
import { Suspense, type ReactNode } from "react";
import { Pending } from "../../ui/pending.tsx";
import type { CaughtError } from "./load-error.tsx";

/** Around a part of a screen that loads and fails independently of the rest. */
export function LoadBoundary({
  skeleton,
  errorComponent,
  resetKey,
  children,
}: {
  skeleton: ReactNode;
  errorComponent: (caught: CaughtError) => ReactNode;
  /** Another one tries again. */
  resetKey?: unknown;
  children: ReactNode;
}) {
  return (
    <CatchBoundary getResetKey={() => resetKey} errorComponent={errorComponent}>
      <Suspense fallback={<Pending>{skeleton}</Pending>}>{children}</Suspense>
    </CatchBoundary>
  );
}
