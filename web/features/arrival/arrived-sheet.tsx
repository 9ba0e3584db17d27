import { useQuery } from "@tanstack/react-query";
import { readImHere } from "../../api/arrival.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Framed } from "../../ui/framed.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { sayProblem } from "../language/problem-words.ts";

/** The arrived frame over the page, each time with a token of its own. */
export function ArrivedSheet({
  opened,
  onClose,
}: {
  opened: "inside" | "instant" | null;
  onClose: () => void;
}) {
  return (
    <Sheet open={opened !== null} onClose={onClose} title={m.arrival_title()}>
      {opened && <Frame instant={opened === "instant"} />}
    </Sheet>
  );
}

function Frame({ instant }: { instant: boolean }) {
  // Read once for this opening: a frame that is open must not be loaded anew.
  const { data, error, refetch } = useQuery({
    queryKey: ["im-here"],
    queryFn: readImHere,
    staleTime: Infinity,
    gcTime: 0,
  });
  if (data === undefined) {
    return error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton className="h-80" />;
  }
  const search = new URLSearchParams({ token: data, ...(instant ? { instant: "1" } : {}) });
  return <Framed src={`/arrived?${search.toString()}`} title={m.arrived_frame()} device="geolocation" />;
}

function Failed({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  return (
    <div className="grid gap-3">
      <Problem title={m.arrival_failed()} hint={sayProblem(error)} />
      <Button look="primary" onClick={onAgain}>
        {m.try_again()}
      </Button>
    </div>
  );
}
