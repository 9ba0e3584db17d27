import { Link } from "@tanstack/react-router";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { m } from "../../messages/messages.js";
import { formatCount, formatMoney } from "../language/format.ts";
import { LimitsUsed } from "./limits-used.tsx";

/** Today's counts, each a link to its list, and what is used of the limits. */
export function TodaySummary({
  system: { today, usedLimits, timeZone },
  currency,
}: {
  system: Pick<Snapshot, "today" | "usedLimits" | "timeZone">;
  currency: string;
}) {
  const figures = [
    { type: "won", name: m.today_captured(), count: today.captured },
    { type: "disliked", name: m.today_passed(), count: today.passedOver },
    { type: "lost", name: m.today_gone(), count: today.gone },
  ] as const;
  return (
    <section className="card p-5 pb-2" data-testid="today">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-lg">{m.today_title()}</h2>
        <p className="figures font-semibold text-good">
          {m.today_earned({ money: formatMoney(today.capturedCents, currency) })}
        </p>
      </div>
      <ul className="-mx-2 mt-1 grid grid-cols-[repeat(auto-fit,minmax(min(100%,6.25rem),1fr))]">
        {figures.map(({ type, name, count }) => (
          <li key={type}>
            <Link
              to="/flex/blocks"
              search={{ type }}
              data-testid={`today-${type}`}
              className="block h-full rounded-field px-2 py-2 hover:bg-sunken max-[23rem]:px-1"
            >
              <span className="figures block font-display text-2xl leading-tight font-bold">
                {formatCount(count)}
              </span>
              <span className="block text-xs text-soft min-[23rem]:text-sm">{name}</span>
            </Link>
          </li>
        ))}
      </ul>
      <LimitsUsed system={{ usedLimits, timeZone }} currency={currency} />
    </section>
  );
}
