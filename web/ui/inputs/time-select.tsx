import type { SelectHTMLAttributes } from "react";
import { INPUT_CLASS } from "./field.tsx";

const STEP = 15;
const TIMES: readonly number[] = Array.from({ length: (24 * 60) / STEP }, (_, index) => index * STEP);

type TimeSelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, "value" | "onChange"> & {
  /** In minutes since midnight, as everywhere here. */
  value: number;
  onChange: (minute: number) => void;
  /** In the language of the page, which a time input of the browser doesn't follow. */
  format: (minute: number) => string;
};

/** A time of day, by the quarter of an hour. A value between two quarters stays in the list. */
export function TimeSelect({ value, onChange, format, className = "", ...rest }: TimeSelectProps) {
  const times = TIMES.includes(value) ? TIMES : [...TIMES, value].toSorted((one, other) => one - other);
  return (
    <select
      {...rest}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
      className={`${INPUT_CLASS} min-w-0 ${className}`}
    >
      {times.map((minute) => (
        <option key={minute} value={minute}>
          {format(minute)}
        </option>
      ))}
    </select>
  );
}
