import { DURATION_MINUTES } from "../../../durable/engine/rules.ts";
import { MINUTE_MS } from "../../../durable/engine/units.ts";
import { m } from "../../messages/messages.js";
import { sayDuration, sayHoursFigure, sayList, sayMoney } from "../language/format.ts";
import { wantedLengths, type DraftRule } from "./draft.ts";

/** A warehouse's rules as one sentence. */
export function sayRule(rule: DraftRule, currency: string): string {
  const buffer = rule.bufferMinutes ?? 0;
  const ahead = buffer === 0 ? m.unit_minutes({ minutes: 0 }) : sayDuration(buffer * MINUTE_MS);
  const lengths = sayLengths(rule);
  const price = sayMoney(rule.minPriceCents ?? 0, currency);
  const hourly = sayMoney(rule.minHourlyCents ?? 0, currency);
  const hasHourly = (rule.minHourlyCents ?? 0) > 0;
  if (rule.onlyHourly)
    return hasHourly ? m.sentence_hourly({ hourly, ahead, lengths }) : m.sentence_any({ ahead, lengths });
  return hasHourly
    ? m.sentence({ price, hourly, ahead, lengths })
    : m.sentence_price({ price, ahead, lengths });
}

function sayLengths(rule: DraftRule): string {
  const { minutes, isRange } = wantedLengths(rule);
  if (minutes.length === 0) return m.sentence_none();
  if (minutes.length === DURATION_MINUTES.length) return m.sentence_all();
  const hours = minutes.map(sayHoursFigure);
  if (isRange) return m.sentence_range({ from: hours[0] ?? "", to: hours.at(-1) ?? "" });
  return m.sentence_list({ list: sayList(hours, "disjunction") });
}
