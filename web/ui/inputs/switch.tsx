/**
 * A switch whose visible label is elsewhere. Its target is 44 px. It keeps the focus while a press of it is under way: the
 * browser would take it from a disabled button.
 */
export function Switch({
  checked,
  onChange,
  label,
  disabled = false,
  describedBy,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
  disabled?: boolean;
  describedBy?: string;
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      aria-describedby={describedBy}
      aria-disabled={disabled}
      onClick={() => disabled || onChange(!checked)}
      className="group grid h-11 w-13 shrink-0 place-items-center rounded-field aria-disabled:opacity-55"
    >
      <span className="flex h-7 w-12 items-center rounded-full border-2 border-edge bg-sunken p-0.5 transition-colors duration-150 group-aria-checked:border-ink group-aria-checked:bg-ink">
        <span className="size-5 rounded-full bg-edge transition-transform duration-150 group-aria-checked:translate-x-5 group-aria-checked:bg-ground" />
      </span>
    </button>
  );
}
