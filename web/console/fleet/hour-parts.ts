import type { FleetResponse } from "../../../worker/contract/console/fleet.ts";
import { departureOf, only } from "../plots/departures.ts";
import type { FigureSeries } from "../plots/plot-figure.tsx";
import { m } from "../messages/messages.js";

type Hour = FleetResponse["hours"][number];

/** A picture of the fleet's hours: its series, and in a word what is wrong with an hour, by its index. */
export type HoursPart = { label: string; at: number[]; series: FigureSeries[]; wrong: Map<number, string> };

/** Captures and losses. Hours with far fewer captures than usual stand out. */
export function capturesOf(hours: readonly Hour[]): HoursPart {
  const values = hours.map(({ captures }) => captures);
  // The running hour has not had its time.
  const isLow = (index: number) => {
    const hour = hours[index];
    return (
      index < hours.length - 1 &&
      hour !== undefined &&
      departureOf(hour.captures, hour.usual?.captures, "low") !== null
    );
  };
  // A bar of nothing can't be seen: where captures stand out by not being there, what is usual is marked.
  const marks = hours.map(({ usual }, index) => (isLow(index) ? (usual?.captures ?? null) : null));
  return {
    label: m.fleet_captures(),
    at: hours.map(({ at }) => at),
    wrong: wrongOf(hours, isLow, m.plot_low()),
    series: [
      { label: m.plot_low(), color: "bad", kind: "bars", values: marks, isMark: true },
      { label: m.fleet_captures(), color: "good", kind: "bars", values },
      { label: m.fleet_losses(), color: "ink-soft", kind: "line", values: hours.map(({ losses }) => losses) },
      {
        label: m.plot_usual(),
        color: "ink",
        kind: "dashes",
        values: hours.map(({ usual }) => usual?.captures ?? null),
      },
    ],
  };
}

/** The platform's usable answers. */
export function answersOf(hours: readonly Hour[]): HoursPart {
  const values = hours.map(({ answers }) => answers);
  return {
    label: m.answers(),
    at: hours.map(({ at }) => at),
    wrong: new Map(),
    series: [{ label: m.answer_ok(), color: "edge", kind: "bars", values }],
  };
}

/** Calls without a usable answer, and refusals. Hours with far more failures than usual stand out. */
export function failuresOf(hours: readonly Hour[]): HoursPart {
  const isHigh = (index: number) => {
    const hour = hours[index];
    return hour !== undefined && departureOf(hour.errors, hour.usual?.errors, "high") !== null;
  };
  const errors = hours.map((hour) => hour.errors);
  return {
    label: m.fleet_errors(),
    at: hours.map(({ at }) => at),
    wrong: wrongOf(hours, isHigh, m.plot_high()),
    series: [
      { label: m.fleet_errors(), color: "edge", kind: "bars", values: errors },
      { label: m.plot_high(), color: "bad", kind: "bars", values: only(errors, isHigh), isMark: true },
      {
        label: m.plot_refusals(),
        color: "warn",
        kind: "line",
        values: hours.map(({ refusals }) => refusals),
      },
      {
        label: m.plot_usual(),
        color: "ink",
        kind: "dashes",
        values: hours.map(({ usual }) => usual?.errors ?? null),
      },
    ],
  };
}

function wrongOf(
  hours: readonly Hour[],
  isWrong: (index: number) => boolean,
  word: string,
): Map<number, string> {
  return new Map(hours.flatMap((_, index) => (isWrong(index) ? [[index, word] as const] : [])));
}
