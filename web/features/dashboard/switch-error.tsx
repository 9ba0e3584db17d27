import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { possibleNow } from "../../../db/shapes/work/possible-now.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { errorCodeOf, RequestError } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { gapMessages } from "../filters/gap-messages.ts";
import { useUser } from "../session/use-user.ts";
import { errorMessage } from "../language/error-messages.ts";

/** Why the switch could not be turned on or off, with a link to what fixes it. */
export function SwitchError({
  error,
  system,
  now,
}: {
  error: unknown;
  system: Pick<Snapshot, "phase" | "isLinked">;
  now: EpochMs;
}) {
  // The driver's object comes first: it may have learned it since the refusal.
  const code = possibleNow(system, now).mustLink ? "not_linked" : errorCodeOf(error);
  const { waitingForSpot } = useUser();
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-field border border-warn p-3">
      <TriangleAlert aria-hidden className="size-5 shrink-0 text-warn" />
      <p className="min-w-48 flex-1 text-sm">
        {code === "no_service" && waitingForSpot ? m.problem_waiting_for_spot() : messageFor(code, error)}
      </p>
      {code === "not_linked" && (
        <Link to="/flex/login" className={buttonClass("plain")}>
          {m.phase_needs_link_action()}
        </Link>
      )}
      {code === "filters_incomplete" && (
        <Link to="/flex/filters" className={buttonClass("plain")}>
          {m.switch_go_filters()}
        </Link>
      )}
      {code === "no_service" && !waitingForSpot && (
        <Link to="/flex/payments" className={buttonClass("plain")}>
          {m.switch_go_payments()}
        </Link>
      )}
    </div>
  );
}

function messageFor(code: ReturnType<typeof errorCodeOf>, error: unknown): string {
  if (code === "filters_incomplete")
    return m.switch_refused_filters({ todo: gapMessages(error instanceof RequestError ? error.fields : {}) });
  if (code === "not_linked") return m.phase_needs_link_detail();
  if (code === "no_service") return m.switch_refused_service();
  return errorMessage(error);
}
