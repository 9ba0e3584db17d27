import { BellOff } from "lucide-react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { sayProblem } from "../language/problem-words.ts";
import { EventWays } from "./event-ways.tsx";
import { PushSwitch } from "./push-switch.tsx";
import { Quiet } from "./quiet.tsx";
import { SignalSwitches } from "./signal-switches.tsx";
import { useNotifications } from "./use-notifications.ts";
import { usePush } from "./use-push.ts";

/** What the driver hears of, by which ways, and when not. */
export function NotificationSettings() {
  const { data: settings, error, refetch, change } = useNotifications();
  const { isOffered } = usePush();
  return (
    <section
      aria-labelledby="notifications"
      className="card grid grid-cols-1 gap-4 p-5"
      data-testid="notifications"
    >
      <div>
        <h2 id="notifications" className="text-lg">
          {m.notify_title()}
        </h2>
        <p className="mt-1 max-w-prose text-sm text-soft">{m.notify_text()}</p>
      </div>
      {settings ? (
        <>
          <EventWays settings={settings} change={change} hasPush={isOffered} />
          <Quiet quietHours={settings.quietHours} onChange={(quietHours) => change({ quietHours })} />
        </>
      ) : error ? (
        <Notice
          Icon={BellOff}
          role="alert"
          title={m.notify_failed()}
          actions={<Button onClick={() => void refetch()}>{m.try_again()}</Button>}
        >
          {sayProblem(error)}
        </Notice>
      ) : (
        <Skeleton className="h-64" />
      )}
      {isOffered && <PushSwitch />}
      <SignalSwitches />
    </section>
  );
}
