import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import type { OfferHour, WarehouseHours } from "../../../db/shapes/work/offer-hours.ts";
import { filtersQuery } from "../../api/queries/filters.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { draftStore } from "../filters/draft-store.ts";
import { capitalize } from "../language/capitalize.ts";
import { countInputs, formatWeekday } from "../language/format.ts";
import { addHourToDraft, hasHour } from "./add-hour.ts";
import { formatHourSpan, formatWeekSpan, payMessage, stayMessage } from "./hour-labels.ts";
import { isOnDay } from "./hours-table.tsx";

/** An opened day of a warehouse. */
export type OpenDay = { warehouse: WarehouseHours; name: string; day: number };

/** The hours of a day, each with its figures and a way into the schedule. */
export function DaySheet({
  open,
  currency,
  onClose,
}: {
  open: OpenDay | null;
  currency: string;
  onClose: () => void;
}) {
  const title = open ? m.hours_span({ day: capitalize(formatWeekday(open.day + 1)), span: open.name }) : "";
  return (
    <Sheet open={open !== null} onClose={onClose} title={title}>
      {open && (
        <ul className="divide-y divide-line" data-testid="day-hours">
          {open.warehouse.hours.filter(isOnDay(open.day)).map((hour) => (
            <li key={hour.hour} className="grid gap-1 py-3">
              <Hour hour={hour} currency={currency} />
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

function Hour({ hour, currency }: { hour: OfferHour; currency: string }) {
  return (
    <>
      <h3 className="figures flex flex-wrap justify-between gap-x-4">
        <span className="font-semibold">{formatHourSpan(hour.hour)}</span>
        <span>{m.hours_offers(countInputs(hour.offers))}</span>
      </h3>
      <p className="figures text-sm">{payMessage(hour, currency)}</p>
      <p className="figures text-sm text-soft">
        {stayMessage(hour)}
        {hour.captured > 0 && ` ${m.hours_captured(countInputs(hour.captured))}.`}
      </p>
      <p className="figures text-sm text-soft">{m.hours_start({ hours: formatWeekSpan(hour.startHour) })}</p>
      <Look startHour={hour.startHour} />
    </>
  );
}

/** Adds the hour in which the blocks start to the schedule, as a change that isn't saved yet. */
function Look({ startHour }: { startHour: number }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const saved = useQuery(filtersQuery).data?.filters.schedule;
  const draft = useSelector(draftStore, (stored) => stored?.draft.schedule);
  const look = useMutation({
    mutationFn: () => addHourToDraft(queryClient, startHour),
    onSuccess: () => navigate({ to: "/flex/filters", hash: "week" }),
  });
  const schedule = draft ?? saved;
  if (schedule && hasHour(schedule, startHour))
    return <p className="text-sm font-semibold">{m.hours_in_schedule()}</p>;
  return (
    <div>
      <Button variant="plain" disabled={look.isPending} onClick={() => look.mutate()}>
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
