import { UserPlus } from "lucide-react";
import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { Invitation } from "../../../worker/contract/money/invitations.ts";
import { m } from "../../messages/messages.js";
import { EmptyList } from "../../ui/empty-list.tsx";
import { useNow } from "../../ui/use-now.ts";
import { TitledSection } from "../../ui/titled-section.tsx";
import { formatTime, formatPhoneText } from "../language/format.ts";
import { useUser } from "../session/use-user.ts";

/** The driver's invitations, newest first. */
export function InvitationList({ invitations }: { invitations: readonly Invitation[] }) {
  const { humanTimezone: timeZone } = useUser();
  const now = useNow(MINUTE_MS);
  return (
    <TitledSection id="invite-list" title={m.invite_list()} className="lg:col-span-2">
      {invitations.length === 0 ? (
        <EmptyList Icon={UserPlus} title={m.invite_empty()}>
          {m.invite_empty_text()}
        </EmptyList>
      ) : (
        <ul data-testid="invitations" className="card overflow-hidden">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} timeZone={timeZone} now={now} />
          ))}
        </ul>
      )}
    </TitledSection>
  );
}

function InvitationRow({
  invitation,
  timeZone,
  now,
}: {
  invitation: Invitation;
  timeZone: string;
  now: EpochMs;
}) {
  const { name, tone, text } = describeStatus(invitation);
  const { phoneNumber, hasTrial, at } = invitation;
  return (
    <li className="figures grid min-h-16 grid-cols-[1fr_auto] items-center gap-x-3 border-b border-line px-4 py-2.5 last:border-b-0">
      <span className={phoneNumber === null ? "font-semibold" : "font-semibold whitespace-nowrap"}>
        {phoneNumber === null ? m.invite_by_link() : formatPhoneText(phoneNumber)}
      </span>
      <span className={`text-right font-semibold ${tone}`}>{name}</span>
      <span className="text-sm text-soft">
        {formatTime(at, { timeZone, now })}
        {hasTrial && <span className="block">{m.invite_has_trial()}</span>}
      </span>
      <span className="text-right text-sm text-soft">{text}</span>
    </li>
  );
}

function describeStatus({ status, isRevoked }: Invitation): { name: string; tone: string; text: string } {
  if (status === "completed")
    return isRevoked
      ? { name: m.invite_completed(), tone: "text-warn", text: m.invite_revoked() }
      : { name: m.invite_completed(), tone: "text-good", text: m.invite_reward() };
  if (status === "pending") return { name: m.invite_pending(), tone: "", text: m.invite_pending_text() };
  return { name: m.invite_unregistered(), tone: "text-soft", text: m.invite_unregistered_text() };
}
