import { CircleCheck, CircleHelp, CircleX, Hourglass, type LucideIcon } from "lucide-react";
import { CITY_STATES, type CityState } from "../../../db/shapes/city-health.ts";
import { BARS_HEIGHT, BARS_WIDTH } from "../../../worker/contract/health-bars.ts";
import { m } from "../../messages/messages.js";

/** The facts in a row. */
export type RowFacts = {
  city: string;
  state: CityState;
  text: string;
  trouble: string;
  /** The data of the path that draws the days of a state. */
  bars: (state: CityState) => string;
};

const LOOKS: Record<CityState, { Icon: LucideIcon; text: string; fill: string }> = {
  working: { Icon: CircleCheck, text: "text-good", fill: "fill-good" },
  slow: { Icon: Hourglass, text: "text-warn", fill: "fill-warn" },
  down: { Icon: CircleX, text: "text-bad", fill: "fill-bad" },
  unknown: { Icon: CircleHelp, text: "text-soft", fill: "fill-edge" },
};

/** A city: how it is now, and its last 30 days as bars, the lower the worse. */
export function HealthRow({ facts, row }: { facts: RowFacts; row?: string }) {
  const { city, state, text, trouble, bars } = facts;
  const { Icon, text: colour } = LOOKS[state];
  return (
    <li {...(row && { "data-row": row })} className="grid gap-3 p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="text-lg wrap-anywhere">{city}</h2>
        <p className={`figures flex items-center gap-2 font-semibold ${colour}`}>
          <Icon aria-hidden className="size-5 shrink-0" />
          {text}
        </p>
      </div>
      <svg
        aria-hidden
        viewBox={`0 0 ${BARS_WIDTH} ${BARS_HEIGHT}`}
        preserveAspectRatio="none"
        className="h-8 w-full"
      >
        {CITY_STATES.map((of) => (
          <path key={of} className={LOOKS[of].fill} d={bars(of)} />
        ))}
      </svg>
      <p className="text-sm text-soft">{trouble}</p>
    </li>
  );
}

/** The meaning of the bars. */
export function HealthLegend() {
  const names = {
    working: m.health_working(),
    slow: m.health_slow(),
    down: m.health_down(),
    unknown: m.health_unknown(),
  };
  const heights = { working: "h-4", slow: "h-2.5", down: "h-1.5", unknown: "h-0.5" };
  return (
    <div className="grid gap-1 text-sm text-soft">
      <p>{m.health_days()}</p>
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {CITY_STATES.map((state) => (
          <li key={state} className="flex items-center gap-2">
            <svg
              aria-hidden
              viewBox="0 0 8 16"
              preserveAspectRatio="none"
              className={`w-2 ${heights[state]}`}
            >
              <path className={LOOKS[state].fill} d="M0 0h8v16h-8z" />
            </svg>
            {names[state]}
          </li>
        ))}
      </ul>
    </div>
  );
}
