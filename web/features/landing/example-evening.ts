import { m } from "../../messages/messages.js";
import { capitalize } from "../language/capitalize.ts";
import { formatHours, formatMinuteOfDay, formatMoney, formatWeekday } from "../language/format.ts";
import type { OfferOutcome } from "../../../db/shapes/log/driver-log.ts";

/** A made-up offer and what came of it. Minutes count from midnight, days from Sunday. */
export type ExampleOffer = {
  kind: Extract<OfferOutcome["kind"], "won" | "lost" | "rejected">;
  name: string;
  day: number;
  minute: number;
  minutes: number;
  cents: number;
  /** Its outcome in a few words, as the dashboard's feed has it. */
  outcome: () => string;
  /** The filter beside the offer's figure, as the sheet behind the line has it. */
  why: () => string;
};

const money = (cents: number) => formatMoney(cents, "USD");

const won = () => m.landing_why_won();
const gone = () => m.landing_why_gone();
const rate = (minimum: number, offered: number) => () =>
  m.landing_why_rate({ filter: money(minimum * 100), offer: money(offered * 100) });
const pay = (minimum: number, offered: number) => () =>
  m.landing_why_pay({ filter: money(minimum * 100), offer: money(offered * 100) });
const schedule = (day: number, from: number, to: number) => () =>
  m.landing_why_schedule({
    day: formatWeekday(day),
    from: formatMinuteOfDay(from),
    to: formatMinuteOfDay(to),
  });
const dayOff = (day: number) => () => m.landing_why_day_off({ day: formatWeekday(day) });
const soon = (minimum: number, offered: number) => () =>
  m.landing_why_soon({ filter: String(minimum), offer: String(offered) });
const length = (offered: number) => () =>
  m.landing_why_length({ filter: formatHours(180), offer: formatHours(offered) });
const overlap = (name: string) => () => m.landing_why_overlap({ name });

/** An evening's offers in the order in which they came. */
export const EXAMPLE_EVENING: readonly ExampleOffer[] = [
  {
    kind: "lost",
    name: "Northgate",
    day: 3,
    minute: 345,
    minutes: 270,
    cents: 13_100,
    outcome: m.lost_offer_gone,
    why: gone,
  },
  {
    kind: "rejected",
    name: "Mill Road",
    day: 0,
    minute: 480,
    minutes: 240,
    cents: 10_400,
    outcome: () => capitalize(m.reason_day_off({ day: formatWeekday(0) })),
    why: dayOff(0),
  },
  {
    kind: "rejected",
    name: "Harbor East",
    day: 2,
    minute: 1080,
    minutes: 180,
    cents: 5_400,
    outcome: m.reason_rate_below_minimum,
    why: rate(22, 18),
  },
  {
    kind: "won",
    name: "Northgate",
    day: 2,
    minute: 990,
    minutes: 210,
    cents: 9_800,
    outcome: m.feed_captured,
    why: won,
  },
  {
    kind: "rejected",
    name: "Mill Road",
    day: 2,
    minute: 1020,
    minutes: 240,
    cents: 11_200,
    outcome: m.reason_overlaps_block,
    why: overlap("Northgate"),
  },
  {
    kind: "rejected",
    name: "Harbor East",
    day: 4,
    minute: 300,
    minutes: 210,
    cents: 8_400,
    outcome: m.reason_outside_schedule,
    why: schedule(4, 960, 1320),
  },
  {
    kind: "rejected",
    name: "Northgate",
    day: 4,
    minute: 1035,
    minutes: 120,
    cents: 5_600,
    outcome: m.reason_duration_not_preferred,
    why: length(120),
  },
  {
    kind: "won",
    name: "Mill Road",
    day: 4,
    minute: 1005,
    minutes: 240,
    cents: 11_600,
    outcome: m.feed_captured,
    why: won,
  },
  {
    kind: "rejected",
    name: "Harbor East",
    day: 1,
    minute: 1140,
    minutes: 180,
    cents: 6_300,
    outcome: m.reason_price_below_minimum,
    why: pay(80, 63),
  },
  {
    kind: "rejected",
    name: "Northgate",
    day: 1,
    minute: 1095,
    minutes: 210,
    cents: 9_100,
    outcome: m.reason_too_soon,
    why: soon(45, 20),
  },
  {
    kind: "lost",
    name: "Mill Road",
    day: 5,
    minute: 975,
    minutes: 240,
    cents: 12_400,
    outcome: m.lost_offer_gone,
    why: gone,
  },
  {
    kind: "rejected",
    name: "Harbor East",
    day: 5,
    minute: 1080,
    minutes: 180,
    cents: 5_700,
    outcome: m.reason_rate_below_minimum,
    why: rate(22, 19),
  },
  {
    kind: "won",
    name: "Northgate",
    day: 5,
    minute: 990,
    minutes: 210,
    cents: 10_200,
    outcome: m.feed_captured,
    why: won,
  },
  {
    kind: "rejected",
    name: "Mill Road",
    day: 0,
    minute: 540,
    minutes: 240,
    cents: 10_800,
    outcome: () => capitalize(m.reason_day_off({ day: formatWeekday(0) })),
    why: dayOff(0),
  },
  {
    kind: "rejected",
    name: "Harbor East",
    day: 3,
    minute: 1020,
    minutes: 180,
    cents: 6_000,
    outcome: m.reason_rate_below_minimum,
    why: rate(22, 20),
  },
  {
    kind: "won",
    name: "Mill Road",
    day: 3,
    minute: 1020,
    minutes: 240,
    cents: 11_900,
    outcome: m.feed_captured,
    why: won,
  },
];

/** How many offers the page shows at once. */
export const EXAMPLE_LINES = 4;

/** How many offers have been seen after one more; the evening starts over at its end. */
export function afterOffer(seen: number): number {
  return seen < EXAMPLE_EVENING.length ? seen + 1 : EXAMPLE_LINES;
}
