import { useSuspenseQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { DriverId } from "../../../db/shapes/units.ts";
import { formatPhone } from "../../../locales/phone-number.ts";
import { formatLongDate, formatZoneName } from "../../features/language/format.ts";
import type { ActDraft } from "../acts/act-form.ts";
import { useOpened } from "../../ui/use-opened.ts";
import { ActSheet } from "../acts/act-sheet.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { DriverCsv } from "./driver-csv.tsx";
import { ActTable } from "../acts/act-table.tsx";
import { driverQuery } from "../calls/drivers.ts";
import { Section } from "../tables/data-table.tsx";
import { DriverInvitations, DriverRenewal, DriverSecurity } from "./driver-account.tsx";
import { DriverFilters } from "./driver-filters.tsx";
import { DriverLive } from "./driver-live.tsx";
import { DriverPayments } from "./driver-payments.tsx";
import { PointLines, ServiceLines } from "./driver-ledgers.tsx";
import { CutNote } from "./driver-section.tsx";
import { SentTexts, Sessions } from "./driver-reach.tsx";
import { m } from "../messages/messages.js";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { Button } from "../../ui/button.tsx";
import { ACT_LABELS } from "../acts/act-labels.ts";
import { useOperator } from "../calls/operator.ts";

type PlainAct = Exclude<
  ActDraft["act"],
  "refund" | "end_price" | "show_phone" | "resend_text" | "check_payment" | "end_renewal" | "unlock"
>;

type Phones = { phoneNumber: string; preferredPhoneNumber: string | null };

/** All that an operator sees of one driver, and what they can do. */
export function DriverScreen({ driverId }: { driverId: DriverId }) {
  const page = useSuspenseQuery(driverQuery(driverId)).data;
  const { opened: draft, open, close } = useOpened<ActDraft>();
  const [shown, setShown] = useState<Phones | null>(null);
  const { driver } = page;
  return (
    <>
      <title>{driver.name}</title>
      <div className="grid gap-4">
        <h1 className="text-2xl break-words">{driver.name}</h1>
        <DriverFacts page={page} shown={shown} onAct={open} />
        <DriverActs page={page} onAct={open} />
      </div>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        <DriverLive driverId={driver.id} />
        <div className="grid grid-cols-1 content-start gap-6">
          <ServiceLines page={page} />
          <DriverRenewal page={page} onAct={open} />
          <PointLines page={page} />
        </div>
        <div className="lg:col-span-2">
          <DriverPayments page={page} onAct={open} />
        </div>
        <DriverFilters page={page} />
        <div className="grid grid-cols-1 content-start gap-6">
          <SentTexts page={page} onAct={open} />
          <Sessions page={page} />
          <DriverSecurity page={page} onAct={open} />
          <DriverInvitations page={page} />
        </div>
        <div className="lg:col-span-2">
          <Section
            title={m.acts()}
            note={m.acts_text()}
            actions={
              <DriverCsv
                driverId={driver.id}
                part="acts"
                table={m.acts()}
                columns={CSV_COLUMNS.acts}
                rows={page.acts}
              />
            }
          >
            <ActTable acts={page.acts} />
            <CutNote page={page} part="acts" count={page.acts.length} />
          </Section>
        </div>
      </div>
      <ActSheet draft={draft} page={page} onClose={close} onPhones={setShown} />
    </>
  );
}

/** The possible acts on a driver as things stand. */
function DriverActs({ page, onAct }: { page: DriverPage; onAct: (draft: ActDraft) => void }) {
  const { hasOwnPool } = useOperator();
  const { isLinked, isEnabled } = page.driver;
  const pool: PlainAct[] = hasOwnPool
    ? ["sign_out", "change_number", isEnabled === false ? "enable" : "disable"]
    : [];
  const acts: PlainAct[] = [
    "days",
    "points",
    "special_price",
    "test_text",
    ...(isLinked ? (["unlink"] as const) : []),
    ...pool,
    "export_data",
    "erase",
  ];
  return (
    <fieldset aria-label={m.what()} className="flex flex-wrap gap-2">
      {acts.map((act) => (
        <Button key={act} aria-haspopup="dialog" className="text-sm" onClick={() => onAct({ act })}>
          {ACT_LABELS[act]()}
        </Button>
      ))}
    </fieldset>
  );
}

/** The driver's identity and state. `shown`: the numbers, once support has asked for them. */
export function DriverFacts({
  page,
  shown,
  onAct,
}: {
  page: DriverPage;
  shown: Phones | null;
  onAct: (draft: ActDraft) => void;
}) {
  const { driver } = page;
  const phone = shown?.phoneNumber ?? driver.phone;
  const preferred = shown ? shown.preferredPhoneNumber : driver.preferredPhone;
  return (
    <dl className="card grid gap-x-8 gap-y-3 p-5 sm:grid-cols-2 lg:grid-cols-4">
      <Fact label={m.phone()}>
        <span className="figures">{formatPhone(phone)}</span>
        {driver.isMasked && !shown && (
          <Button
            variant="quiet"
            className="-my-2 ml-1 text-sm"
            aria-haspopup="dialog"
            onClick={() => onAct({ act: "show_phone" })}
          >
            {m.show_phone_short()}
          </Button>
        )}
      </Fact>
      {preferred !== null && (
        <Fact label={m.preferred_phone()}>
          <span className="figures">{formatPhone(preferred)}</span>
        </Fact>
      )}
      <Fact label={m.state()}>{standing(page)}</Fact>
      {driver.flexEmail !== null && <Fact label={m.email()}>{driver.flexEmail}</Fact>}
      <Fact label={m.region()}>
        {[driver.humanRegion, formatZoneName(driver.humanTimezone)].filter(Boolean).join(", ")}
      </Fact>
      <Fact label={m.language_of()}>{driver.language.toUpperCase()}</Fact>
      <Fact label={m.joined()}>{formatLongDate(driver.createdAt, driver.humanTimezone)}</Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}

function standing({ driver }: DriverPage): string {
  const { isEnabled, isLinked, isWaitingForSpot, isSwitchedOn } = driver;
  return [
    isSwitchedOn ? m.state_on() : m.state_off(),
    ...(isEnabled === false ? [m.state_disabled()] : []),
    ...(isLinked ? [] : [m.state_not_linked()]),
    ...(isWaitingForSpot ? [m.state_waiting()] : []),
  ].join(", ");
}
