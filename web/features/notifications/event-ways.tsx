import {
  NOTIFICATION_EVENTS,
  type NotificationEvent,
  type NotificationSettings,
  type Ways,
} from "../../../worker/contract/notifications.ts";
import { m } from "../../messages/messages.js";
import { Switch } from "../../ui/switch.tsx";

const EVENTS = {
  captured: { name: m.notify_captured, text: m.notify_captured_text },
  needs_you: { name: m.notify_needs_you, text: m.notify_needs_you_text },
  service: { name: m.notify_service, text: m.notify_service_text },
  silence: { name: m.notify_silence, text: m.notify_silence_text },
} satisfies Record<NotificationEvent, { name: () => string; text: () => string }>;

const WAYS = { text: m.notify_way_text, push: m.notify_way_push } satisfies Record<keyof Ways, () => string>;

/** Each event with a switch for each way. */
export function EventWays({
  settings,
  change,
  hasPush,
}: {
  settings: NotificationSettings;
  change: (part: Partial<NotificationSettings>) => void;
  hasPush: boolean;
}) {
  const ways: (keyof Ways)[] = hasPush ? ["text", "push"] : ["text"];
  return (
    <table className="w-full table-fixed">
      <thead>
        <tr className="text-sm text-soft">
          <th scope="col" className="text-left font-normal">
            <span className="sr-only">{m.notify_event()}</span>
          </th>
          {ways.map((way) => (
            <th key={way} scope="col" className="w-16 pb-1 font-normal sm:w-24">
              {WAYS[way]()}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-y border-line">
        {NOTIFICATION_EVENTS.map((event) => (
          <tr key={event}>
            <th scope="row" className="py-3 pr-2 text-left align-top font-normal">
              <span className="block font-semibold">{EVENTS[event].name()}</span>
              <span className="block text-sm text-soft">{EVENTS[event].text()}</span>
            </th>
            {ways.map((way) => (
              <td key={way} className="py-2 align-top">
                <div className="grid justify-items-center">
                  <Switch
                    label={m.notify_switch({ event: EVENTS[event].name(), way: WAYS[way]() })}
                    checked={settings[event][way]}
                    onChange={(on) => change({ [event]: { ...settings[event], [way]: on } })}
                  />
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
