import { hasTextFailed, type TextDelivery, type TextStatus } from "../../../db/shapes/text-delivery.ts";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { formatPhone } from "../../../locales/phone-number.ts";
import { DEVICE_TIME_ZONE, formatCountry, formatTimeAgo } from "../../features/language/format.ts";
import { deviceLabel } from "../../features/profile/activity-labels.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import type { ActDraft } from "../acts/act-form.ts";
import type { Column } from "../tables/data-table.tsx";
import { DRIVER_CSV } from "./driver-csv.tsx";
import { DriverSection } from "./driver-section.tsx";
import { formatInstant } from "../../features/language/format-instant.ts";
import { m } from "../messages/messages.js";

const MINUTE_MS = 60_000;

type ConsoleText = DriverPage["texts"]["sent"][number];
type Session = DriverPage["sessions"][number];

const DELIVERY = {
  ok: m.texts_ok,
  failing: m.texts_failing,
  paused: m.texts_paused,
  stopped: m.texts_stopped,
  other: m.texts_other,
} satisfies Record<TextDelivery["status"], () => string>;

const STATUS = {
  accepted: m.text_under_way,
  scheduled: m.text_under_way,
  queued: m.text_under_way,
  sending: m.text_under_way,
  sent: m.text_under_way,
  delivered: m.text_delivered,
  read: m.text_delivered,
  undelivered: m.text_failed,
  failed: m.text_failed,
  canceled: m.text_canceled,
  other: m.text_under_way,
} satisfies Record<TextStatus, () => string>;

/** The texts of the last days, without their words, and whether they arrive. */
export function SentTexts({ page, onAct }: { page: DriverPage; onAct: (draft: ActDraft) => void }) {
  const now = useNow(MINUTE_MS);
  const columns: Column<ConsoleText>[] = [
    {
      id: "when",
      title: m.when(),
      renderCell: ({ at }) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now }),
    },
    {
      id: "phone",
      title: m.phone(),
      renderCell: ({ phone }) => <span className="figures">{formatPhone(phone)}</span>,
    },
    { id: "status", title: m.status(), renderCell: ({ status }) => STATUS[status]() },
    {
      id: "again",
      title: m.text_again(),
      renderCell: ({ id, status }) =>
        hasTextFailed(status) && (
          <Button
            variant="quiet"
            className="-my-2 text-sm"
            aria-haspopup="dialog"
            onClick={() => onAct({ act: "resend_text", textId: id })}
          >
            {m.act_resend_text()}
          </Button>
        ),
    },
  ];
  const { delivery, sent } = page.texts;
  return (
    <DriverSection
      page={page}
      part="texts"
      title={m.texts()}
      note={DELIVERY[delivery.status]()}
      columns={columns}
      csvColumns={DRIVER_CSV.texts}
      rows={sent}
      rowKey={({ id }) => id}
    />
  );
}

/** Where the driver is signed in. */
export function Sessions({ page }: { page: DriverPage }) {
  const now = useNow(MINUTE_MS);
  const columns: Column<Session>[] = [
    { id: "device", title: m.what(), renderCell: deviceLabel },
    {
      id: "country",
      title: m.region(),
      renderCell: ({ country }) => (country === null ? "" : formatCountry(country)),
    },
    { id: "used", title: m.last_used(), renderCell: ({ lastSeenAt }) => formatTimeAgo(now - lastSeenAt) },
  ];
  return (
    <DriverSection
      page={page}
      part="sessions"
      title={m.sessions()}
      columns={columns}
      csvColumns={DRIVER_CSV.sessions}
      rows={page.sessions}
      rowKey={(session) => JSON.stringify(session)}
    />
  );
}
