import { m } from "../../messages/messages.js";

/** The main switch, large enough for a thumb in a glove. */
export function SystemSwitch({
  on,
  busy,
  disabled,
  onChange,
}: {
  on: boolean;
  busy: boolean;
  /** While offline; the text beside it says so. */
  disabled: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <button
      type="button"
      role="switch"
      data-testid="system-switch"
      aria-checked={on}
      aria-label={m.switch_label()}
      aria-describedby="system-state"
      aria-busy={busy}
      disabled={disabled}
      onClick={() => !busy && onChange(!on)}
      className="group flex h-14 w-24 shrink-0 items-center rounded-full border-2 border-edge bg-ground p-1.5 min-[23rem]:h-16 min-[23rem]:w-28 transition-colors duration-200 aria-busy:opacity-75 disabled:opacity-55 aria-checked:border-signal aria-checked:bg-signal"
    >
      <span className="grid size-10 min-[23rem]:size-12 place-items-center rounded-full bg-edge transition-transform duration-200 group-aria-checked:translate-x-10 min-[23rem]:group-aria-checked:translate-x-12 group-aria-checked:bg-on-signal">
        <span className="h-5 w-1 rounded-full bg-ground group-aria-checked:bg-signal" />
      </span>
    </button>
  );
}
