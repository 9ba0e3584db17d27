import { BellRing, WifiOff } from "lucide-react";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { updateLinking } from "../../api/queries/setup.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { useSecondsUntil, useRefetchSetupWhen } from "./countdown.ts";
import { formatCountdown } from "../language/format.ts";
import { LinkingStepLayout } from "./linking-step-layout.tsx";
import { PendingActions } from "./pending-actions.tsx";

/** The driver approves the sign-in on their device. `failure`: why the latest status check failed, or null. */
export function ApprovalStep({ expiresAt, failure }: { expiresAt: EpochMs; failure: unknown }) {
  const secondsLeft = useSecondsUntil(expiresAt);
  useRefetchSetupWhen(secondsLeft === 0);
  return (
    <LinkingStepLayout step="approval" title={m.linking_approval_title()} text={m.linking_approval_text()}>
      {failure !== null && <Banner Icon={WifiOff}>{m.linking_not_reached()}</Banner>}
      <div className="card grid justify-items-center gap-3 px-5 py-8">
        <span className="grid size-16 animate-[breathe_1.6s_ease-in-out_infinite] place-items-center rounded-full bg-signal text-on-signal">
          <BellRing aria-hidden className="size-7" />
        </span>
        <output className="font-display text-lg font-semibold">{m.linking_approval_waiting()}</output>
        <p className="figures text-soft">{m.linking_approval_left({ left: formatCountdown(secondsLeft) })}</p>
      </div>
      <p className="text-sm text-soft">{m.linking_approval_missing()}</p>
      <PendingActions />
      <Button variant="quiet" onClick={() => updateLinking({ isRestarting: true })}>
        {m.linking_anew()}
      </Button>
    </LinkingStepLayout>
  );
}
