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
    <table className="w-full table-fixed">
      <thead>
        <tr className="text-sm text-soft">
          <th scope="col" className="text-left font-normal">
            <span className="sr-only">{m.notify_event()}</span>
          </th>
          {channels.map((channel) => (
            <th key={channel} scope="col" className="w-16 pb-1 font-normal sm:w-24">
              {CHANNEL_LABELS[channel]()}
            </th>
          ))}
        </tr>
      </thead>
      {NOTIFICATION_EVENTS.map((event) => (
        <tbody key={event} className="border-y border-line">
          <tr>
            <th scope="rowgroup" className="pt-2 pr-2 text-left font-semibold wrap-anywhere">
              {EVENT_LABELS[event].name()}
            </th>
            {channels.map((channel) => (
              <td key={channel} className="pt-2">
                <div className="grid justify-items-center">
                  <Switch
                    label={m.notify_switch({
                      event: EVENT_LABELS[event].name(),
                      way: CHANNEL_LABELS[channel](),
                    })}
                    checked={settings[event][channel]}
                    onChange={(on) => onChange({ [event]: { ...settings[event], [channel]: on } })}
                  />
                </div>
              </td>
            ))}
          </tr>
          <tr>
            <td colSpan={1 + channels.length} className="pb-3 text-sm text-soft">
              {EVENT_LABELS[event].text()}
            </td>
          </tr>
        </tbody>
      ))}
    </table>
  );
}
