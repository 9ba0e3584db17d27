import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import type { OfferHour, WarehouseHours } from "../../../db/shapes/work/offer-hours.ts";
import { filtersQuery } from "../../api/queries/filters.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { draftStore } from "../filters/draft-store.ts";
import { capitalize } from "../language/capitalize.ts";
import { countInputs, formatLength, formatMinuteOfDay, formatWeekday } from "../language/format.ts";
import { addHourToDraft, hasHour } from "./add-hour.ts";
import { formatHourSpan, formatWeekSpan, payMessage, stayMessage } from "./hour-labels.ts";
import { isOnDay } from "./hours-table.tsx";

/** An opened hour of a warehouse's week. */
export type OpenHour = { warehouse: WarehouseHours; name: string; hour: number };

/** An hour of a warehouse's week as its line names it. */
type CountedHour = Pick<OfferHour, "hour" | "offers"> & { captured?: number };

/** The hour of a day to begin with: the fullest, or noon where none has an offer. */
export function fullestHour(hours: readonly CountedHour[], day: number): number {
  const [first, ...rest] = hours.filter(isOnDay(day));
  if (!first) return day * 24 + 12;
  return rest.reduce((best, each) => (each.offers > best.offers ? each : best), first).hour;
}

/** An hour's figures with a way into the schedule, its neighbors, and the other hours of its day. */
export function DaySheet({
  open,
  currency,
  onHour,
  onClose,
}: {
  open: OpenHour | null;
  currency: string;
  onHour: (hour: number) => void;
  onClose: () => void;
}) {
  return (
    <HourSheet
      open={open && { name: open.name, hour: open.hour, hours: open.warehouse.hours }}
      onHour={onHour}
      onClose={onClose}
    >
      {open && <HourDetails open={open} currency={currency} />}
    </HourSheet>
  );
}

/** An hour's figures, its neighbors, and the other hours of its day. */
export function HourSheet({
  open,
  onHour,
  onClose,
  children,
}: {
  open: { name: string; hour: number; hours: readonly CountedHour[] } | null;
  onHour: (hour: number) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const day = open ? Math.floor(open.hour / 24) : 0;
  const title = open ? m.hours_span({ day: capitalize(formatWeekday(day + 1)), span: open.name }) : "";
  return (
    <Sheet open={open !== null} onClose={onClose} title={title}>
      {open && (
        <div className="grid gap-4">
          <div className="grid gap-1" data-testid="hour-details" aria-live="polite">
            {children}
          </div>
          <Neighbors hour={open.hour} onHour={onHour} />
          <ul className="divide-y divide-line border-t border-line" data-testid="day-hours">
            {open.hours.filter(isOnDay(day)).map((hour) => (
              <li key={hour.hour}>
                <HourLine hour={hour} isOpen={hour.hour === open.hour} onHour={onHour} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Sheet>
  );
}

function HourDetails({
  open: {
    warehouse: { hours, watchedMinutes },
    hour,
  },
  currency,
}: {
  open: OpenHour;
  currency: string;
}) {
  const counted = hours.find((each) => each.hour === hour);
  const watched = watchedMinutes?.[hour];
  return (
    <>
      <HourTitle hour={hour} offers={counted || watched !== 0 ? (counted?.offers ?? 0) : null} />
      {counted && <p className="figures text-sm">{payMessage(counted, currency)}</p>}
      {counted && (
        <p className="figures text-sm text-soft">
          {stayMessage(counted)} {m.hours_captured(countInputs(counted.captured))}.
        </p>
      )}
      {watched !== undefined && (
        <p className="figures text-sm text-soft">
          {watched === 0 ? m.hours_unwatched_text() : m.hours_watched({ hours: formatLength(watched) })}
        </p>
      )}
      {counted && (
        <>
          <p className="figures text-sm text-soft">
            {m.hours_start({ hours: formatWeekSpan(counted.startHour) })}
          </p>
          <Look key={counted.startHour} startHour={counted.startHour} />
        </>
      )}
    </>
  );
}

/** An hour and how many offers it had; null where nobody knows. */
export function HourTitle({ hour, offers }: { hour: number; offers: number | null }) {
  return (
    <h3 className="figures flex flex-wrap justify-between gap-x-4">
      <span className="font-semibold">{formatHourSpan(hour)}</span>
      {offers !== null && <span>{m.hours_offers(countInputs(offers))}</span>}
    </h3>
  );
}

/** The hours before and after, on the same day. At its ends a button does nothing: disabled, it would lose the focus. */
function Neighbors({ hour, onHour }: { hour: number; onHour: (hour: number) => void }) {
  const clock = (of: number) => formatMinuteOfDay((of % 24) * 60);
  const [isFirst, isLast] = [hour % 24 === 0, hour % 24 === 23];
  return (
    <div className="flex justify-between gap-2">
      <Button aria-disabled={isFirst} onClick={() => isFirst || onHour(hour - 1)}>
        <ChevronLeft aria-hidden className="size-4.5" />
        <span className="sr-only">{m.hours_before()}</span>
        {!isFirst && clock(hour - 1)}
      </Button>
      <Button aria-disabled={isLast} onClick={() => isLast || onHour(hour + 1)}>
        <span className="sr-only">{m.hours_after()}</span>
        {!isLast && clock(hour + 1)}
        <ChevronRight aria-hidden className="size-4.5" />
      </Button>
    </div>
  );
}

function HourLine({
  hour: { hour, offers, captured = 0 },
  isOpen,
  onHour,
}: {
  hour: CountedHour;
  isOpen: boolean;
  onHour: (hour: number) => void;
}) {
  const counts = [
    m.hours_offers(countInputs(offers)),
    ...(captured > 0 ? [m.hours_captured(countInputs(captured))] : []),
  ];
  return (
    <button
      type="button"
      aria-pressed={isOpen}
      onClick={() => onHour(hour)}
      className="figures flex min-h-11 w-full flex-wrap items-center justify-between gap-x-4 text-left text-sm aria-pressed:font-semibold"
    >
      <span>{formatHourSpan(hour)}</span>
      <span>{counts.join(" · ")}</span>
    </button>
  );
}

/** Adds the hour in which the blocks start to the schedule, as a change that isn't saved yet. */
function Look({ startHour }: { startHour: number }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const saved = useQuery(filtersQuery).data?.filters.schedule;
  const draft = useSelector(draftStore, (stored) => stored?.draft.schedule);
  const look = useMutation({ mutationFn: () => addHourToDraft(queryClient, startHour) });
  const add = () =>
    look.mutate(undefined, {
      // Only while the hour is on the screen: a driver who closed it by then is somewhere else.
      onSuccess: () => void navigate({ to: "/flex/filters", hash: "week" }),
    });
  const schedule = draft ?? saved;
  if (schedule && hasHour(schedule, startHour))
    return <p className="text-sm font-semibold">{m.hours_in_schedule()}</p>;
  return (
    <div>
      <Button variant="plain" aria-disabled={look.isPending} onClick={() => look.isPending || add()}>
        {m.hours_look()}
      </Button>
      {look.isError && (
        <p role="alert" className="mt-1 text-sm font-semibold text-bad">
          {m.hours_look_failed()}
        </p>
      )}
    </div>
  );
}
