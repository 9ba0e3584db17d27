import { CatchBoundary } from "@tanstack/react-router";
import { lazy, Suspense, type ComponentProps, type ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";
import { FeedSkeleton, NextBlockSkeleton, TodaySkeleton } from "./states.tsx";

/** The live parts below the first card: not needed for the first paint. */
const NextBlock = lazy(async () => ({ default: (await import("./next-block.tsx")).NextBlock }));
const Feed = lazy(async () => ({ default: (await import("./feed.tsx")).Feed }));
const TodaySummary = lazy(async () => ({ default: (await import("./today-summary.tsx")).TodaySummary }));

/** The next block, once the first paint is there. */
export function LazyNextBlock({ isPainted, ...props }: ComponentProps<typeof NextBlock> & Painted) {
  return (
    <LivePart isPainted={isPainted} skeleton={<NextBlockSkeleton />}>
      <NextBlock {...props} />
    </LivePart>
  );
}

/** The offers, once the first paint is there. */
export function LazyFeed({ isPainted, ...props }: ComponentProps<typeof Feed> & Painted) {
  return (
    <LivePart isPainted={isPainted} skeleton={<FeedSkeleton />}>
      <Feed {...props} />
    </LivePart>
  );
}

/** Today's counts, once the first paint is there. */
export function LazyTodaySummary({ isPainted, ...props }: ComponentProps<typeof TodaySummary> & Painted) {
  return (
    <LivePart isPainted={isPainted} skeleton={<TodaySkeleton />}>
      <TodaySummary {...props} />
    </LivePart>
  );
}

type Painted = { isPainted: boolean };

/** Shows its skeleton until its code has loaded, offline too: the device has what it shows. */
function LivePart({ isPainted, skeleton, children }: Painted & { skeleton: ReactNode; children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => isPainted} errorComponent={LivePartError}>
      <Suspense fallback={skeleton}>{isPainted ? children : skeleton}</Suspense>
    </CatchBoundary>
  );
}

function LivePartError(caught: CaughtError) {
  return (
    <section className="card">
      <LoadError {...caught} isPart title={m.live_failed_title()} />
    </section>
  );
}
