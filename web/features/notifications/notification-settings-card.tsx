import { BellOff } from "lucide-react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { EventChannels } from "./event-channels.tsx";
import { PushSwitch } from "./push-switch.tsx";
import { QuietHoursEditor } from "./quiet-hours-editor.tsx";
import { CaptureAlertSwitches } from "./capture-alert-switches.tsx";
import { useNotifications } from "./use-notifications.ts";
import { usePush } from "./use-push.ts";

/** What the driver hears of, by which ways, and when not. */
export function NotificationSettingsCard() {
  const { data: settings, error, refetch, change } = useNotifications();
  const { isOffered: isAvailable } = usePush();
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
          <EventChannels settings={settings} change={change} hasPush={isAvailable} />
          <QuietHoursEditor
            quietHours={settings.quietHours}
            onChange={(quietHours) => change({ quietHours })}
          />
        </>
      ) : error ? (
        <StatusPanel
          Icon={BellOff}
          role="alert"
          title={m.notify_failed()}
          actions={<Button onClick={() => void refetch()}>{m.try_again()}</Button>}
        >
          {errorMessage(error)}
        </StatusPanel>
      ) : (
        <Skeleton className="h-64" />
      )}
      {isAvailable && <PushSwitch />}
      <CaptureAlertSwitches />
    </section>
  );
}
