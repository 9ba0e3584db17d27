import { keepPreviousData, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { CalendarSearch } from "lucide-react";
import { useState } from "react";
import {
  OFFER_HOURS_DAYS,
  type OfferHoursDays,
  type WarehouseHours,
} from "../../../db/shapes/work/offer-hours.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { OfferHoursResponse } from "../../../worker/contract/work/statistics.ts";
import { offerHoursQuery } from "../../api/queries/statistics.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { EmptyList } from "../../ui/empty-list.tsx";
import { saveCsv } from "../../ui/csv.ts";
import { Screen } from "../../ui/screen.tsx";
import { useNow } from "../../ui/use-now.ts";
import { LoadErrorPanel } from "../errors/load-error.tsx";
import { StaleNotice } from "../errors/stale-notice.tsx";
import { PERIOD_LABELS } from "../filters/replay/replay-messages.ts";
import { errorText } from "../language/error-messages.ts";
import { countInputs, dayKey, DEVICE_TIME_ZONE, formatDate, formatDays } from "../language/format.ts";
import { warehouseName } from "../offers/offer-place.ts";
import { useWarehouses } from "../offers/warehouses.ts";
import { CityHours } from "./city-hours.tsx";
import { DaySheet, fullestHour, type OpenHour } from "./day-sheet.tsx";
import { bestMessage } from "./hour-labels.ts";
import { hoursCsv } from "./hours-csv.ts";
import { HoursTable } from "./hours-table.tsx";

/** Offers and days of watching before an hour says anything about the next week. */
const ENOUGH_OFFERS = 10;
const ENOUGH_DAYS = 2;

/** When and where offers show up: the best hours in words, then each warehouse's week. */
export function HoursScreen() {
  const [days, setDays] = useState<OfferHoursDays>(28);
  const loaded = useSuspenseQuery(offerHoursQuery(28));
  const chosen = useQuery({ ...offerHoursQuery(days), placeholderData: keepPreviousData });
  // Another period's figures stand in only while those of the chosen one are on their way.
  const isMissing =
    (chosen.data === undefined || chosen.isPlaceholderData) && (chosen.isError || chosen.isPaused);
  return (
    <Screen title={m.nav_hours()} text={m.hours_text()}>
      <StaleNotice query={loaded} />
      <fieldset className="flex flex-wrap gap-2" aria-busy={chosen.isFetching}>
        <legend className="sr-only">{m.replay_period()}</legend>
        {OFFER_HOURS_DAYS.toReversed().map((each) => (
          <Button
            key={each}
            variant={each === days ? "plain" : "quiet"}
            aria-pressed={each === days}
            onClick={() => setDays(each)}
          >
            {PERIOD_LABELS[each]()}
          </Button>
        ))}
      </fieldset>
      {isMissing ? (
        <div className="card">
          <LoadErrorPanel title={m.hours_failed()} onRetry={() => void chosen.refetch()}>
            {errorText(chosen.error)}
          </LoadErrorPanel>
        </div>
      ) : (
        <Hours response={chosen.data ?? loaded.data} />
      )}
    </Screen>
  );
}

function Hours({ response }: { response: OfferHoursResponse }) {
  const { warehouses, knownFrom, currency } = response;
  const known = useWarehouses();
  const now = useNow(DAY_MS);
  const [open, setOpen] = useState<OpenHour | null>(null);
  const placeOf = ({ warehouseId }: WarehouseHours) => known.find((each) => each.warehouseId === warehouseId);
  const nameOf = (warehouse: WarehouseHours) => warehouseName(placeOf(warehouse));
  const offers = warehouses.reduce((sum, warehouse) => sum + warehouse.offers, 0);
  const timeZone = known[0]?.timeZone ?? DEVICE_TIME_ZONE;
  if (knownFrom === null || offers === 0)
    return (
      <>
        <EmptyList Icon={CalendarSearch} title={m.hours_empty()}>
          {m.hours_empty_text()}
        </EmptyList>
        <CityHours />
      </>
    );
  const readyAt = knownFrom + ENOUGH_DAYS * DAY_MS;
  const placed = warehouses.filter(({ hours }) => hours.length > 0);
  if (now < readyAt || offers < ENOUGH_OFFERS || placed.length === 0)
    return (
      <>
        <EmptyList Icon={CalendarSearch} title={m.hours_soon(countInputs(offers))}>
          {m.hours_soon_text({
            days: formatDays(ENOUGH_DAYS),
            date: formatDate(Math.max(now, readyAt), timeZone),
          })}
        </EmptyList>
        <CityHours />
      </>
    );
  const best = placed.flatMap((warehouse) =>
    warehouse.best
      ? [
          {
            id: warehouse.warehouseId,
            text: bestMessage(warehouse.best, { warehouse: nameOf(warehouse), currency }),
          },
        ]
      : [],
  );
  return (
    <>
      {best.length > 0 && (
        <ul className="card grid gap-2 p-5" data-testid="best-hours">
          {best.map(({ id, text }) => (
            <li
              key={id}
              className="figures first:font-display first:text-lg first:leading-snug sm:first:text-xl"
            >
              {text}
            </li>
          ))}
        </ul>
      )}
      {placed.map((warehouse) => (
        <WarehouseWeek
          key={warehouse.warehouseId}
          warehouse={warehouse}
          name={nameOf(warehouse)}
          onOpen={(day, hour) =>
            setOpen({ warehouse, name: nameOf(warehouse), hour: hour ?? fullestHour(warehouse.hours, day) })
          }
        />
      ))}
      <div>
        <Button
          variant="plain"
          onClick={() => saveCsv(`offer-hours-${dayKey(now, timeZone)}`, hoursCsv(response, nameOf))}
        >
          {m.hours_csv()}
        </Button>
      </div>
      <DaySheet
        open={open}
        currency={currency}
        onHour={(hour) => setOpen((now) => now && { ...now, hour })}
        onClose={() => setOpen(null)}
      />
    </>
  );
}

function WarehouseWeek({
  warehouse: { warehouseId, offers, unplaced, hours, watchedMinutes },
  name,
  onOpen,
}: {
  warehouse: WarehouseHours;
  name: string;
  onOpen: (day: number, hour: number | null) => void;
}) {
  const captured = hours.reduce((sum, hour) => sum + hour.captured, 0);
  const sums = [m.hours_offers(countInputs(offers - unplaced)), m.hours_captured(countInputs(captured))];
  return (
    <section className="card grid grid-cols-1 gap-3 p-4 sm:p-5" aria-labelledby={`hours-${warehouseId}`}>
      <div>
        <h2 id={`hours-${warehouseId}`} className="text-lg">
          {name}
        </h2>
        <p className="figures text-sm text-soft">{sums.join(" · ")}</p>
      </div>
      <HoursTable
        caption={`${name}: ${m.hours_per_week()}`}
        hours={hours}
        watchedMinutes={watchedMinutes}
        onOpen={onOpen}
      />
      {unplaced > 0 && <p className="figures text-sm text-soft">{m.hours_unplaced(countInputs(unplaced))}</p>}
    </section>
  );
}
