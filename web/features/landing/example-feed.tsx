import { m } from "../../messages/messages.js";
import { formatExactMoney, formatHours, formatMinuteOfDay, formatWeekday } from "../language/format.ts";
import { OutcomeMark } from "../offers/outcome-mark.tsx";

const OFFERS = [
  { kind: "won", name: "Northgate", day: 2, minute: 990, minutes: 210, cents: 9800, words: m.feed_captured },
  {
    kind: "rejected",
    name: "Harbor East",
    day: 2,
    minute: 1080,
    minutes: 180,
    cents: 5400,
    words: m.reason_rate_below_minimum,
  },
  {
    kind: "rejected",
    name: "Mill Road",
    day: 7,
    minute: 480,
    minutes: 240,
    cents: 10400,
    words: m.reason_outside_schedule,
  },
  {
    kind: "lost",
    name: "Northgate",
    day: 3,
    minute: 345,
    minutes: 270,
    cents: 13100,
    words: m.lost_offer_gone,
  },
] as const;

/** The dashboard's feed with made-up offers, labeled as examples. */
export function ExampleFeed() {
  return (
    <figure className="asphalt rounded-card border border-line p-2 shadow-xl">
      <figcaption className="px-3 pt-2 pb-3 text-sm text-soft">{m.landing_example()}</figcaption>
      <ul className="divide-y divide-line">
        {OFFERS.map(({ kind, name, day, minute, minutes, cents, words: message }) => (
          <li key={`${name} ${cents}`} className="flex flex-wrap items-center gap-3 p-3">
            <OutcomeMark kind={kind} />
            <span className="min-w-[min(100%,6rem)] flex-1">
              <span className="block truncate font-semibold">{name}</span>
              <span className="figures block text-sm text-soft">
                {formatWeekday(day, "short")} {formatMinuteOfDay(minute)} ·{" "}
                <span className="whitespace-nowrap">{m.unit_hours({ hours: formatHours(minutes) })}</span>
              </span>
              <span className="block text-sm">{message()}</span>
            </span>
            <span className="figures ml-auto text-right">
              <span className="block font-semibold">{formatExactMoney(cents, "USD")}</span>
              <span className="block text-sm text-soft">
                {m.unit_per_hour({ money: formatExactMoney(Math.floor((cents * 60) / minutes), "USD") })}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
