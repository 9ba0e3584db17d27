import { useMemo } from "react";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { FleetState } from "../../../db/shapes/fleet.ts";
import type { FleetResponse, FleetSpan } from "../../../worker/contract/console/fleet.ts";
import { formatCount } from "../../features/language/format.ts";
import { stack } from "../plots/departures.ts";
import { PlotFigure, type FigureSeries } from "../plots/plot-figure.tsx";
import type { PlotColor } from "../plots/plot.tsx";
import { Section } from "../tables/data-table.tsx";
import { m } from "../messages/messages.js";

/** From the ground up: at work, at rest, held up by the platform, and stopped until somebody acts. */
const LAYERS: readonly { label: () => string; color: PlotColor; states: readonly FleetState[] }[] = [
  { label: m.fleet_looking, color: "good", states: ["polling"] },
  { label: m.fleet_asleep, color: "line", states: ["asleep"] },
  {
    label: m.fleet_waiting,
    color: "warn",
    states: ["throttled", "quota_used_up", "weekly_limit", "unreachable", "unreadable", "blocks_unreadable"],
  },
  {
    label: m.states_stopped,
    color: "ink-soft",
    states: ["signed_out", "not_linked", "verification_required", "no_service"],
  },
];

/** How many drivers were in which state, over time. */
export function FleetStates({ states, span }: { states: FleetResponse["states"]; span: FleetSpan }) {
  const { at, series } = useMemo(() => {
    const counts = LAYERS.map((layer) =>
      states.map(({ drivers }) => layer.states.reduce((sum, state) => sum + (drivers[state] ?? 0), 0)),
    );
    const tops = stack(counts);
    const drawn = LAYERS.map(({ label, color }, index): FigureSeries => {
      const values = tops[LAYERS.length - 1 - index] ?? [];
      return { label: label(), color, kind: "area", values, shown: counts[index] ?? [] };
    });
    return { at: states.map((counted) => counted.at), series: drawn.toReversed() };
  }, [states]);
  return (
    <Section title={m.states()} note={m.states_note()}>
      {states.length < 2 ? (
        <p className="px-5 pb-4 text-soft">{m.states_none()}</p>
      ) : (
        <PlotFigure
          label={m.states()}
          at={at}
          span={span === "day" ? 15 * MINUTE_MS : HOUR_MS}
          series={series}
          formatValue={formatCount}
        />
      )}
    </Section>
  );
}
