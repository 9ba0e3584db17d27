import type { ReactNode } from "react";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { formatPhone } from "../../../locales/phone-number.ts";
import { formatDate, formatZoneName } from "../../features/language/format.ts";
import { Button } from "../../ui/button.tsx";
import type { ActDraft } from "../acts/act-form.ts";
import { m } from "../messages/messages.js";

type Phones = { phoneNumber: string; preferredPhoneNumber: string | null };

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
      <Fact label={m.joined()}>{formatDate(driver.createdAt, driver.humanTimezone)}</Fact>
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
