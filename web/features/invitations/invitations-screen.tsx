import { useSuspenseQuery, useQueryClient } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { toE164 } from "../../../locales/phone-number.ts";
import type { Invitation } from "../../../worker/contract/money/invitations.ts";
import { sendOnce } from "../../api/client/send-once.ts";
import { invitationsQuery, sendInvitation } from "../../api/queries/rewards.ts";
import { m } from "../../messages/messages.js";
import { EmptyList } from "../../ui/empty-list.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { Screen } from "../../ui/screen.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { toast } from "../../ui/toast.ts";
import { useNow } from "../../ui/use-now.ts";
import { PhoneField } from "../account/fields.tsx";
import { StaleNotice } from "../errors/stale-notice.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { formatPhoneText } from "../language/format.ts";
import { formatInstant } from "../language/format-instant.ts";
import { OwnServiceTime } from "../payments/own-service-time.tsx";
import { useUser } from "../session/use-user.ts";
import { inviteFieldMessages, validateFriendPhone } from "./friend-phone.ts";
import { ShareLink } from "./share-link.tsx";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useRef } from "react";
import { connectLive, liveStore } from "../../api/live/live.ts";
import { pauseQuery } from "../../api/queries/service-time.ts";
import { userQuery } from "../../api/queries/user.ts";

const remountState = createRemountState();

/** Inviting friends, and what came of it. */
export function InvitationsScreen() {
  useLiveService();
  const query = useSuspenseQuery(invitationsQuery);
  const { data } = query;
  const { expirationDateTimestamp } = useUser();
  return (
    <Screen width="cards" title={m.nav_invitations()} text={m.invite_text()}>
      <StaleNotice query={query} />
      <output className="block">
        <OwnServiceTime until={expirationDateTimestamp || null} />
      </output>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <InviteForm />
        <ShareLink link={data.link} />
        <InvitationList invitations={data.invitations} />
      </div>
    </Screen>
  );
}

/** Keeps the screen current while it is open: free days that arrive change the end of service, which the object reports. */
function useLiveService(): void {
  const queryClient = useQueryClient();
  useEffect(connectLive, []);
  const serviceUntil = useSelector(liveStore, ({ snapshot, isRestored }) =>
    isRestored ? undefined : snapshot?.serviceUntil,
  );
  const known = useRef(serviceUntil);
  useEffect(() => {
    const isNews = known.current !== undefined && known.current !== serviceUntil;
    known.current = serviceUntil;
    if (!isNews) return;
    for (const { queryKey } of [invitationsQuery, pauseQuery, userQuery])
      void queryClient.invalidateQueries({ queryKey });
  }, [queryClient, serviceUntil]);
}

/** The driver's invitations, newest first. */
function InvitationList({ invitations }: { invitations: readonly Invitation[] }) {
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
        {formatInstant(at, { timeZone, now })}
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

/** Invites a friend by their number. */
function InviteForm() {
  const queryClient = useQueryClient();
  const form = useSubmitForm({
    defaultValues: { phoneNumber: "" },
    remountState,
    send: async ({ phoneNumber }, { reset }) => {
      const invited = (toE164(phoneNumber) ?? "").slice(2);
      const { isTexted } = await sendOnce(["invite", invited], (idempotencyKey) =>
        sendInvitation({ phoneNumber: invited, idempotencyKey }),
      );
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
      reset();
      toast(isTexted ? m.invite_sent() : m.invite_not_texted());
    },
    describeError: (error) => {
      const message = { title: m.invite_failed(), hint: errorMessage(error) };
      return { message, fields: inviteFieldMessages(error) };
    },
  });
  return (
    <section aria-labelledby="invite-form" className="card grid content-start gap-4 p-5">
      <div>
        <h2 id="invite-form" className="text-lg">
          {m.invite_form_title()}
        </h2>
        <p className="mt-1 text-soft">{m.invite_form_text()}</p>
      </div>
      <form.AppForm>
        <form.Body className="grid gap-4">
          <form.AppField
            name="phoneNumber"
            validators={{ onDynamic: ({ value }) => validateFriendPhone(value) }}
          >
            {() => <PhoneField label={m.invite_phone()} name="friend" autoComplete="tel" />}
          </form.AppField>
          <form.SubmitError />
          <form.SubmitButton pendingLabel={m.invite_sending()}>{m.invite_send()}</form.SubmitButton>
        </form.Body>
      </form.AppForm>
    </section>
  );
}
