import { BellOff } from "lucide-react";
import { m } from "../../messages/messages.js";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadBoundary } from "../errors/load-boundary.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";
import { CaptureAlertSwitches } from "./capture-alert-switches.tsx";
import { EventChannels } from "./event-channels.tsx";
import { PushSwitch } from "./push-switch.tsx";
import { TextDeliveryStatus } from "./text-delivery-status.tsx";
import { QuietHoursEditor } from "./quiet-hours-editor.tsx";
import { useNotifications } from "./use-notifications.ts";
import { usePush } from "./use-push.ts";

/** The driver's notifications, their channels, and their quiet hours. */
export function NotificationSettingsCard() {
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
      <LoadBoundary skeleton={<Skeleton className="h-64" />} errorComponent={SettingsError}>
        <Settings hasPush={isAvailable} />
      </LoadBoundary>
      <LoadBoundary skeleton={<Skeleton className="h-24" />} errorComponent={SettingsError}>
        <TextDeliveryStatus />
      </LoadBoundary>
      {isAvailable && <PushSwitch />}
      <CaptureAlertSwitches />
    </section>
  );
}

function Settings({ hasPush }: { hasPush: boolean }) {
  const { settings, change } = useNotifications();
  return (
    <>
      <EventChannels settings={settings} onChange={change} hasPush={hasPush} />
      <QuietHoursEditor quietHours={settings.quietHours} onChange={(quietHours) => change({ quietHours })} />
    </>
  );
}

function SettingsError(caught: CaughtError) {
  return <LoadError {...caught} isPart Icon={BellOff} title={m.notify_failed()} />;
}
