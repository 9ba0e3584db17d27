import { useId } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { sayCount } from "../language/format.ts";

/** How many of the driver's points go into this payment. Without any, how they are earned. */
export function PointsSlider({
  balance,
  most,
  chosen,
  onChange,
}: {
  balance: number;
  /** No more than the plan costs, and no more than there are. */
  most: number;
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
          {m.pay_points_of({ points: sayCount(chosen), balance: sayCount(balance) })}
        </output>
      </div>
      <div className="flex items-center gap-3">
        <input
          id={id}
          type="range"
          min={0}
          max={most}
          value={chosen}
          onChange={(event) => onChange(Number(event.target.value))}
          aria-valuetext={m.pay_points_of({ points: sayCount(chosen), balance: sayCount(balance) })}
          className="h-11 min-w-0 flex-1 accent-ink"
        />
        <Button look="quiet" onClick={() => onChange(chosen === most ? 0 : most)}>
          {chosen === most ? m.pay_points_clear() : m.pay_points_all()}
        </Button>
      </div>
    </div>
  );
}
