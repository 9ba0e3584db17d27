import { useSuspenseQuery, useMutation } from "@tanstack/react-query";
import { ChevronRight, History, WifiOff } from "lucide-react";
import { usesOwnPool } from "../../api/session/cognito-request.ts";
import { userQuery } from "../../api/queries/user.ts";
import { useConfig } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import { useOnline } from "../../ui/use-online.ts";
import { FreshSignInSheet } from "../account/fresh-sign-in-sheet.tsx";
import { NotificationSettingsCard } from "../notifications/notification-settings-card.tsx";
import { PasskeysCard } from "../passkeys/passkeys-card.tsx";
import { useUser } from "../session/use-user.ts";
import { ActivityCard } from "./activity-card.tsx";
import { CalendarCard } from "./calendar-card.tsx";
import { PersonalDetails } from "./personal-details.tsx";
import { PlaceCard } from "./place-card.tsx";
import { PlatformAccountCard } from "./platform-account-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { YourData } from "./your-data.tsx";
import { ChangePassword } from "../account/change-password.tsx";
import { RenewalState, useRenewal } from "../payments/renewal-status.tsx";
import { ClosedProfileCard, ProfileCard } from "./profile-card.tsx";
import { useId, type ReactNode } from "react";
import { Switch } from "../../ui/inputs/switch.tsx";
import { useRecordingConsent } from "../recording/use-recording-consent.ts";
import { LanguageButtons } from "../language/language-buttons.tsx";
import { ThemeSelector } from "../ui-state/theme-selector.tsx";
import { Link, useRouter } from "@tanstack/react-router";
import { AuthError } from "../../api/session/auth-error.ts";
import { signOutEverywhere } from "../../api/session/auth.ts";
import { Button } from "../../ui/button.tsx";
import { FormError, Banner } from "../../ui/notices.tsx";

/** The driver's details and settings. */
export function ProfileScreen() {
  const user = useUser();
  const { isError } = useSuspenseQuery(userQuery);
  const isOnline = useOnline();
  const hasSessions = usesOwnPool(useConfig().identity);
  return (
    <Screen width="cards" title={m.profile_title()}>
      {!isOnline && <Banner Icon={WifiOff}>{m.profile_offline()}</Banner>}
      {isOnline && isError && <Banner Icon={History}>{m.profile_stale()}</Banner>}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">
          <PersonalDetails user={user} />
          <PlaceCard user={user} />
          <PlatformAccountCard user={user} />
          <NotificationSettingsCard />
        </div>
        <div className="grid grid-cols-1 gap-4">
          <RenewalCard />
          <ChecksCard />
          <CalendarCard user={user} />
          <LanguageAndTheme />
          <ChangePasswordCard />
          {hasSessions && <PasskeysCard user={user} />}
          {hasSessions && <SessionsCard user={user} />}
          <ActivityCard user={user} />
          <RecordingCard />
          <SignOutCard />
          <YourData user={user} />
        </div>
      </div>
      <FreshSignInSheet phone={user.phoneNumber} />
    </Screen>
  );
}

function ChecksCard() {
  return (
    <Link
      to="/flex/checks"
      className="card flex min-h-11 items-center justify-between gap-4 px-5 py-4 hover:bg-sunken"
    >
      <span className="min-w-0">
        <span className="block font-display text-lg font-bold">{m.checks_title()}</span>
        <span className="block text-sm text-soft">{m.checks_lead()}</span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-soft" />
    </Link>
  );
}

function ChangePasswordCard() {
  return (
    <ClosedProfileCard title={m.change_title()}>
      <ChangePassword />
    </ClosedProfileCard>
  );
}

/** The driver's renewal, if they ever agreed to one. */
function RenewalCard() {
  const renewal = useRenewal();
  if (!renewal) return null;
  return (
    <ProfileCard title={m.renew_title()}>
      <RenewalState renewal={renewal} />
    </ProfileCard>
  );
}

/** Whether sessions may be recorded, where the deployment has a recorder. Off ends it at once. */
function RecordingCard() {
  const textId = useId();
  const { consent, save, isPending, isError } = useRecordingConsent();
  if (consent === undefined) return null;
  return (
    <ProfileCard title={m.recording_card_title()}>
      <div className="flex items-center justify-between gap-4">
        <p id={textId}>{m.recording_text()}</p>
        <Switch
          checked={consent === true}
          disabled={isPending}
          label={m.recording_card_title()}
          describedBy={textId}
          onChange={save}
        />
      </div>
      {isError && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {m.recording_failed()}
        </p>
      )}
    </ProfileCard>
  );
}

/** The language and the theme. */
function LanguageAndTheme() {
  return (
    <ProfileCard title={m.profile_look()}>
      <div className="-my-2 grid">
        <Row label={m.language_group()}>
          <LanguageButtons />
        </Row>
        <Row label={m.theme_group()}>
          <ThemeSelector />
        </Row>
      </div>
    </ProfileCard>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <span aria-hidden className="font-semibold">
        {label}
      </span>
      {children}
    </div>
  );
}

/** Signs out on all devices. This one is signed out in the header, the menu and the footer. */
function SignOutCard() {
  const router = useRouter();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => signOutEverywhere(() => router.navigate({ to: "/" })),
  });
  return (
    <ClosedProfileCard title={m.profile_sign_out()}>
      <p className="text-soft">{m.profile_sign_out_text()}</p>
      {error && (
        <FormError
          title={m.profile_sign_out_everywhere_failed()}
          hint={isNetworkError(error) ? m.problem_network() : undefined}
        />
      )}
      <div className="flex flex-wrap gap-3">
        <Button aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {m.profile_sign_out_everywhere()}
        </Button>
      </div>
    </ClosedProfileCard>
  );
}

function isNetworkError(error: Error): boolean {
  return error instanceof AuthError && error.code === "NetworkError";
}
