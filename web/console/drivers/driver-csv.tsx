import type { DriverId } from "../../../db/shapes/units.ts";
import type { DriverTable } from "../../../worker/contract/console/operator-exports.ts";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { formatPlan, STATUS_LABELS } from "../../features/payments/payment-labels.ts";
import { formatPointEntry } from "../../features/rewards/reward-labels.ts";
import { EVENT_LABELS, deviceLabel } from "../../features/profile/activity-labels.ts";
import { ExportButton } from "../tables/csv-button.tsx";
import { toAmount, toInstant, type CsvColumn } from "../../ui/csv.ts";
import { m } from "../messages/messages.js";

const DAY_MS = 86_400_000;
const when = () => `${m.when()} (UTC)`;

/** The columns of a driver's own tables as files. */
export const DRIVER_CSV = {
  payments: (): CsvColumn<DriverPage["payments"][number]>[] => [
    { title: when(), value: ({ at }) => toInstant(at) },
    { title: "ID", value: ({ id }) => id },
    { title: m.plan(), value: ({ plan }) => formatPlan(plan) },
    { title: m.status(), value: ({ status }) => STATUS_LABELS[status].name() },
    { title: m.currency(), value: ({ currency }) => currency },
    { title: m.amount(), value: ({ totalCents }) => toAmount(totalCents) },
    { title: m.given_back(), value: ({ refundedCents }) => toAmount(refundedCents) },
    { title: m.receipt(), value: ({ receiptNumber }) => receiptNumber },
  ],
  service: (): CsvColumn<DriverPage["service"]["lines"][number]>[] => [
    { title: when(), value: ({ at }) => toInstant(at) },
    { title: m.what(), value: ({ source }) => source },
    { title: m.service(), value: ({ appliedMs }) => appliedMs / DAY_MS },
  ],
  points: (): CsvColumn<DriverPage["points"]["lines"][number]>[] => [
    { title: when(), value: ({ at }) => toInstant(at) },
    { title: m.what(), value: formatPointEntry },
    { title: m.points(), value: ({ points }) => points },
  ],
  texts: (): CsvColumn<DriverPage["texts"]["sent"][number]>[] => [
    { title: when(), value: ({ at }) => toInstant(at) },
    { title: m.phone(), value: ({ phone }) => phone },
    { title: m.status(), value: ({ status }) => status },
  ],
  prices: (): CsvColumn<DriverPage["prices"][number]>[] => [
    { title: m.plan(), value: ({ plan }) => formatPlan(plan) },
    { title: m.price(), value: ({ priceCents }) => toAmount(priceCents) },
    { title: `${m.from()} (UTC)`, value: ({ startsAt }) => toInstant(startsAt) },
    { title: `${m.until()} (UTC)`, value: ({ endsAt }) => toInstant(endsAt) },
  ],
  sessions: (): CsvColumn<DriverPage["sessions"][number]>[] => [
    { title: m.what(), value: deviceLabel },
    { title: m.region(), value: ({ country }) => country },
    { title: `${m.session_begun()} (UTC)`, value: ({ createdAt }) => toInstant(createdAt) },
    { title: `${m.last_used()} (UTC)`, value: ({ lastSeenAt }) => toInstant(lastSeenAt) },
  ],
  security: (): CsvColumn<DriverPage["security"][number]>[] => [
    { title: when(), value: ({ lastAt }) => toInstant(lastAt) },
    { title: m.what(), value: ({ event }) => EVENT_LABELS[event]() },
    { title: m.device(), value: deviceLabel },
  ],
  invitations: (): CsvColumn<DriverPage["invitations"][number]>[] => [
    { title: when(), value: ({ at }) => toInstant(at) },
    { title: m.invitation_friend(), value: ({ phone, friendId }) => phone ?? friendId },
    { title: m.status(), value: ({ status }) => status },
    { title: m.withheld_other(), value: ({ withheld }) => withheld },
  ],
} as const;

/** One of a driver's tables as a file, of which their own log has a line. */
export function DriverCsv<Row>({
  driverId,
  part,
  table,
  columns,
  rows,
}: {
  driverId: DriverId;
  part: DriverTable;
  table: string;
  columns: () => readonly CsvColumn<Row>[];
  rows: readonly Row[];
}) {
  return (
    <ExportButton
      order={{ table: "driver", driver: driverId, part }}
      table={table}
      columns={columns}
      rowsOf={() => rows}
    />
  );
}
