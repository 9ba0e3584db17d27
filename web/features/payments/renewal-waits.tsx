import { m } from "../../messages/messages.js";
import { useMustLink } from "../live/use-live.ts";
import { useUser } from "../session/use-user.ts";

/** Whether a renewal that falls due now is charged: for days on which nothing is done for the driver, none is. */
export function useIsServed(): boolean {
  const { userDisabled, waitingForSpot } = useUser();
  const mustLink = useMustLink();
  return userDisabled === 0 && !waitingForSpot && !mustLink;
}

/** Beside the date of a charge that doesn't come then unless the driver does something first. */
export function RenewalWaits() {
  return <p className="text-sm">{m.renew_waits()}</p>;
}
