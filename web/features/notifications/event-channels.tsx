import {
  NOTIFICATION_EVENTS,
  REMINDERS,
  type Channels,
  type NotificationEvent,
  type Reminder,
} from "../../../db/shapes/notifications.ts";
import { m } from "../../messages/messages.js";
import { Switch } from "../../ui/inputs/switch.tsx";

type ShownEvent = NotificationEvent | Reminder;

const SHOWN_EVENTS = { notifications: NOTIFICATION_EVENTS, reminders: REMINDERS } as const;

const EVENT_LABELS = {
  captured: { name: m.notify_captured, text: m.notify_captured_text },
  question: { name: m.notify_question, text: m.notify_question_text },
  needs_you: { name: m.notify_needs_you, text: m.notify_needs_you_text },
  service: { name: m.notify_service, text: m.notify_service_text },
  silence: { name: m.notify_silence, text: m.notify_silence_text },
  give_back_90: { name: m.notify_give_back_90, text: m.notify_give_back_90_text },
  before_shift: { name: m.notify_before_shift, text: m.notify_before_shift_text },
  week: { name: m.notify_week, text: m.notify_week_text },
  give_back_60: { name: m.notify_give_back_60, text: m.notify_give_back_60_text },
} satisfies Record<ShownEvent, { name: () => string; text: () => string }>;

const CHANNEL_LABELS = { text: m.notify_way_text, push: m.notify_way_push } satisfies Record<
  keyof Channels,
  () => string
>;

/** Each event of a group with a switch for each channel. */
export function EventChannels<Group extends keyof typeof SHOWN_EVENTS>({
  group,
  settings,
  onChange,
  hasPush,
}: {
  group: Group;
  settings: Record<(typeof SHOWN_EVENTS)[Group][number], Channels>;
  /** The channel that was switched, alone: another device may have switched the other. */
  onChange: (event: (typeof SHOWN_EVENTS)[Group][number], switched: Partial<Channels>) => void;
  hasPush: boolean;
}) {
  const events: readonly (typeof SHOWN_EVENTS)[Group][number][] = SHOWN_EVENTS[group];
  const channels: (keyof Channels)[] = hasPush ? ["text", "push"] : ["text"];
  return (
    <ul className="border-t border-line not-first:-mt-4 not-first:border-t-0">
      {events.map((event) => (
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
                  onChange={(on) => onChange(event, { [channel]: on })}
                />
              </div>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}
