import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleHelp, CircleX, Hourglass, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { CITY_STATES, type CityState } from "../../../db/shapes/city-health.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { dayOfDate } from "../../../db/shapes/work/local-date.ts";
import { healthBars, lastTrouble, BARS_HEIGHT, BARS_WIDTH } from "../../../worker/contract/health-bars.ts";
import type { CityHealthNow } from "../../../worker/contract/platform-health.ts";
import { caseName, factToken, SERVED_PARTS, UNKNOWN_CASE } from "../../../worker/contract/served-cases.ts";
import { platformHealthQuery } from "../../api/queries/platform-health.ts";
import { m } from "../../messages/messages.js";
import { ServedPart } from "../../prerender/served-part.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { OfflinePanel } from "../../ui/pending.tsx";
import { useOnline } from "../../ui/use-online.ts";
import { useNow } from "../../ui/use-now.ts";
import { LoadErrorPanel } from "../errors/load-error.tsx";
import { errorText } from "../language/error-messages.ts";
import { formatDate, formatUntil } from "../language/format.ts";
import { cityLabel } from "../spots/labels.ts";

/** How the platform treats drivers, by city: for everybody, without signing in. */
export function HealthPage() {
  const { data, error, refetch } = useQuery({ ...platformHealthQuery, retry: 1 });
  const now = useNow(60_000);
  const isOnline = useOnline();
  const known = data ? (
    data.cities.length > 0 ? (
      <Cities rows={data.cities.map((city) => ({ key: city.city, facts: describeCity(city, now) }))} />
    ) : (
      <Nothing />
    )
  ) : error ? (
    <LoadErrorPanel title={m.health_failed()} onRetry={() => void refetch()}>
      {errorText(error)}
    </LoadErrorPanel>
  ) : isOnline ? null : (
    <OfflinePanel />
  );
  return (
    <TitledPage width="reading" title={m.health_title()} text={m.health_lead()}>
      <ServedPart
        name={SERVED_PARTS.health}
        cases={healthCases}
        fallback={<Skeleton className="h-96 rounded-card" />}
      >
        {known}
      </ServedPart>
      <p className="max-w-prose text-sm text-soft">{m.health_note()}</p>
    </TitledPage>
  );
}

function Nothing() {
  return <p className="card p-5 text-soft">{m.health_none()}</p>;
}

function Cities({ rows }: { rows: readonly { key: string; facts: RowFacts; row?: string }[] }) {
  return (
    <div className="grid gap-4">
      <HealthLegend />
      <ul className="card divide-y divide-line" data-testid="health-cities">
        {rows.map(({ key, facts, row }) => (
          <HealthRow key={key} facts={facts} row={row} />
        ))}
      </ul>
    </div>
  );
}

function describeCity(health: CityHealthNow, now: number): RowFacts {
  const { city, state, days } = health;
  const trouble = lastTrouble(days);
  return {
    city: cityLabel(city),
    state,
    text: cityStateMessage(health, now),
    trouble:
      trouble === null
        ? m.health_no_trouble()
        : m.health_last_trouble({ day: formatDate(dayOfDate(trouble.date) * DAY_MS, "UTC") }),
    bars: (of) => healthBars(days, of),
  };
}

/** The list with each form of a row, which the Worker repeats for each city. */
function healthCases(): Record<string, ReactNode> {
  const rows = CITY_STATES.map((state) => ({
    key: state,
    row: caseName(SERVED_PARTS.health, state),
    facts: {
      city: factToken("city"),
      state,
      text: factToken("state"),
      trouble: factToken("trouble"),
      bars: (of: CityState) => factToken(`bars-${of}`),
    },
  }));
  return { listed: <Cities rows={rows} />, none: <Nothing />, [UNKNOWN_CASE]: <i data-skeleton /> };
}

/** The facts in a row. */
type RowFacts = {
  city: string;
  state: CityState;
  text: string;
  trouble: string;
  /** The data of the path that draws the days of a state. */
  bars: (state: CityState) => string;
};

const LOOKS: Record<CityState, { Icon: LucideIcon; text: string; fill: string }> = {
  working: { Icon: CircleCheck, text: "text-good", fill: "fill-good" },
  slow: { Icon: Hourglass, text: "text-warn", fill: "fill-warn" },
  down: { Icon: CircleX, text: "text-bad", fill: "fill-bad" },
  unknown: { Icon: CircleHelp, text: "text-soft", fill: "fill-edge" },
};

/** A city: how it is now, and its last 30 days as bars, the lower the worse. */
function HealthRow({ facts, row }: { facts: RowFacts; row?: string }) {
  const { city, state, text, trouble, bars } = facts;
  const { Icon, text: colour } = LOOKS[state];
  return (
    <li {...(row && { "data-row": row })} className="grid gap-3 p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="text-lg wrap-anywhere">{city}</h2>
        <p className={`figures flex items-center gap-2 font-semibold ${colour}`}>
          <Icon aria-hidden className="size-5 shrink-0" />
          {text}
        </p>
      </div>
      <svg
        aria-hidden
        viewBox={`0 0 ${BARS_WIDTH} ${BARS_HEIGHT}`}
        preserveAspectRatio="none"
        className="h-8 w-full"
      >
        {CITY_STATES.map((of) => (
          <path key={of} className={LOOKS[of].fill} d={bars(of)} />
        ))}
      </svg>
      <p className="text-sm text-soft">{trouble}</p>
    </li>
  );
}

/** The meaning of the bars. */
function HealthLegend() {
  const names = {
    working: m.health_working(),
    slow: m.health_slow(),
    down: m.health_down(),
    unknown: m.health_unknown(),
  };
  const heights = { working: "h-4", slow: "h-2.5", down: "h-1.5", unknown: "h-0.5" };
  return (
    <div className="grid gap-1 text-sm text-soft">
      <p>{m.health_days()}</p>
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {CITY_STATES.map((state) => (
          <li key={state} className="flex items-center gap-2">
            <svg
              aria-hidden
              viewBox="0 0 8 16"
              preserveAspectRatio="none"
              className={`w-2 ${heights[state]}`}
            >
              <path className={LOOKS[state].fill} d="M0 0h8v16h-8z" />
            </svg>
            {names[state]}
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * How the platform treats the drivers of a city now. Trouble that is ours says so; where nothing is known, nobody is
 * blamed.
 */
export function cityStateMessage(
  { state, since, isOurs, timeZone }: Pick<CityHealthNow, "state" | "since" | "isOurs" | "timeZone">,
  now: number,
): string {
  const slots = { since: formatUntil(since, { timeZone, now }) };
  switch (state) {
    case "working":
      return m.health_working();
    case "unknown":
      return m.health_unknown_now();
    case "slow":
      return isOurs ? m.health_ours_since(slots) : m.health_slow_since(slots);
    case "down":
      return isOurs ? m.health_ours_since(slots) : m.health_down_since(slots);
  }
}
