import { createStore } from "@tanstack/react-store";
import { useId } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { formatCount } from "../language/format.ts";

/** How many points the driver wants to use. Survives a change of plan or language. */
export const pointsStore = createStore(0);

/** How many points to spend on this payment; without any points, how to earn them. */
export function PointsSlider({
  balance,
  max,
  chosen,
  onChange,
}: {
  balance: number;
  /** The lesser of the plan's cost and the balance. */
  max: number;
  chosen: number;
  onChange: (points: number) => void;
}) {
  const id = useId();
  if (balance === 0) return <p className="text-sm text-soft">{m.pay_points_none()}</p>;
  return (
    <div className="grid gap-1">
      <div className="flex items-center justify-between gap-3">
        <label htmlFor={id} className="text-sm font-semibold">
          {m.pay_points_use()}
        </label>
        <output htmlFor={id} className="figures text-sm">
          {m.pay_points_of({ points: formatCount(chosen), balance: formatCount(balance) })}
        </output>
      </div>
      <div className="flex items-center gap-3">
        <input
          id={id}
          type="range"
          // Of no form: Enter must not pay.
          form=""
          min={0}
          max={max}
          value={chosen}
          onChange={(event) => onChange(Number(event.target.value))}
          aria-valuetext={m.pay_points_of({ points: formatCount(chosen), balance: formatCount(balance) })}
          className="h-11 min-w-0 flex-1 accent-ink"
        />
        <Button variant="quiet" onClick={() => onChange(chosen === max ? 0 : max)}>
          {chosen === max ? m.pay_points_clear() : m.pay_points_all()}
        </Button>
      </div>
    </div>
  );
}
