import { useSuspenseQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FleetState } from "../../../db/shapes/fleet.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { FleetListName, FleetResponse, FleetSpan } from "../../../worker/contract/console/fleet.ts";
import { DEVICE_TIME_ZONE, formatCount, formatTime, formatDuration } from "../../features/language/format.ts";
import { useNow } from "../../ui/use-now.ts";
import { fleetQuery } from "../calls/fleet.ts";
import { CONSOLE_PATHS } from "../console-page.ts";
import { stack } from "../plots/departures.ts";
import { PlotFigure, type FigureSeries } from "../plots/plot-figure.tsx";
import type { PlotColor } from "../plots/plot.tsx";
import { Section } from "../tables/data-table.tsx";
import { AttentionList } from "./fleet-attention.tsx";
import { FleetAnswers, FleetLateness } from "./fleet-calls.tsx";
import { FleetCities } from "./fleet-cities.tsx";
import { FleetHours } from "./fleet-hours.tsx";
import { FLEET_LIST_LABELS } from "./fleet-labels.ts";
import { FleetList } from "./fleet-list.tsx";
import { m } from "../messages/messages.js";
import { QueryState } from "../calls/load-states.tsx";

const SECOND_MS = 1_000;

const SPAN_LABELS = {
  day: m.fleet_day,
  week: m.fleet_week,
  month: m.fleet_month,
} satisfies Record<FleetSpan, () => string>;

/** Tasks for somebody now, the states of all drivers' systems, and their counts; refetched every 15 seconds. */
export function FleetScreen({ list, span }: { list: FleetListName | null; span: FleetSpan }) {
  const fleet = useSuspenseQuery(fleetQuery(span));
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 className="text-2xl">{m.nav_fleet()}</h1>
          <AsOf at={fleet.data.at} />
          <GivenBack ms={fleet.data.givenBackMs ?? 0} />
        </div>
        <SpanChoice span={span} list={list} />
      </div>
      <QueryState query={fleet} className="" />
      <AttentionList attention={fleet.data.attention} />
      <DriverCounts drivers={fleet.data.drivers} list={list} />
      {list && <FleetList list={list} />}
      <FleetHours hours={fleet.data.hours} />
      <FleetCities span={span === "day" ? "day" : "week"} />
      <FleetStates states={fleet.data.states} span={span} />
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        <FleetAnswers answers={fleet.data.answers} />
        <FleetLateness lateness={fleet.data.lateness} />
      </div>
    </>
  );
}

function AsOf({ at }: { at: number }) {
  const now = useNow(SECOND_MS);
  return (
    <p className="figures mt-1 text-sm text-soft">
      {m.fleet_as_of({ time: formatTime(at, { timeZone: DEVICE_TIME_ZONE, now, seconds: true }) })}
    </p>
  );
}

/** Nothing while nothing was given. */
function GivenBack({ ms }: { ms: number }) {
  if (ms === 0) return null;
  return <p className="figures text-sm text-soft">{m.fleet_given_back({ length: formatDuration(ms) })}</p>;
}

function SpanChoice({ span, list }: { span: FleetSpan; list: FleetListName | null }) {
  const address = (of: FleetSpan) =>
    `${CONSOLE_PATHS.fleet}?${new URLSearchParams({ ...(list && { in: list }), span: of })}`;
  return (
    <nav aria-label={m.fleet_span()} className="flex rounded-field border border-edge bg-raised p-0.5">
      {(["day", "week", "month"] as const).map((of) => (
        <a
          key={of}
          href={address(of)}
          aria-current={of === span ? "true" : undefined}
          className="grid min-h-10 place-items-center rounded-md px-3 text-sm font-semibold text-soft aria-[current]:bg-ink aria-[current]:text-ground"
        >
          {SPAN_LABELS[of]()}
        </a>
      ))}
    </nav>
  );
}

function DriverCounts({ drivers, list }: { drivers: FleetResponse["drivers"]; list: FleetListName | null }) {
  const { on, ...counts } = drivers;
  const running: FleetListName[] = ["looking", "waiting", "asleep"];
  const stopped: FleetListName[] = [
    "signedOut",
    "notLinked",
    "verification",
    "noService",
    "stale",
    "failing",
    "off",
  ];
  return (
    <Section title={m.nav_drivers()} note={m.fleet_on({ count: formatCount(on) })}>
      <ul className="grid grid-cols-2 gap-px border-t border-line bg-line sm:grid-cols-5">
        {[...running, ...stopped].map((name) => (
          <li key={name} className="bg-raised">
            <a
              href={CONSOLE_PATHS.fleetList(name)}
              aria-current={name === list ? "true" : undefined}
              className="block px-5 py-3 hover:bg-sunken focus-visible:-outline-offset-2 aria-[current]:bg-sunken"
              data-count={name}
            >
              <span className="figures block font-display text-2xl font-semibold">
                {formatCount(counts[name])}
              </span>
              <span className="block text-sm text-soft">{FLEET_LIST_LABELS[name]()}</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

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

/** The layers of the picture, the uppermost first. */
export function layersOf(states: FleetResponse["states"]): { at: number[]; series: FigureSeries[] } {
  const counts = LAYERS.map((layer) =>
    states.map(({ drivers }) => layer.states.reduce((sum, state) => sum + (drivers[state] ?? 0), 0)),
  );
  const tops = stack(counts);
  const drawn = LAYERS.map(({ label, color }, index): FigureSeries => {
    const values = tops[LAYERS.length - 1 - index] ?? [];
    return { label: label(), color, kind: "area", values, shown: counts[index] ?? [] };
  });
  return { at: states.map((counted) => counted.at), series: drawn.toReversed() };
}

/** How many drivers were in which state, over time. */
function FleetStates({ states, span }: { states: FleetResponse["states"]; span: FleetSpan }) {
  const { at, series } = useMemo(() => layersOf(states), [states]);
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
