import { useSuspenseQuery } from "@tanstack/react-query";
import { fetchArrivalToken } from "../../api/queries/arrival.ts";
import { m } from "../../messages/messages.js";
import { SandboxedFrame } from "../../ui/sandboxed-frame.tsx";

/** The check-in page, with a token of its own. @param openingId another one asks for another token */
export function ArrivedFrame({ openingId, instant }: { openingId: string; instant: boolean }) {
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
