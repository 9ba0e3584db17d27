import { Link } from "@tanstack/react-router";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { possibleNow } from "../../../db/shapes/work/possible-now.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { LazySameAgainLink } from "../payments/service-time.tsx";
import { homePathFor } from "../session/home-path.ts";
import { useUser } from "../session/use-user.ts";
import { SelfieButton } from "../linking/selfie-button.tsx";
import { ReloadButton } from "../../ui/reload-button.tsx";

/** The driver's next step in the current phase, where there is one. */
export function PhaseAction({ system, now }: { system: Pick<Snapshot, "phase" | "isLinked">; now: EpochMs }) {
  const { phase } = system;
  const { mustLink, mustPay } = possibleNow(system, now);
  if (mustLink) {
    return (
      <Link to="/flex/login" className={buttonClass("primary", "w-full")}>
        {m.phase_needs_link_action()}
      </Link>
    );
  }
  switch (phase.kind) {
    case "verification_required":
      return phase.url === null ? null : <SelfieButton url={phase.url} />;
    case "no_service":
      return !mustPay ? null : (
        <LazySameAgainLink
          fallback={
            <Link to="/flex/payments" className={buttonClass("primary", "w-full")}>
              {m.switch_go_payments()}
            </Link>
          }
        />
      );
    case "limit_reached":
      return phase.until === null ? (
        <Link to="/flex/filters" hash="limits" className={buttonClass("primary", "w-full")}>
          {m.phase_limit_open_action()}
        </Link>
      ) : null;
    case "asleep":
      return phase.until === null ? (
        <Link to="/flex/filters" hash="week" className={buttonClass("primary", "w-full")}>
          {m.switch_confirm_days()}
        </Link>
      ) : null;
    case "off":
      return <MissingStep />;
    case "other":
      return <ReloadButton />;
    case "needs_link":
    case "polling":
    case "throttled":
    case "quota_used_up":
    case "weekly_limit":
    case "unreachable":
    case "unreadable":
    case "blocks_unreadable":
      return null;
  }
}

/** The conditions for turning it on. Missing days have a notice of their own. */
function MissingStep() {
  const path = homePathFor(useUser());
  if (path !== "/flex/login" && path !== "/flex/filters") return null;
  return (
    <Link to={path} className={buttonClass("primary", "w-full")}>
      {path === "/flex/login" ? m.phase_needs_link_action() : m.switch_go_filters()}
    </Link>
  );
}
