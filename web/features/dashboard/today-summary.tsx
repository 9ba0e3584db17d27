import { Link } from "@tanstack/react-router";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { DEVICE_TIME_ZONE, formatCount, formatMoney, formatTime } from "../language/format.ts";
import { useUnheardToday } from "../live/use-live.ts";
import { LimitsUsed } from "./limits-used.tsx";

/** Today's counts, each a link to its list, and what is used of the limits. */
export function TodaySummary({
  system: { today, usedLimits, timeZone },
  currency,
}: {
  system: Pick<Snapshot, "today" | "usedLimits" | "timeZone">;
  currency: string;
}) {
  const unheardSince = useUnheardToday();
  const now = useNow(MINUTE_MS);
  const figures = [
    { type: "won", name: m.today_captured(), count: today.captured },
    { type: "disliked", name: m.today_passed(), count: today.passedOver },
    { type: "lost", name: m.today_gone(), count: today.gone },
  ] as const;
  return (
    <section className="card p-5 pb-2" data-testid="today">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-lg">{m.today_title()}</h2>
        {unheardSince === null && (
          <p className="figures font-semibold text-good">
            {m.today_earned({ money: formatMoney(today.capturedCents, currency) })}
          </p>
        )}
      </div>
      {unheardSince === null ? (
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
      ) : (
        <p className="mt-1 mb-3 text-soft">
          {m.today_unheard({ time: formatTime(unheardSince, { timeZone: DEVICE_TIME_ZONE, now }) })}
        </p>
      )}
      <LimitsUsed system={{ usedLimits, timeZone }} currency={currency} />
    </section>
  );
}
