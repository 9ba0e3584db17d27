import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CITY_STATES, type CityState } from "../../../db/shapes/city-health.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { dayOfDate } from "../../../db/shapes/work/local-date.ts";
import { healthBars, lastTrouble } from "../../../worker/contract/health-bars.ts";
import type { CityHealthNow } from "../../../worker/contract/platform-health.ts";
import { caseName, factToken, SERVED_PARTS } from "../../../worker/contract/served-cases.ts";
import { platformHealthQuery } from "../../api/queries/platform-health.ts";
import { m } from "../../messages/messages.js";
import { ServedPart } from "../../prerender/served-part.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { useNow } from "../../ui/use-now.ts";
import { LoadErrorPanel } from "../errors/load-error.tsx";
import { errorText } from "../language/error-messages.ts";
import { formatDate } from "../language/format.ts";
import { cityLabel } from "../spots/labels.ts";
import { cityStateMessage } from "./city-state-message.ts";
import { HealthLegend, HealthRow, type RowFacts } from "./health-row.tsx";

/** How the platform treats drivers, by city: for everybody, without signing in. */
export function HealthPage() {
  const { data, error, refetch } = useQuery({ ...platformHealthQuery, retry: 1 });
  const now = useNow(60_000);
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
  ) : null;
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
  return { listed: <Cities rows={rows} />, none: <Nothing /> };
}
