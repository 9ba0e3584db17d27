import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import type { Snapshot } from "../../../db/shapes/live.ts";
import { m } from "../../messages/messages.js";
import { useStaleSince } from "./use-live.ts";
import { DEVICE_TIME_ZONE, formatTime } from "../language/format.ts";
import { useNow } from "../../ui/use-now.ts";
import { Button } from "../../ui/button.tsx";
import { openSheet } from "../ui-state/ui-store.ts";
import { SystemSwitch } from "./system-switch.tsx";
import { PhaseAction } from "./phase-action.tsx";
import { phaseMessage, type PhaseTone } from "./phase-messages.ts";
import { LastChecked, PollSparkline } from "./poll-sparkline.tsx";
import { SwitchError } from "./switch-error.tsx";
import { ServiceEnding, ServiceUntil } from "../payments/service-time.tsx";
import { TurnOffSheet } from "./turn-off-sheet.tsx";
import { useSystemSwitch } from "./use-system-switch.ts";

const TONES = {
  good: "text-ink",
  idle: "text-ink",
  waiting: "text-warn",
  action_required: "text-bad",
} satisfies Record<PhaseTone, string>;

type System = Pick<Snapshot, "switchedOn" | "phase" | "serviceUntil" | "timeZone">;

/** The switch, what the system is doing, its polls, and the service time left. */
export function SystemCard({ system, phoneNumber }: { system: System; phoneNumber: string }) {
  const { switchedOn, phase, serviceUntil, timeZone } = system;
  const [isConfirming, setConfirming] = useState(false);
  const { mutate, isPending, variables, error } = useSystemSwitch(phoneNumber);
  const isOn = isPending ? variables : switchedOn;
  const now = useNow(15_000);
  const message = phaseMessage(phase, { timeZone, now });
  const staleSince = useStaleSince();
  const pending = isOn ? m.switch_turning_on() : m.switch_turning_off();
  const turnOff = () => {
    setConfirming(false);
    mutate(false);
  };
  return (
    <>
      <section
        className="asphalt grid grid-cols-1 gap-4 rounded-card border border-line p-5"
        data-testid="system-card"
      >
        <div className="flex items-center gap-3 sm:gap-6">
          <output id="system-state" className="block min-w-0 flex-1" data-phase={phase.kind}>
            <h2
              className={`text-xl wrap-anywhere min-[23rem]:text-2xl ${isPending || staleSince !== null ? "text-soft" : TONES[message.tone]}`}
            >
              {isPending ? pending : message.title}
            </h2>
          </output>
          <SystemSwitch
            on={isOn}
            busy={isPending}
            disabled={staleSince !== null}
            onChange={(on) => (on ? mutate(true) : setConfirming(true))}
          />
        </div>
        <p className="max-w-prose text-soft">
          {staleSince === null
            ? message.detail
            : m.switch_cut({ time: formatTime(staleSince, { timeZone: DEVICE_TIME_ZONE, now }) })}
        </p>
        {!isPending && error && <SwitchError error={error} />}
        <PhaseAction phase={phase} />
        {!isPending && !error && phase.kind !== "no_service" && (
          <ServiceEnding until={serviceUntil} timeZone={timeZone} />
        )}
        <PollSparkline />
        <div className="flex flex-wrap justify-between gap-x-6 gap-y-1">
          <p className="figures text-sm text-soft">
            <LastChecked />
          </p>
          <ServiceUntil until={serviceUntil} timeZone={timeZone} />
        </div>
        <Button
          className="lg:hidden"
          aria-haspopup="dialog"
          data-testid="open-filters-sheet"
          onClick={() => openSheet("filters")}
        >
          <SlidersHorizontal aria-hidden className="size-4.5" />
          {m.filters_short_open()}
        </Button>
      </section>
      <TurnOffSheet open={isConfirming} onClose={() => setConfirming(false)} onTurnOff={turnOff} />
    </>
  );
}
