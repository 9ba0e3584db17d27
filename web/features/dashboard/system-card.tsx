import { useState, type ReactNode } from "react";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { m } from "../../messages/messages.js";
import { useStaleSince } from "../live/use-live.ts";
import { DEVICE_TIME_ZONE, formatTime } from "../language/format.ts";
import { useOnline } from "../../ui/use-online.ts";
import { useNow } from "../../ui/use-now.ts";
import { PhaseAction } from "./phase-action.tsx";
import { ModeControl } from "./mode-control.tsx";
import { lightOf, pausedMessage, phaseMessage, retryAtOf, type Light } from "./phase-messages.ts";
import { AnswerTime, Pulse } from "./pulse.tsx";
import { SwitchError } from "./switch-error.tsx";
import { ServiceEnding, ServiceUntil } from "../payments/service-time.tsx";
import { useSystemSwitch } from "../live/use-system-switch.ts";
import { Link } from "@tanstack/react-router";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { CircleAlert, Ellipsis, Hourglass, Moon, WifiOff, type LucideIcon } from "lucide-react";

/** `offline`: what this device last knew, which may be over. */
type CardLight = Light | "offline";

const CARDS = {
  answering: { border: "border-line", title: "text-ink" },
  starting: { border: "border-line", title: "text-ink" },
  waiting: { border: "border-warn", title: "text-warn" },
  action_required: { border: "border-bad", title: "text-bad" },
  asleep: { border: "border-line", title: "text-ink" },
  off: { border: "border-line", title: "text-soft" },
  offline: { border: "border-dashed border-edge", title: "text-soft" },
} satisfies Record<CardLight, { border: string; title: string }>;

type System = Pick<
  Snapshot,
  | "switchedOn"
  | "phase"
  | "isLinked"
  | "serviceUntil"
  | "pausedUntil"
  | "timeZone"
  | "mode"
  | "specialMode"
  | "lastPollAt"
>;

type Look = { track: string; knob: string; Icon: LucideIcon | null };

/** Told apart by fill, outline and sign, not by colour alone. */
const LOOKS = {
  answering: { track: "border-signal bg-signal", knob: "bg-on-signal text-signal", Icon: null },
  starting: { track: "border-edge bg-sunken", knob: "bg-soft text-ground", Icon: Ellipsis },
  waiting: { track: "border-warn bg-ground", knob: "bg-warn text-ground", Icon: Hourglass },
  action_required: { track: "border-bad bg-ground", knob: "bg-bad text-ground", Icon: CircleAlert },
  asleep: { track: "border-edge bg-sunken", knob: "bg-soft text-ground", Icon: Moon },
  off: { track: "border-edge bg-ground", knob: "bg-edge text-ground", Icon: null },
  offline: { track: "border-dashed border-edge bg-ground", knob: "bg-sunken text-soft", Icon: WifiOff },
} satisfies Record<CardLight, Look>;

/** The switch, what the system is doing, the platform's answers, the service time left and the mode. */
export function SystemCard({
  system,
  phoneNumber,
  children,
}: {
  system: System;
  phoneNumber: string;
  /** Figures between the state and its details. */
  children?: ReactNode;
}) {
  const { switchedOn, phase, isLinked, serviceUntil, pausedUntil, timeZone, mode, specialMode, lastPollAt } =
    system;
  const [isConfirming, setConfirming] = useState(false);
  const { mutate, isPending, variables, error } = useSystemSwitch(phoneNumber);
  const isOn = isPending ? variables : switchedOn;
  const now = useNow(15_000);
  const message = pausedMessage(system, { timeZone, now }) ?? phaseMessage(phase, { timeZone, now });
  const staleSince = useStaleSince();
  const isCurrent = !isPending && staleSince === null;
  // Between a tap and the answer nothing is known, so nothing shines.
  const light: CardLight =
    staleSince !== null ? "offline" : isCurrent ? lightOf(message, lastPollAt) : isOn ? "starting" : "off";
  // Over where it is as it was to be: the answer alone was lost, or another device did it.
  const isRefused = !isPending && error !== null && variables !== switchedOn;
  const pending = isOn ? m.switch_turning_on() : m.switch_turning_off();
  const isOnline = useOnline();
  const cutTitle = isOnline ? m.switch_no_connection() : m.offline_title();
  const title = isPending ? pending : staleSince === null ? message.title : cutTitle;
  const turnOff = () => {
    setConfirming(false);
    mutate(false);
  };
  return (
    <>
      <section
        className={`asphalt grid grid-cols-1 gap-2 rounded-card border-2 p-4 sm:gap-4 sm:p-5 ${CARDS[light].border}`}
        data-testid="system-card"
      >
        <div className="flex flex-wrap items-center justify-end gap-3 sm:gap-6">
          <output id="system-state" className="block min-w-[min(100%,8.5rem)] flex-1" data-phase={phase.kind}>
            <h2
              className={`text-xl wrap-anywhere min-[23rem]:text-2xl ${isCurrent ? CARDS[light].title : "text-soft"}`}
            >
              {title}
            </h2>
          </output>
          <SystemSwitch
            on={isOn}
            light={light}
            busy={isPending}
            disabled={staleSince !== null}
            onChange={(on) => (on ? mutate(true) : setConfirming(true))}
          />
        </div>
        {children}
        {staleSince !== null && (
          <p className="font-semibold text-soft">{m.switch_last_known({ state: message.title })}</p>
        )}
        <p className={`max-w-prose text-soft ${light === "answering" ? "max-sm:hidden" : ""}`}>
          {staleSince === null
            ? message.detail
            : m.switch_cut({ time: formatTime(staleSince, { timeZone: DEVICE_TIME_ZONE, now }) })}
        </p>
        {isRefused && <SwitchError error={error} system={{ phase, isLinked }} now={now} />}
        {/* A refusal has its own. */}
        {!(isRefused && phase.kind === "off") && <PhaseAction system={{ phase, isLinked }} now={now} />}
        {!isPending && !isRefused && phase.kind !== "no_service" && (
          <ServiceEnding until={serviceUntil} timeZone={timeZone} />
        )}
        <Pulse isAnswering={light === "answering"} />
        <div className="flex flex-wrap justify-between gap-x-6 gap-y-1">
          <p className="figures flex flex-wrap gap-x-3 text-sm text-soft" data-testid="last-answer">
            <AnswerTime
              isWaiting={staleSince !== null || (light === "waiting" && phase.kind !== "no_service")}
              retryAt={isCurrent ? retryAtOf(phase) : null}
            />
          </p>
          <ServiceUntil until={serviceUntil} pausedUntil={pausedUntil} timeZone={timeZone} isShort />
        </div>
        <ModeControl saved={{ mode, specialMode }} disabled={staleSince !== null} />
      </section>
      <TurnOffSheet open={isConfirming} onClose={() => setConfirming(false)} onTurnOff={turnOff} />
    </>
  );
}

/** Confirms turning off, and suggests disabling days instead. */
function TurnOffSheet({
  open,
  onClose,
  onTurnOff,
}: {
  open: boolean;
  onClose: () => void;
  onTurnOff: () => void;
}) {
  return (
    <Sheet open={open} onClose={onClose} edge="middle" role="alertdialog" title={m.switch_confirm_title()}>
      <p className="text-soft">{m.switch_confirm_text()}</p>
      <div className="mt-5 grid gap-3">
        <Link to="/flex/filters" hash="week" className={buttonClass("primary")}>
          {m.switch_confirm_days()}
        </Link>
        <Button variant="danger" onClick={onTurnOff}>
          {m.switch_confirm_off()}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {m.cancel()}
        </Button>
      </div>
    </Sheet>
  );
}

/** The main switch, large enough for a thumb in a glove. It shines only while the platform answers. */
function SystemSwitch({
  on,
  light,
  busy,
  disabled,
  onChange,
}: {
  on: boolean;
  light: CardLight;
  busy: boolean;
  /** While offline; the text beside it says so. */
  disabled: boolean;
  onChange: (on: boolean) => void;
}) {
  const shown = on || light === "offline" ? light : "off";
  const { track, knob, Icon } = LOOKS[shown];
  return (
    <button
      type="button"
      role="switch"
      data-testid="system-switch"
      data-light={shown}
      aria-checked={on}
      aria-label={m.switch_label()}
      aria-describedby="system-state"
      aria-busy={busy}
      disabled={disabled}
      onClick={() => !busy && onChange(!on)}
      className={`group flex h-14 w-24 shrink-0 items-center rounded-full border-2 p-1.5 transition-colors duration-200 min-[23rem]:h-16 min-[23rem]:w-28 aria-busy:opacity-75 disabled:opacity-55 ${track}`}
    >
      <span
        className={`grid size-10 place-items-center rounded-full transition-transform duration-200 min-[23rem]:size-12 group-aria-checked:translate-x-10 min-[23rem]:group-aria-checked:translate-x-12 ${knob}`}
      >
        {Icon ? (
          <Icon aria-hidden className="size-6" />
        ) : (
          <span className="h-5 w-1 rounded-full bg-current" />
        )}
      </span>
    </button>
  );
}
