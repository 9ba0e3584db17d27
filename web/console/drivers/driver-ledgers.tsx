import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import {
  DEVICE_TIME_ZONE,
  formatCount,
  formatDuration,
  formatSignedCount,
  formatTimeLeft,
} from "../../features/language/format.ts";
import { formatPointEntry } from "../../features/rewards/reward-labels.ts";
import { useNow } from "../../ui/use-now.ts";
import type { Column } from "../tables/data-table.tsx";
import { DRIVER_CSV } from "./driver-csv.tsx";
import { DriverSection } from "./driver-section.tsx";
import { formatInstant } from "../../features/language/format-instant.ts";
import { m } from "../messages/messages.js";

const MINUTE_MS = 60_000;

type ServiceLine = DriverPage["service"]["lines"][number];
type PointLine = DriverPage["points"]["lines"][number];

const SOURCES: Record<string, () => string> = {
  payment: m.source_payment,
  operator: m.source_operator,
  reward: m.source_reward,
  invitation: m.source_invitation,
  trial: m.source_trial,
  pause: m.source_pause,
  outage: m.source_outage,
};

/** The ledger of service time, and when service ends. */
export function ServiceLines({ page }: { page: DriverPage }) {
  const now = useNow(MINUTE_MS);
  const columns: Column<ServiceLine>[] = [
    {
      id: "when",
      title: m.when(),
      renderCell: ({ at }) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now }),
    },
    { id: "what", title: m.what(), renderCell: ({ source }) => (SOURCES[source] ?? m.source_other)() },
    {
      id: "change",
      title: m.change(),
      renderCell: ({ appliedMs }) => formatSigned(appliedMs),
      isFigure: true,
    },
  ];
  return (
    <DriverSection
      page={page}
      part="service"
      title={m.service()}
      note={serviceNote(page, now)}
      columns={columns}
      csvColumns={DRIVER_CSV.service}
      rows={page.service.lines}
      rowKey={keyOf}
    />
  );
}

/** The ledger of points. */
export function PointLines({ page }: { page: DriverPage }) {
  const now = useNow(MINUTE_MS);
  const columns: Column<PointLine>[] = [
    {
      id: "when",
      title: m.when(),
      renderCell: ({ at }) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now }),
    },
    { id: "what", title: m.what(), renderCell: formatPointEntry },
    {
      id: "change",
      title: m.change(),
      renderCell: ({ points }) => formatSignedCount(points),
      isFigure: true,
    },
  ];
  const { balance, lines } = page.points;
  return (
    <DriverSection
      page={page}
      part="points"
      title={m.points()}
      note={m.points_balance({ points: formatCount(balance) })}
      columns={columns}
      csvColumns={DRIVER_CSV.points}
      rows={lines}
      rowKey={keyOf}
    />
  );
}

function keyOf(line: ServiceLine | PointLine): string {
  return JSON.stringify(line);
}

/** A line may have changed nothing: of a refund of days that were used up, there was nothing to take. */
function formatSigned(ms: number): string {
  if (ms === 0) return formatCount(0);
  const length = formatDuration(Math.abs(ms));
  return ms < 0 ? `-${length}` : `+${length}`;
}

function serviceNote({ service: { until, unusedMs } }: DriverPage, now: number): string {
  if (until === null) return m.service_none();
  const time = formatInstant(until, { timeZone: DEVICE_TIME_ZONE, now });
  return until > now ? m.service_until({ time, left: formatTimeLeft(unusedMs) }) : m.service_ended({ time });
}
