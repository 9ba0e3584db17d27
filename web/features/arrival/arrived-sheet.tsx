import { useQuery } from "@tanstack/react-query";
import { fetchArrivalToken } from "../../api/arrival.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { SandboxedFrame } from "../../ui/sandboxed-frame.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { errorMessage } from "../language/error-messages.ts";

/** The arrived frame over the page, each time with a token of its own. */
export function ArrivedSheet({ mode, onClose }: { mode: "inside" | "instant" | null; onClose: () => void }) {
  return (
    <Sheet open={mode !== null} onClose={onClose} title={m.arrival_title()}>
      {mode && <ArrivedFrame instant={mode === "instant"} />}
    </Sheet>
  );
}

function ArrivedFrame({ instant }: { instant: boolean }) {
  // Read once for this opening: a frame that is open must not be loaded anew.
  const { data, error, refetch } = useQuery({
    queryKey: ["im-here"],
    queryFn: fetchArrivalToken,
    staleTime: Infinity,
    gcTime: 0,
  });
  if (data === undefined) {
    return error ? (
      <ArrivedError error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-80" />
    );
  }
  const search = new URLSearchParams({ token: data, ...(instant ? { instant: "1" } : {}) });
  return (
    <SandboxedFrame src={`/arrived?${search.toString()}`} title={m.arrived_frame()} allow="geolocation" />
  );
}

function ArrivedError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="grid gap-3">
      <FormError title={m.arrival_failed()} hint={errorMessage(error)} />
      <Button variant="primary" onClick={onRetry}>
        {m.try_again()}
      </Button>
    </div>
  );
}
