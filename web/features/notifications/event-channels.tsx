import {
  NOTIFICATION_EVENTS,
  type NotificationEvent,
  type NotificationPreferences,
  type Channels,
} from "../../../db/shapes/notifications.ts";
import { m } from "../../messages/messages.js";
import { Switch } from "../../ui/switch.tsx";

const EVENT_LABELS = {
  captured: { name: m.notify_captured, text: m.notify_captured_text },
  needs_you: { name: m.notify_needs_you, text: m.notify_needs_you_text },
  service: { name: m.notify_service, text: m.notify_service_text },
  silence: { name: m.notify_silence, text: m.notify_silence_text },
} satisfies Record<NotificationEvent, { name: () => string; text: () => string }>;

const CHANNEL_LABELS = { text: m.notify_way_text, push: m.notify_way_push } satisfies Record<
  keyof Channels,
  () => string
>;

/** Each event with a switch for each channel. */
export function EventChannels({
  settings,
  onChange,
  hasPush,
}: {
  settings: NotificationPreferences;
  onChange: (part: Partial<NotificationPreferences>) => void;
  hasPush: boolean;
}) {
  const channels: (keyof Channels)[] = hasPush ? ["text", "push"] : ["text"];
  return (
    <ul className="border-t border-line">
      {NOTIFICATION_EVENTS.map((event) => (
        <li
          key={event}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-b border-line py-3"
        >
          <div className="min-w-[min(100%,17rem)] flex-1">
            <p className="font-semibold">{EVENT_LABELS[event].name()}</p>
            <p className="text-sm text-soft">{EVENT_LABELS[event].text()}</p>
          </div>
          <div className="flex flex-wrap gap-x-5">
            {channels.map((channel) => (
              <div key={channel} className="flex items-center gap-2">
                <span aria-hidden className="text-sm text-soft">
                  {CHANNEL_LABELS[channel]()}
                </span>
                <Switch
                  label={m.notify_switch({
                    event: EVENT_LABELS[event].name(),
                    way: CHANNEL_LABELS[channel](),
                  })}
                  checked={settings[event][channel]}
                  onChange={(on) => onChange({ [event]: { ...settings[event], [channel]: on } })}
                />
              </div>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}
