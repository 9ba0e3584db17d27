import { CircleAlert, Hourglass, Moon, type LucideIcon } from "lucide-react";
import { m } from "../../messages/messages.js";
import type { Light } from "./phase-messages.ts";

type Look = { track: string; knob: string; Icon: LucideIcon | null };

/** Told apart by fill, outline and sign, not by colour alone. */
const LOOKS = {
  answering: { track: "border-signal bg-signal", knob: "bg-on-signal text-signal", Icon: null },
  waiting: { track: "border-warn bg-ground", knob: "bg-warn text-ground", Icon: Hourglass },
  action_required: { track: "border-bad bg-ground", knob: "bg-bad text-ground", Icon: CircleAlert },
  asleep: { track: "border-edge bg-sunken", knob: "bg-soft text-ground", Icon: Moon },
  off: { track: "border-edge bg-ground", knob: "bg-edge text-ground", Icon: null },
} satisfies Record<Light, Look>;

/** The main switch, large enough for a thumb in a glove. It shines only while the platform answers. */
export function SystemSwitch({
  on,
  light,
  busy,
  disabled,
  onChange,
}: {
  on: boolean;
  light: Light;
  busy: boolean;
  /** While offline; the text beside it says so. */
  disabled: boolean;
  onChange: (on: boolean) => void;
}) {
  const { track, knob, Icon } = LOOKS[on ? light : "off"];
  return (
    <button
      type="button"
      role="switch"
      data-testid="system-switch"
      data-light={on ? light : "off"}
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
