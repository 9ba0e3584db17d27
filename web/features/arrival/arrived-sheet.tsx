import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchArrivalToken } from "../../api/arrival.ts";
import { m } from "../../messages/messages.js";
import { SandboxedFrame } from "../../ui/sandboxed-frame.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadBoundary } from "../errors/load-boundary.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

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

function ArrivedFrame({ openingId, instant }: { openingId: string; instant: boolean }) {
  // Never refetched: another token would reload the open frame.
  const { data: token } = useSuspenseQuery({
    queryKey: ["im-here", openingId],
    queryFn: fetchArrivalToken,
    staleTime: Infinity,
    gcTime: 0,
  });
  const search = new URLSearchParams({ token, ...(instant ? { instant: "1" } : {}) });
  return (
    <SandboxedFrame src={`/arrived?${search.toString()}`} title={m.arrived_frame()} allow="geolocation" />
  );
}

function ArrivedError(caught: CaughtError) {
  return <LoadError {...caught} title={m.arrival_failed()} />;
}
