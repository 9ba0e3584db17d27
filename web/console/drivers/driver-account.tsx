import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import type { RenewalPause } from "../../../db/shapes/money/renewal.ts";
import { formatPhone } from "../../../locales/phone-number.ts";
import { DEVICE_TIME_ZONE, formatCount, formatExactMoney } from "../../features/language/format.ts";
import { formatPlan } from "../../features/payments/payment-labels.ts";
import { EVENT_LABELS, deviceLabel } from "../../features/profile/activity-labels.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import type { ActDraft } from "../acts/act-form.ts";
import { CONSOLE_PATHS } from "../console-page.ts";
import { DataTable, Section, type Column } from "../tables/data-table.tsx";
import { DRIVER_CSV, DriverCsv } from "./driver-csv.tsx";
import { formatInstant } from "../../features/language/format-instant.ts";
import { CutNote } from "./driver-section.tsx";
import { m } from "../messages/messages.js";

const MINUTE_MS = 60_000;

type SecurityLine = DriverPage["security"][number];
type Invitation = DriverPage["invitations"][number];

const RENEWAL_STATUS = {
  on: m.renewal_on,
  off: m.renewal_off,
  paused: m.renewal_paused,
  other: m.renewal_off,
} satisfies Record<NonNullable<DriverPage["renewal"]>["status"], () => string>;

const PAUSE_LABELS = {
  over_cap: m.pause_over_cap,
  needs_bank: m.pause_needs_bank,
  declined: m.pause_declined,
  method_gone: m.pause_method_gone,
  plan_gone: m.pause_plan_gone,
  not_served: m.pause_not_served,
  failed: m.pause_failed,
  card_disputed: m.pause_card_disputed,
  untold: m.pause_untold,
  refunded: m.pause_refunded,
} satisfies Record<RenewalPause, () => string>;

/** The driver's renewal, which support may end. */
export function DriverRenewal({ page, onAct }: { page: DriverPage; onAct: (draft: ActDraft) => void }) {
  const now = useNow(MINUTE_MS);
  const { renewal } = page;
  if (!renewal) return null;
  const { status, pause, plan, capCents, currency, chargeAt, card } = renewal;
  const facts = [
    RENEWAL_STATUS[status](),
    pause && PAUSE_LABELS[pause](),
    plan === "other" ? null : formatPlan(plan),
    m.renewal_cap({ money: formatExactMoney(capCents, currency) }),
    card && [card.brand ?? card.type, card.last4 && `•••• ${card.last4}`].filter(Boolean).join(" "),
    chargeAt && m.renewal_charge({ time: formatInstant(chargeAt, { timeZone: DEVICE_TIME_ZONE, now }) }),
  ];
  return (
    <Section
      title={m.renewal()}
      actions={
        status !== "off" && (
          <Button
            variant="quiet"
            className="-my-2 text-sm"
            aria-haspopup="dialog"
            onClick={() => onAct({ act: "end_renewal" })}
          >
            {m.act_end_renewal()}
          </Button>
        )
      }
    >
      <p className="px-5 pb-4">{facts.filter(Boolean).join(", ")}</p>
    </Section>
  );
}

/** Security events of the account, as its owner sees them, and what holds up sign-ins. */
export function DriverSecurity({ page, onAct }: { page: DriverPage; onAct: (draft: ActDraft) => void }) {
  const now = useNow(MINUTE_MS);
  const time = (at: number) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now });
  const { locks, security } = page;
  const isHeldUp = locks !== null && (locks.wrong > 0 || locks.until !== null);
  const columns: Column<SecurityLine>[] = [
    { id: "when", title: m.when(), renderCell: ({ lastAt }) => time(lastAt) },
    {
      id: "what",
      title: m.what(),
      renderCell: ({ event, times }) =>
        times > 1 ? `${EVENT_LABELS[event]()} ×${formatCount(times)}` : EVENT_LABELS[event](),
    },
    { id: "device", title: m.device(), renderCell: deviceLabel, isWideOnly: true },
  ];
  return (
    <Section
      title={m.security()}
      note={
        isHeldUp
          ? locks.until === null
            ? m.security_guesses({ count: formatCount(locks.wrong) })
            : m.security_locked({ count: formatCount(locks.wrong), time: time(locks.until) })
          : undefined
      }
      actions={
        <>
          <DriverCsv
            driverId={page.driver.id}
            part="security"
            table={m.security()}
            columns={DRIVER_CSV.security}
            rows={security}
          />
          {isHeldUp && (
            <Button
              variant="quiet"
              className="-my-2 text-sm"
              aria-haspopup="dialog"
              onClick={() => onAct({ act: "unlock" })}
            >
              {m.act_unlock()}
            </Button>
          )}
        </>
      }
    >
      <DataTable
        label={m.security()}
        columns={columns}
        rows={security}
        rowKey={({ id }) => String(id)}
        empty={m.nothing()}
      />
      <CutNote page={page} part="security" count={security.length} />
    </Section>
  );
}

const INVITATION_STATUS = {
  sent: m.invitation_sent,
  registered: m.invitation_registered,
  completed: m.invitation_completed,
  revoked: m.invitation_revoked,
} satisfies Record<Invitation["status"], () => string>;

const WITHHELD = {
  same_card: m.withheld_card,
  same_account: m.withheld_account,
  same_device: m.withheld_device,
  other: m.withheld_other,
} satisfies Record<NonNullable<Invitation["withheld"]>, () => string>;

/** Invitations that the driver sent, with those that earn nothing since both seem to be one person. */
export function DriverInvitations({ page }: { page: DriverPage }) {
  const now = useNow(MINUTE_MS);
  const columns: Column<Invitation>[] = [
    {
      id: "when",
      title: m.when(),
      renderCell: ({ at }) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now }),
    },
    {
      id: "friend",
      title: m.invitation_friend(),
      renderCell: ({ phone, friendId }) => {
        const shown = phone === null ? m.invitation_link() : formatPhone(phone);
        if (friendId === null) return <span className="figures">{shown}</span>;
        return (
          <a href={CONSOLE_PATHS.driver(friendId)} className="figures underline underline-offset-4">
            {shown}
          </a>
        );
      },
    },
    {
      id: "status",
      title: m.status(),
      renderCell: ({ status, withheld }) => (
        <>
          {INVITATION_STATUS[status]()}
          {withheld && <span className="block font-semibold text-warn">{WITHHELD[withheld]()}</span>}
        </>
      ),
    },
  ];
  if (page.invitations.length === 0) return null;
  return (
    <Section
      title={m.invitations()}
      actions={
        <DriverCsv
          driverId={page.driver.id}
          part="invitations"
          table={m.invitations()}
          columns={DRIVER_CSV.invitations}
          rows={page.invitations}
        />
      }
    >
      <DataTable
        label={m.invitations()}
        columns={columns}
        rows={page.invitations}
        rowKey={({ id }) => id}
        empty={m.nothing()}
      />
      <CutNote page={page} part="invitations" count={page.invitations.length} />
    </Section>
  );
}
