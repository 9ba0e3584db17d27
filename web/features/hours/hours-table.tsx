import type { MouseEvent } from "react";
import { WEEK_HOURS, type OfferHour } from "../../../db/shapes/work/offer-hours.ts";
import { m } from "../../messages/messages.js";
import { countInputs, formatCount, formatMinuteOfDay, formatWeekday } from "../language/format.ts";
import { formatHourSpan } from "./hour-labels.ts";

const DAYS = [0, 1, 2, 3, 4, 5, 6];
const DAY_HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const QUARTERS = [0, 6, 12, 18];

/** From few to many. Text is legible on each, in both themes. */
const TINTS = [
  "bg-ink/8",
  "bg-ink/20",
  "bg-ink/36",
  "bg-ink/62 text-ground",
  "bg-ink/90 text-ground",
] as const;

/** Hours that nobody watched: no shade of few or many. */
const UNWATCHED = "bg-[repeating-linear-gradient(135deg,var(--line)_0_2px,transparent_2px_5px)]";

/** Opens a day, and the hour of the week that was pointed at; null for a key. */
type OpenHour = (day: number, hour: number | null) => void;

type Counted = Pick<OfferHour, "hour" | "offers"> & { captured?: number };

/**
 * A week as a table of days and hours, which is its picture, too: each hour as dark as it has offers, beside the
 * fullest one, with the figure where it fits, and below it how many were captured; a dot where it doesn't. An hour that
 * nobody watched is hatched. A day opens under a tap, at the hour that was tapped.
 */
export function HoursTable({
  caption,
  hours,
  watchedMinutes,
  onOpen,
}: {
  caption: string;
  hours: readonly Counted[];
  /** Of each hour of the week; not given where that isn't known. */
  watchedMinutes?: readonly number[] | undefined;
  onOpen: OpenHour;
}) {
  const isUnwatched = (hour: number) => watchedMinutes?.[hour] === 0;
  const byHour = new Map(hours.map((each) => [each.hour, each]));
  const most = Math.max(...hours.map(({ offers }) => offers));
  return (
    <div className="@container grid gap-2">
      <table className="figures w-full table-fixed border-separate border-spacing-px text-xs">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" rowSpan={2} className="w-12 p-0">
              <span className="sr-only">{m.hours_csv_day()}</span>
            </th>
            {QUARTERS.map((hour) => (
              <th
                key={hour}
                scope="colgroup"
                colSpan={6}
                className="overflow-hidden pb-1 text-left font-normal text-ellipsis whitespace-nowrap text-soft"
              >
                {/* Whole hours, in a column of 40 px. */}
                {formatMinuteOfDay(hour * 60).replace(":00", "")}
              </th>
            ))}
          </tr>
          <tr>
            {DAY_HOURS.map((hour) => (
              <th key={hour} scope="col" className="h-0 p-0">
                <span className="sr-only">{formatHourSpan(hour)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DAYS.map((day) => (
            <tr key={day} className="relative">
              <th scope="row" className="font-normal">
                <DayName day={day} onOpen={onOpen} />
              </th>
              {DAY_HOURS.map((hour) => (
                <Cell
                  key={hour}
                  counted={byHour.get(day * 24 + hour)}
                  most={most}
                  isUnwatched={isUnwatched(day * 24 + hour)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p aria-hidden className="flex flex-wrap items-center gap-1.5 text-xs text-soft">
        {m.hours_less()}
        {TINTS.map((tint) => (
          <span key={tint} className={`size-3.5 rounded-xs ${tint}`} />
        ))}
        {m.hours_more()}
        {watchedMinutes?.includes(0) && (
          <>
            <span className={`ml-3 size-3.5 rounded-xs ${UNWATCHED}`} />
            {m.hours_unwatched()}
          </>
        )}
      </p>
    </div>
  );
}

/** A day's name; a tap anywhere on its row opens it. */
function DayName({ day, onOpen }: { day: number; onOpen: OpenHour }) {
  const name = formatWeekday(day + 1, "short").replace(".", "");
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={(event) => onOpen(day, hourUnder(event, day))}
      className="flex min-h-11 w-full items-center rounded-xs px-1 text-left text-sm font-semibold underline decoration-line underline-offset-4 after:absolute after:inset-0 after:z-1 after:content-['']"
    >
      {name}
    </button>
  );
}

/** The hour of the week whose cell is under the pointer: cells are too narrow on a phone to be targets of their own. */
function hourUnder({ currentTarget, clientX, detail }: MouseEvent, day: number): number | null {
  if (detail === 0) return null;
  const cells = currentTarget.closest("tr")?.cells ?? [];
  const index = [...cells].findIndex((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    return clientX >= left && clientX <= right;
  });
  return index > 0 ? day * 24 + index - 1 : null;
}

function Cell({
  counted,
  most,
  isUnwatched,
}: {
  counted: Counted | undefined;
  most: number;
  isUnwatched: boolean;
}) {
  if (!counted)
    return (
      <td className={`rounded-xs p-0 ${isUnwatched ? UNWATCHED : "bg-sunken"}`}>
        <span className="sr-only">{isUnwatched ? m.hours_unwatched() : formatCount(0)}</span>
      </td>
    );
  const { offers, captured = 0 } = counted;
  const tint = TINTS[Math.ceil((offers / most) * TINTS.length) - 1] ?? TINTS[0];
  return (
    <td className={`relative rounded-xs p-0 text-center ${tint}`}>
      <span className="sr-only @min-[48rem]:not-sr-only">{formatCount(offers)}</span>
      {captured > 0 && (
        <span className="absolute inset-x-0 bottom-0.5 grid justify-items-center @min-[48rem]:static">
          <span
            aria-hidden
            className="size-1.5 rounded-full bg-signal outline outline-ink/60 @min-[48rem]:hidden"
          />
          <span aria-hidden className="hidden leading-none @min-[48rem]:block">
            ✓{formatCount(captured)}
          </span>
          <span className="sr-only">, {m.hours_captured(countInputs(captured))}</span>
        </span>
      )}
    </td>
  );
}

/** Hours of one day, by the hour of the week. */
export function isOnDay(day: number): (hour: Pick<OfferHour, "hour">) => boolean {
  return ({ hour }) => Math.floor((hour % WEEK_HOURS) / 24) === day;
}
