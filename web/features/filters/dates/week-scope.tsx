import type { LocalDate } from "../../../../db/shapes/work/local-date.ts";
import { m } from "../../../messages/messages.js";
import { addDays, mondayOf } from "./dates.ts";
import { formatLocalDate } from "./date-labels.ts";

/** Which week is edited: every one, or that of a Monday alone. */
export type Scope = { kind: "every" } | { kind: "one"; monday: LocalDate };

/** The scope once its week may be over: from Sunday's midnight on this week is the one that begins then. */
export function currentScope(chosen: Scope, today: LocalDate): Scope {
  const monday = mondayOf(today);
  return chosen.kind === "one" && chosen.monday < monday ? { kind: "one", monday } : chosen;
}

/** Every week, this one or the next. */
export function WeekScope({
  scope,
  onChoose,
  today,
}: {
  scope: Scope;
  onChoose: (scope: Scope) => void;
  today: LocalDate;
}) {
  const monday = mondayOf(today);
  const scopes: readonly { label: string; value: Scope }[] = [
    { label: m.week_scope_every(), value: { kind: "every" } },
    { label: m.week_scope_this(), value: { kind: "one", monday } },
    { label: m.week_scope_next(), value: { kind: "one", monday: addDays(monday, 7) } },
  ];
  return (
    <fieldset className="mt-3">
      <legend className="sr-only">{m.week_scope()}</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,5rem),1fr))] gap-2">
        {scopes.map(({ label, value }) => (
          <button
            key={label}
            type="button"
            aria-pressed={keyOf(value) === keyOf(scope)}
            onClick={() => onChoose(value)}
            className="min-h-11 min-w-0 rounded-field border border-edge px-2 py-1 text-sm leading-tight font-semibold hover:bg-sunken aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-ground"
          >
            {label}
          </button>
        ))}
      </div>
      {scope.kind === "one" && (
        <p className="figures mt-2 text-sm text-soft">
          {m.week_scope_only({
            first: formatLocalDate(scope.monday),
            last: formatLocalDate(addDays(scope.monday, 6)),
          })}
        </p>
      )}
    </fieldset>
  );
}

function keyOf(scope: Scope): string {
  return scope.kind === "every" ? "" : scope.monday;
}
