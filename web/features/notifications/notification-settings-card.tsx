import {
  useMutation,
  useQueryClient,
  useSuspenseQuery,
  type UseSuspenseQueryOptions,
} from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { BellOff, ChevronDown, Smartphone } from "lucide-react";
import { useRef } from "react";
import { m } from "../../messages/messages.js";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Switch } from "../../ui/inputs/switch.tsx";
import { toast } from "../../ui/toast.ts";
import { LoadBoundary, LoadError, type CaughtError } from "../errors/load-error.tsx";
import { errorMessage } from "../language/error-messages.ts";
import {
  canVibrate,
  updateCaptureAlert,
  playCaptureSound,
  captureAlertStore,
  vibrateForCapture,
} from "./capture-alert.ts";
import { EventChannels } from "./event-channels.tsx";
import { TextDeliveryStatus } from "./text-delivery-status.tsx";
import { QuietHoursEditor } from "./quiet-hours-editor.tsx";
import { PUSH_MESSAGES, usePush } from "./use-push.ts";
import { Button } from "../../ui/button.tsx";
import {
  notificationsQuery,
  putNotifications,
  putReminders,
  remindersQuery,
} from "../../api/queries/notifications.ts";

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
        onChange={(event, switched) =>
          change({ [event]: { ...settings[event], ...switched } }, { [event]: switched })
        }
        hasPush={hasPush}
      />
      <EventChannels
        group="reminders"
        settings={reminders.settings}
        onChange={(event, switched) =>
          reminders.change({ [event]: { ...reminders.settings[event], ...switched } }, { [event]: switched })
        }
        hasPush={hasPush}
      />
      <QuietHoursEditor
        quietHours={settings.quietHours}
        onChange={(quietHours) => change({ quietHours }, { quietHours })}
      />
    </>
  );
}

function SettingsError(caught: CaughtError) {
  return <LoadError {...caught} isPart Icon={BellOff} title={m.notify_failed()} />;
}

/** Push notifications in this browser: on or off, or what to do where they can't be turned on. */
function PushSwitch() {
  const { state, isLoading, setEnabled, isUpdating, errorText: error } = usePush();
  if (isLoading) return <Skeleton className="h-32" />;
  if (state === undefined) return null;
  return (
    <div className="grid gap-3 border-t border-line pt-4" data-testid="push" data-state={state}>
      <div className="flex items-start gap-3">
        <Smartphone aria-hidden className="mt-0.5 size-5 shrink-0 text-soft" />
        <div>
          <h3 className="text-base">{m.notify_push_title()}</h3>
          <output className="block text-sm text-soft">{PUSH_MESSAGES[state]()}</output>
        </div>
      </div>
      {(state === "off" || state === "on") && (
        <Button
          variant="plain"
          className="justify-self-start"
          aria-disabled={isUpdating}
          onClick={() => isUpdating || setEnabled(state === "off")}
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

/** Sound and vibration on capture while the page is open. Turning one on plays it once. */
function CaptureAlertSwitches() {
  const { sound, vibration } = useSelector(captureAlertStore);
  return (
    <div className="grid gap-1 border-t border-line pt-4">
      <h3 className="text-base">{m.notify_signal()}</h3>
      <p className="text-sm text-soft">{m.notify_signal_text()}</p>
      <Row
        name={m.notify_sound()}
        checked={sound}
        onChange={(on) => {
          updateCaptureAlert({ sound: on });
          if (on) playCaptureSound();
        }}
      />
      {canVibrate() && (
        <Row
          name={m.notify_vibration()}
          checked={vibration}
          onChange={(on) => {
            updateCaptureAlert({ vibration: on });
            if (on) vibrateForCapture();
          }}
        />
      )}
    </div>
  );
}

function Row({
  name,
  checked,
  onChange,
}: {
  name: string;
  checked: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <div className="flex items-center justify-between gap-4">
      <span className="font-semibold">{name}</span>
      <Switch label={name} checked={checked} onChange={onChange} />
    </div>
  );
}

/** A change as it is shown, and as little of it as is sent. */
type Pending<Settings, Change> = { part: Partial<Settings>; sent: Change };

/**
 * Settings that are saved as they are changed, each alone. A change shows at once; one that can't be saved is taken
 * back, and those after it are saved without it.
 */
function useSavedAtOnce<Settings extends object, Change>(
  query: UseSuspenseQueryOptions<Settings, Error, Settings, string[]>,
  put: (change: { sent: Change; all: Settings }) => Promise<Settings>,
) {
  const { queryKey } = query;
  const queryClient = useQueryClient();
  const settings = useSuspenseQuery(query).data;
  /** As the server has them; null while nothing is being saved. */
  const saved = useRef<Settings | null>(null);
  const filters = { mutationKey: queryKey, status: "pending" } as const;
  const { mutate } = useMutation({
    mutationKey: queryKey,
    // One at a time: of two changes of a setting the last must win.
    scope: { id: queryKey.join() },
    mutationFn: ({ part, sent }: Pending<Settings, Change>) =>
      put({ sent, all: { ...(saved.current ?? settings), ...part } }),
    onSuccess: (next) => {
      saved.current = next;
    },
    onError: (error, failed) => {
      const waiting = queryClient.getMutationCache().findAll(filters);
      const pending = waiting.map(({ state }) => state.variables as Pending<Settings, Change>);
      const shown = pending
        .filter((one) => one !== failed)
        .reduce<Settings>((before, { part }) => ({ ...before, ...part }), saved.current ?? settings);
      queryClient.setQueryData<Settings>(queryKey, shown);
      toast.error(m.notify_not_saved(), { description: errorMessage(error) });
    },
    onSettled: () => {
      if (queryClient.isMutating(filters) > 1) return;
      saved.current = null;
      void queryClient.invalidateQueries({ queryKey });
    },
  });
  const change = (part: Partial<Settings>, sent: Change) => {
    const before = queryClient.getQueryData<Settings>(queryKey);
    if (!before) return;
    saved.current ??= before;
    void queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData<Settings>(queryKey, { ...before, ...part });
    mutate({ part, sent });
  };
  return { settings, change };
}
