import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { CitiesSpan, CityHoursResponse } from "../../../worker/contract/console/fleet.ts";
import { countInputs, DEVICE_TIME_ZONE, formatCount, formatTime } from "../../features/language/format.ts";
import { useNow } from "../../ui/use-now.ts";
import { cityHoursQuery } from "../calls/fleet.ts";
import { QueryState } from "../calls/load-states.tsx";
import { m } from "../messages/messages.js";
import { PlotFigure, type FigureSeries } from "../plots/plot-figure.tsx";
import { CsvButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { Section } from "../tables/data-table.tsx";
import { departureOf } from "../plots/departures.ts";
import type { PlotColor } from "../plots/plot.tsx";

type City = CityHoursResponse["cities"][number];
type Hour = City["hours"][number];
type Silence = NonNullable<City["silence"]>;

const CAUSES = {
  nobody_looked: m.cause_nobody_looked,
  refused: m.cause_refused,
  nothing_published: m.cause_nothing_published,
  suspected: m.cause_suspected,
  no_match: m.cause_no_match,
  others_faster: m.cause_others_faster,
  unknown: m.cause_unknown,
} satisfies Record<NonNullable<City["cause"]>, () => string>;

/**
 * The cities beside one another, on one scale, by hour, each beside what is usual for it; why one is silent stands
 * above it.
 */
export function FleetCities({ span }: { span: CitiesSpan }) {
  const found = useQuery(cityHoursQuery(span));
  const [measure, setMeasure] = useState<CityMeasure>("offers");
  const cities = found.data?.cities ?? [];
  const rows = cities.flatMap(({ city, hours }) => hours.map((hour) => ({ city, ...hour })));
  const top = Math.max(0, ...rows.map((hour) => Math.max(hour[measure], hour.usual?.[measure] ?? 0)));
  return (
    <div id="cities" className="min-w-0 scroll-mt-4">
      <Section
        title={m.by_city()}
        note={m.by_city_note()}
        actions={<CsvButton name="cities" table={m.by_city()} columns={CSV_COLUMNS.cityHours} rows={rows} />}
      >
        <QueryState query={found} />
        {found.data && cities.length === 0 && <p className="px-5 pb-4 text-soft">{m.fleet_quiet()}</p>}
        {cities.length > 0 && (
          <>
            <MeasureChoice measure={measure} onChoose={setMeasure} />
            <div className="grid grid-cols-1 lg:grid-cols-2">
              {cities.map((city) => (
                <CityFigure key={city.city} city={city} measure={measure} top={top} />
              ))}
            </div>
          </>
        )}
      </Section>
    </div>
  );
}

function MeasureChoice({
  measure,
  onChoose,
}: {
  measure: CityMeasure;
  onChoose: (measure: CityMeasure) => void;
}) {
  return (
    <fieldset className="mx-5 mb-3 flex w-fit max-w-full flex-wrap rounded-field border border-edge bg-raised p-0.5">
      <legend className="sr-only">{m.by_city_what()}</legend>
      {(["offers", "captures", "answered"] as const).map((of) => (
        <button
          key={of}
          type="button"
          aria-pressed={of === measure}
          onClick={() => onChoose(of)}
          className="min-h-11 cursor-pointer rounded-md px-3 text-sm font-semibold text-soft aria-pressed:bg-ink aria-pressed:text-ground"
        >
          {CITY_MEASURES[of].label()}
        </button>
      ))}
    </fieldset>
  );
}

function CityFigure({ city, measure, top }: { city: City; measure: CityMeasure; top: number }) {
  const { hours } = city;
  const { at, series, wrong } = useMemo(() => cityPlot(hours, measure), [hours, measure]);
  const sum = (of: (hour: Hour) => number) => hours.reduce((total, hour) => total + of(hour), 0);
  const isCompared = hours.some(({ usual }) => usual !== null);
  const total = formatCount(sum((hour) => hour[measure]));
  const usual = formatCount(sum((hour) => hour.usual?.[measure] ?? 0));
  return (
    <div className="min-w-0 border-t border-line pt-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 pb-2">
        <h3 className="font-semibold">{city.city}</h3>
        <p className="figures text-sm text-soft">{isCompared ? m.city_sums({ total, usual }) : total}</p>
      </div>
      <PlotFigure
        label={`${city.city}: ${CITY_MEASURES[measure].label()}`}
        at={at}
        span={HOUR_MS}
        series={series}
        height={140}
        top={top}
        formatValue={formatCount}
        wrong={wrong}
      >
        <CityState city={city} wrong={wrong} />
      </PlotFigure>
    </div>
  );
}

function describeSilence({ what, since, expected }: Silence, time: (at: number) => string): string {
  if (expected === 0) return m.silence_suspected();
  const said = { since: time(since), expected: formatCount(expected) };
  return what === "offers" ? m.silence_offers(said) : m.silence_captures(said);
}

/** Why nothing is captured; else how many hours stand out. */
function CityState({ city: { silence, cause, hours }, wrong }: { city: City; wrong: Map<number, string> }) {
  const now = useNow(MINUTE_MS);
  const time = (at: number) => formatTime(at, { timeZone: DEVICE_TIME_ZONE, now });
  if (silence) {
    return (
      <p className="mt-1 font-semibold text-bad">
        {describeSilence(silence, time)} {CAUSES[silence.cause]()}
      </p>
    );
  }
  const last = Math.max(...wrong.keys());
  if (wrong.size > 0)
    return (
      <p className="mt-1 font-semibold text-bad">
        {m.plot_departs({
          ...countInputs(wrong.size),
          what: wrong.get(last) ?? "",
          time: time(hours[last]?.at ?? 0),
        })}
      </p>
    );
  return (
    <p className="mt-1 text-soft">
      {cause === null ? m.plot_as_usual() : `${m.city_no_captures()} ${CAUSES[cause]()}`}
    </p>
  );
}

type CityMeasure = "offers" | "captures" | "answered";

const CITY_MEASURES: Record<CityMeasure, { label: () => string; color: PlotColor }> = {
  offers: { label: m.city_offers, color: "edge" },
  captures: { label: m.fleet_captures, color: "good" },
  answered: { label: m.answer_ok, color: "edge" },
};

/** The bars of a city by the hour, beside what is usual, and the hours that are far below it. */
export function cityPlot(hours: readonly Hour[], measure: CityMeasure) {
  const { label, color } = CITY_MEASURES[measure];
  // The running hour has not had its time.
  const isLow = (index: number) => {
    const hour = hours[index];
    if (index === hours.length - 1 || hour === undefined) return false;
    return departureOf(hour[measure], hour.usual?.[measure], "low") !== null;
  };
  const wrong = new Map(hours.flatMap((_, index) => (isLow(index) ? [[index, m.plot_low()] as const] : [])));
  const usual = hours.map((hour) => hour.usual?.[measure] ?? null);
  // A bar of nothing can't be seen: where an hour stands out by what is missing, the usual count is marked.
  const marks = usual.map((value, index) => (wrong.has(index) ? value : null));
  const series: FigureSeries[] = [
    { label: m.plot_low(), color: "bad", kind: "bars", values: marks, isMark: true },
    { label: label(), color, kind: "bars", values: hours.map((hour) => hour[measure]) },
    { label: m.plot_usual(), color: "ink", kind: "dashes", values: usual },
  ];
  return { at: hours.map(({ at }) => at), series, wrong };
}
