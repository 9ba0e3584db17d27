import { BellOff, ChevronDown, Smartphone } from "lucide-react";
import { m } from "../../messages/messages.js";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadBoundary, LoadError, type CaughtError } from "../errors/load-error.tsx";
import { CaptureAlertSwitches } from "./capture-alert-switches.tsx";
import { EventChannels } from "./event-channels.tsx";
import { TextDeliveryStatus } from "./text-delivery-status.tsx";
import { QuietHoursEditor } from "./quiet-hours-editor.tsx";
import { usePush } from "./use-push.ts";
import { Button } from "../../ui/button.tsx";
import {
  notificationsQuery,
  putNotifications,
  putReminders,
  remindersQuery,
} from "../../api/queries/notifications.ts";
import { useSavedAtOnce } from "./use-saved-at-once.ts";

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
      <LoadBoundary skeleton={<Skeleton className="h-24" />} errorComponent={SettingsError}>
        <TextDeliveryStatus />
      </LoadBoundary>
      {isAvailable && <PushSwitch />}
      {/* Many rows, which few change: a tap away. */}
      <details className="group -mb-5 border-t border-line">
        <summary className="-mx-5 flex min-h-11 items-center justify-between gap-4 rounded-card px-5 py-4 [&::-webkit-details-marker]:hidden">
          <h3 className="text-base">{m.notify_when()}</h3>
          <ChevronDown
            aria-hidden
            className="size-5 shrink-0 text-soft transition-transform duration-150 group-open:rotate-180"
          />
        </summary>
        <div className="grid grid-cols-1 gap-4 pb-5">
          <LoadBoundary skeleton={<Skeleton className="h-64" />} errorComponent={SettingsError}>
            <Settings hasPush={isAvailable} />
          </LoadBoundary>
          <CaptureAlertSwitches />
        </div>
      </details>
    </section>
  );
}

function Settings({ hasPush }: { hasPush: boolean }) {
  const { settings, change } = useSavedAtOnce(notificationsQuery, putNotifications);
  const reminders = useSavedAtOnce(remindersQuery, putReminders);
  return (
    <>
      <EventChannels
        group="notifications"
        settings={settings}
        onChange={(event, chosen) => change({ [event]: chosen })}
        hasPush={hasPush}
      />
      <EventChannels
        group="reminders"
        settings={reminders.settings}
        onChange={(event, chosen) => reminders.change({ [event]: chosen })}
        hasPush={hasPush}
      />
      <QuietHoursEditor quietHours={settings.quietHours} onChange={(quietHours) => change({ quietHours })} />
    </>
  );
}

function SettingsError(caught: CaughtError) {
  return <LoadError {...caught} isPart Icon={BellOff} title={m.notify_failed()} />;
}

/** Push notifications in this browser: on or off, or what to do where they can't be turned on. */
function PushSwitch() {
  const { state, setEnabled, isUpdating, errorText: error } = usePush();
  if (state === undefined) return null;
  const messages = {
    unsupported: m.notify_push_unsupported,
    needs_install: m.notify_push_needs_install,
    denied: m.notify_push_denied,
    off: m.notify_push_off,
    on: m.notify_push_on,
  } satisfies Record<typeof state, () => string>;
  return (
    <div className="grid gap-3 border-t border-line pt-4" data-testid="push" data-state={state}>
      <div className="flex items-start gap-3">
        <Smartphone aria-hidden className="mt-0.5 size-5 shrink-0 text-soft" />
        <div>
          <h3 className="text-base">{m.notify_push_title()}</h3>
          <output className="block text-sm text-soft">{messages[state]()}</output>
        </div>
      </div>
      {(state === "off" || state === "on") && (
        <Button
          variant="plain"
          className="justify-self-start"
          disabled={isUpdating}
          onClick={() => setEnabled(state === "off")}
        >
          {state === "off" ? m.notify_push_turn_on() : m.notify_push_turn_off()}
        </Button>
      )}
      {!isUpdating && error && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
