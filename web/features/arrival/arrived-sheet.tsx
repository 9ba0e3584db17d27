import { lazy, useState } from "react";
import { m } from "../../messages/messages.js";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadBoundary } from "../errors/load-boundary.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

const ArrivedFrame = lazy(async () => ({ default: (await import("./arrived-frame.tsx")).ArrivedFrame }));

/** The check-in page in a frame over this one, each time with a new token. */
export function ArrivedSheet({ mode, onClose }: { mode: "inside" | "instant" | null; onClose: () => void }) {
  return (
    <Sheet open={mode !== null} onClose={onClose} title={m.arrival_title()}>
      {mode && <Opening instant={mode === "instant"} />}
    </Sheet>
  );
}

function Opening({ instant }: { instant: boolean }) {
  const [openingId] = useState(() => crypto.randomUUID());
  return (
    <LoadBoundary skeleton={<Skeleton className="h-80" />} errorComponent={ArrivedError}>
      <ArrivedFrame openingId={openingId} instant={instant} />
    </LoadBoundary>
  );
}

function ArrivedError(caught: CaughtError) {
  return <LoadError {...caught} title={m.arrival_failed()} />;
}
