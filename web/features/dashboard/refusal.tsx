import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { codeOf } from "../../api/problem.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { sayProblem } from "../language/problem-words.ts";

/** Why the switch did not turn, and where to go about it. */
export function Refusal({ error }: { error: unknown }) {
  const code = codeOf(error);
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-field border border-warn p-3">
      <TriangleAlert aria-hidden className="size-5 shrink-0 text-warn" />
      <p className="min-w-48 flex-1 text-sm">{wordsFor(code, error)}</p>
      {code === "filters_incomplete" && (
        <Link to="/flex/filters" className={buttonClass("plain")}>
          {m.switch_go_filters()}
        </Link>
      )}
      {code === "no_service" && (
        <Link to="/flex/payments" className={buttonClass("plain")}>
          {m.switch_go_payments()}
        </Link>
      )}
    </div>
  );
}

function wordsFor(code: ReturnType<typeof codeOf>, error: unknown): string {
  if (code === "filters_incomplete") return m.switch_refused_filters();
  if (code === "no_service") return m.switch_refused_service();
  return sayProblem(error);
}
