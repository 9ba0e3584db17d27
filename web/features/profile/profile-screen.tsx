import { useQuery } from "@tanstack/react-query";
import { History, WifiOff } from "lucide-react";
import { userQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/banner.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useOnline } from "../../ui/use-online.ts";
import { NotificationSettingsCard } from "../notifications/notification-settings-card.tsx";
import { PersonalDetails } from "./personal-details.tsx";
import { LanguageAndTheme } from "./language-and-theme.tsx";
import { PasswordCard } from "./password-card.tsx";
import { PlatformAccountCard } from "./platform-account-card.tsx";
import { SignOutCard } from "./sign-out-card.tsx";
import { YourData } from "./your-data.tsx";

/** Who the driver is here, and everything that they decide about it. */
export function ProfileScreen() {
  return (
    <div className="mx-auto grid max-w-5xl grid-cols-1 gap-4">
      <h1 className="text-2xl">{m.profile_title()}</h1>
      <Content />
    </div>
  );
}

function Content() {
  const { data: user, isError } = useQuery(userQuery);
  const isOnline = useOnline();
  if (!user) return <ProfileSkeleton />;
  return (
    <>
      {!isOnline && <Banner Icon={WifiOff}>{m.profile_offline()}</Banner>}
      {isOnline && isError && <Banner Icon={History}>{m.profile_stale()}</Banner>}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">
          <PersonalDetails user={user} />
          <PlatformAccountCard user={user} />
          <NotificationSettingsCard />
        </div>
        <div className="grid grid-cols-1 gap-4">
          <LanguageAndTheme />
          <PasswordCard />
          <SignOutCard />
          <YourData user={user} />
        </div>
      </div>
    </>
  );
}

function ProfileSkeleton() {
  return (
    <output className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <span className="sr-only">{m.loading()}</span>
      <span className="grid gap-4">
        <Skeleton className="h-80 rounded-card" />
        <Skeleton className="h-40 rounded-card" />
      </span>
      <span className="grid gap-4">
        <Skeleton className="h-44 rounded-card" />
        <Skeleton className="h-20 rounded-card" />
        <Skeleton className="h-52 rounded-card" />
      </span>
    </output>
  );
}
