import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Cents } from "../../../db/shapes/units.ts";
import type { CityOfferHours } from "../../../db/shapes/work/city-hours.ts";
import { cityHoursQuery } from "../../api/queries/statistics.ts";
import { m } from "../../messages/messages.js";
import { formatRate } from "../language/format.ts";
import { warehouseName } from "../offers/offer-place.ts";
import { useWarehouses } from "../offers/warehouses.ts";
import { fullestHour, HourSheet, HourTitle } from "./day-sheet.tsx";
import { formatWeekSpan } from "./hour-labels.ts";
import { HoursTable } from "./hours-table.tsx";

/** The figures of all drivers, for one who has no log yet. Nothing where too few were counted. */
export function CityHours() {
  const { data } = useQuery(cityHoursQuery);
  const warehouses = useWarehouses();
  const [open, setOpen] = useState<{ city: CityOfferHours; name: string; hour: number } | null>(null);
  if (!data || data.warehouses.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-4" aria-labelledby="city-hours" data-testid="city-hours">
      <div>
        <h2 id="city-hours" className="text-xl">
          {m.hours_city_title()}
        </h2>
        <p className="mt-1 max-w-prose text-sm text-soft">{m.hours_city_text()}</p>
      </div>
      {data.warehouses.map((city) => {
        const name = warehouseName(warehouses.find(({ warehouseId }) => warehouseId === city.warehouseId));
        return (
          <CityWeek
            key={city.warehouseId}
            city={city}
            name={name}
            currency={data.currency}
            onOpen={(hour) => setOpen({ city, name, hour })}
          />
        );
      })}
      <HourSheet
        open={open && { name: open.name, hour: open.hour, hours: open.city.hours }}
        onHour={(hour) => setOpen((now) => now && { ...now, hour })}
        onClose={() => setOpen(null)}
      >
        {open && <CityHour city={open.city} hour={open.hour} currency={data.currency} />}
      </HourSheet>
    </section>
  );
}

function CityWeek({
  city,
  name,
  currency,
  onOpen,
}: {
  city: CityOfferHours;
  name: string;
  currency: string;
  onOpen: (hour: number) => void;
}) {
  const rate = formatRate(city.medianHourlyCents, currency);
  const best = bestOf(city);
  return (
    <section className="card grid grid-cols-1 gap-3 p-4 sm:p-5" aria-labelledby={`city-${city.warehouseId}`}>
      <div>
        <h3 id={`city-${city.warehouseId}`} className="font-display text-lg font-semibold">
          {name}
        </h3>
        <p className="figures text-sm text-soft">{m.hours_city_half({ warehouse: name, rate })}</p>
        {best && (
          <p className="figures mt-1 font-semibold">
            {m.hours_best({
              warehouse: name,
              hours: formatWeekSpan(best.hour),
              rate: formatRate(best.medianHourlyCents, currency),
            })}
          </p>
        )}
      </div>
      <HoursTable
        caption={`${name}: ${m.hours_per_week()}`}
        hours={city.hours}
        onOpen={(day, hour) => onOpen(hour ?? fullestHour(city.hours, day))}
      />
    </section>
  );
}

function CityHour({
  city: { hours },
  hour,
  currency,
}: {
  city: CityOfferHours;
  hour: number;
  currency: string;
}) {
  const counted = hours.find((each) => each.hour === hour);
  const cents = counted?.medianHourlyCents;
  return (
    <>
      <HourTitle hour={hour} offers={counted?.offers ?? 0} />
      {cents !== undefined && (
        <p className="figures text-sm">{m.hours_city_pay({ rate: formatRate(cents, currency) })}</p>
      )}
    </>
  );
}

/** The fullest of the hours whose pay is known, of several as full the one that pays best. */
function bestOf({ hours }: CityOfferHours): { hour: number; medianHourlyCents: Cents } | null {
  const paid = hours.flatMap(({ medianHourlyCents, ...hour }) =>
    medianHourlyCents === undefined ? [] : [{ ...hour, medianHourlyCents }],
  );
  const [best] = paid.toSorted(
    (one, other) => other.offers - one.offers || other.medianHourlyCents - one.medianHourlyCents,
  );
  return best ?? null;
}
