import { useSuspenseQuery } from "@tanstack/react-query";
import { History, WifiOff } from "lucide-react";
import { usesOwnPool } from "../../api/session/cognito-request.ts";
import { userQuery } from "../../api/queries/user.ts";
import { useConfig } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/banner.tsx";
import { Screen } from "../../ui/screen.tsx";
import { useOnline } from "../../ui/use-online.ts";
import { FreshSignInSheet } from "../account/fresh-sign-in-sheet.tsx";
import { NotificationSettingsCard } from "../notifications/notification-settings-card.tsx";
import { useUser } from "../session/use-user.ts";
import { ActivityCard } from "./activity-card.tsx";
import { PersonalDetails } from "./personal-details.tsx";
import { LanguageAndTheme } from "./language-and-theme.tsx";
import { ChangePasswordCard } from "./change-password-card.tsx";
import { PlaceCard } from "./place-card.tsx";
import { PlatformAccountCard } from "./platform-account-card.tsx";
import { RecordingCard } from "./recording-card.tsx";
import { RenewalCard } from "./renewal-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { SignOutCard } from "./sign-out-card.tsx";
import { YourData } from "./your-data.tsx";

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
          <RenewalCard />
          <NotificationSettingsCard />
        </div>
        <div className="grid grid-cols-1 gap-4">
          <LanguageAndTheme />
          <ChangePasswordCard />
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
