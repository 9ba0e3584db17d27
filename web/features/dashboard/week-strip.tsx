import { Link } from "@tanstack/react-router";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { HOUR_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { countInputs, formatMoney } from "../language/format.ts";
import { weekOfBlocks } from "../offers/blocks-by-day.ts";

/** A day with this much work fills its column. */
const FULL_DAY_HOURS = 10;

/** The held blocks of the next seven days, today's first: one column a day, as tall as the day's work is long. */
export function WeekStrip({
  held,
  timeZone,
  now,
}: {
  held: readonly Block[];
  timeZone: string;
  now: EpochMs;
}) {
  const days = weekOfBlocks(held, { timeZone, from: now });
  const blocks = days.flatMap((day) => day.blocks);
  const [first] = blocks;
  const cents = blocks.reduce((sum, { payCents }) => sum + payCents, 0);
  return (
    <Link
      to="/flex/blocks"
      search={{ type: "upcoming" }}
      data-testid="week-strip"
      className="-mx-2 grid grid-cols-1 gap-2 rounded-field px-2 py-2 hover:bg-sunken"
    >
      <span aria-hidden className="grid grid-cols-7 gap-1.5">
        {days.map((day, index) => (
          <span key={day.key} className="grid justify-items-center gap-1">
            <span className="flex h-10 w-full items-end overflow-hidden rounded-[5px] bg-sunken">
              {day.blocks.length > 0 && (
                <span
                  className="block w-full rounded-[5px] bg-ink"
                  style={{ height: heightOf(day.blocks) }}
                />
              )}
            </span>
            <span className={`text-xs ${index === 0 ? "font-semibold" : "text-soft"}`}>{day.narrowName}</span>
          </span>
        ))}
      </span>
      <span className="figures flex flex-wrap justify-between gap-x-3 text-sm">
        <span className="underline underline-offset-4">{m.week_blocks(countInputs(blocks.length))}</span>
        {first && <span className="font-semibold">{formatMoney(cents, first.currency)}</span>}
      </span>
    </Link>
  );
}

function heightOf(blocks: readonly Block[]): string {
  const hours = blocks.reduce((sum, { startsAt, endsAt }) => sum + (endsAt - startsAt) / HOUR_MS, 0);
  return `${Math.min(100, Math.max(15, (hours / FULL_DAY_HOURS) * 100))}%`;
}
