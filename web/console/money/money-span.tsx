import { useState } from "react";
import { formatCount } from "../../features/language/format.ts";
import { Button } from "../../ui/button.tsx";
import { Field, INPUT_CLASS } from "../../ui/inputs/field.tsx";
import { m } from "../messages/messages.js";
import { daysUpTo, parseDays, SPANS, type Days } from "./money-days.ts";

/** The chosen days: some up to today, or any others. */
export function MoneySpan({
  days,
  today,
  onChange,
}: {
  days: Days;
  today: string;
  onChange: (days: Days) => void;
}) {
  const isSpan = (count: number) => {
    const span = daysUpTo(today, count);
    return span.from === days.from && span.to === days.to;
  };
  const [isOwn, setOwn] = useState(!SPANS.some(isSpan));
  const [typed, setTyped] = useState(days);
  const type = (part: Partial<Days>) => {
    const changed = { ...typed, ...part };
    setTyped(changed);
    const parsed = parseDays(changed);
    if (parsed) onChange(parsed);
  };
  return (
    <div className="grid gap-3">
      <fieldset aria-label={m.span()} className="flex flex-wrap gap-2">
        {SPANS.map((count) => (
          <Button
            key={count}
            className="text-sm aria-pressed:border-ink aria-pressed:bg-sunken"
            aria-pressed={!isOwn && isSpan(count)}
            onClick={() => {
              setOwn(false);
              setTyped(daysUpTo(today, count));
              onChange(daysUpTo(today, count));
            }}
          >
            {count === 1 ? m.span_today() : m.span_days({ count: formatCount(count) })}
          </Button>
        ))}
        <Button
          className="text-sm aria-pressed:border-ink aria-pressed:bg-sunken"
          aria-pressed={isOwn}
          onClick={() => setOwn(true)}
        >
          {m.span_own()}
        </Button>
      </fieldset>
      {isOwn && (
        <div className="grid max-w-md grid-cols-2 gap-3">
          <Field label={m.field_first_day()} error={parseDays(typed) === null ? m.issue_days() : undefined}>
            {(props) => (
              <input
                {...props}
                type="date"
                value={typed.from}
                max={today}
                onChange={(event) => type({ from: event.target.value })}
                className={INPUT_CLASS}
              />
            )}
          </Field>
          <Field label={m.field_last_day()}>
            {(props) => (
              <input
                {...props}
                type="date"
                value={typed.to}
                max={today}
                onChange={(event) => type({ to: event.target.value })}
                className={INPUT_CLASS}
              />
            )}
          </Field>
        </div>
      )}
    </div>
  );
}
