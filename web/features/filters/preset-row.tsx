/** Presets side by side, the present one pressed. */
export function PresetRow<Name extends string>({
  label,
  names,
  labels,
  current,
  onChoose,
}: {
  label: string;
  names: readonly Name[];
  labels: Record<Name, () => string>;
  current: Name | null;
  onChoose: (name: Name) => void;
}) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{label}</legend>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === current}
          onClick={() => onChoose(name)}
          className="min-h-11 rounded-field border border-edge px-3 text-sm font-semibold hover:bg-sunken aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-ground"
        >
          {labels[name]()}
        </button>
      ))}
    </fieldset>
  );
}
