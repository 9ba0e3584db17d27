import type { CityHoursResponse } from "../../../worker/contract/console/fleet.ts";
import { m } from "../messages/messages.js";
import { departureOf } from "../plots/departures.ts";
import type { FigureSeries } from "../plots/plot-figure.tsx";
import type { PlotColor } from "../plots/plot.tsx";

type Hour = CityHoursResponse["cities"][number]["hours"][number];
export type CityMeasure = "offers" | "captures" | "answered";

export const CITY_MEASURES: Record<CityMeasure, { label: () => string; color: PlotColor }> = {
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
