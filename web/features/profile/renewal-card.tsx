import { m } from "../../messages/messages.js";
import { RenewalState, useRenewal } from "../payments/renewal-status.tsx";
import { ProfileCard } from "./profile-card.tsx";

/** The driver's renewal, if they ever agreed to one. */
export function RenewalCard() {
  const renewal = useRenewal();
  if (!renewal) return null;
  return (
    <ProfileCard title={m.renew_title()}>
      <RenewalState renewal={renewal} />
    </ProfileCard>
  );
}
