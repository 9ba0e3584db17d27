import { CalendarPlus, Copy } from "lucide-react";
import type { ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.ts";

/** The secret address, and the ways to subscribe to it. */
export function CalendarLink({
  address,
  isPending,
  failure,
  onRenew,
}: {
  address: string;
  isPending: boolean;
  /** Why no new address could be made. */
  failure: ReactNode;
  onRenew: () => void;
}) {
  const subscription = address.replace(/^https?:/, "webcal:");
  return (
    <div className="grid gap-4">
      <p className="text-soft">{m.calendar_address_text()}</p>
      <ButtonLink href={subscription} variant="primary">
        <CalendarPlus aria-hidden className="size-4.5" />
        {m.calendar_open()}
      </ButtonLink>
      <div className="grid gap-3 sm:grid-cols-2">
        <ButtonLink href={googleUrl(subscription)} target="_blank" rel="noreferrer">
          {m.calendar_google()}
        </ButtonLink>
        <ButtonLink href={outlookUrl(address)} target="_blank" rel="noreferrer">
          {m.calendar_outlook()}
        </ButtonLink>
      </div>
      <p
        data-testid="calendar-address"
        className="rounded-field bg-sunken px-3 py-2 text-sm wrap-anywhere select-all"
      >
        {address}
      </p>
      <Button onClick={() => void copyAddress(address)}>
        <Copy aria-hidden className="size-4.5" />
        {m.calendar_copy()}
      </Button>
      <div className="grid gap-2 border-t border-line pt-4">
        <p className="text-sm text-soft">{m.calendar_renew_text()}</p>
        {failure}
        <Button variant="quiet" aria-disabled={isPending} onClick={() => isPending || onRenew()}>
          {m.calendar_renew()}
        </Button>
      </div>
    </div>
  );
}

/** As Google Calendar's own *Add by URL* opens. */
function googleUrl(subscription: string): string {
  return `https://calendar.google.com/calendar/r?${new URLSearchParams({ cid: subscription }).toString()}`;
}

/** As Outlook's own *Subscribe from web* opens. */
function outlookUrl(address: string): string {
  return `https://outlook.live.com/calendar/0/addfromweb?${new URLSearchParams({ url: address }).toString()}`;
}

async function copyAddress(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    toast(m.calendar_copied());
  } catch {
    toast.error(m.invite_copy_failed());
  }
}
