import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { Check, CheckSubject } from "../../../db/shapes/work/checks.ts";
import { m } from "../../messages/messages.js";
import {
  countInputs,
  formatCount,
  formatDuration,
  formatTime,
  formatTimeAgo,
  formatUntil,
} from "../language/format.ts";

export const SUBJECTS = {
  link: m.check_link,
  service: m.check_service,
  hours: m.check_hours,
  platform: m.check_platform,
  budget: m.check_budget,
  texts: m.check_texts,
  push: m.check_push,
} satisfies Record<CheckSubject, () => string>;

/** A line's state in a sentence. */
export function checkMessage(check: Check, { now, timeZone }: { now: EpochMs; timeZone: string }): string {
  const until = (at: EpochMs) => formatUntil(at, { now, timeZone });
  switch (check.code) {
    case "link_good":
      return m.check_link_good();
    case "link_missing":
      return m.check_link_missing();
    case "link_ended":
      return m.check_link_ended();
    case "selfie_required":
      return m.check_selfie_required();
    case "service_good":
      return m.check_service_good({ until: until(check.until) });
    case "service_ends_within":
      return m.check_service_ends_within({ until: until(check.until) });
    case "service_over":
      return m.check_service_over();
    case "service_waiting":
      return m.check_service_waiting();
    case "service_paused":
      return m.check_service_paused({ until: until(check.until) });
    case "switched_off":
      return m.check_switched_off();
    case "hours_none":
      return m.check_hours_none();
    case "hours_unknown":
      return m.check_hours_unknown();
    case "hours_always":
      return m.check_hours_always();
    case "hours_ahead":
      return m.check_hours_ahead({ start: formatTime(check.startsAt, { now, timeZone: check.timeZone }) });
    case "hours_now":
      return m.check_hours_now({ until: formatUntil(check.endsAt, { now, timeZone: check.timeZone }) });
    case "limit_reached":
      return m.check_limit_reached({ time: formatTime(check.until, { now, timeZone }) });
    case "limit_too_low":
      return m.check_limit_too_low();
    case "platform_answers":
      return m.check_platform_answers({ ago: formatTimeAgo(now - check.at) });
    case "platform_waits":
      return m.check_platform_waits({ until: until(check.until) });
    case "platform_silent":
      return check.at === null
        ? m.check_platform_silent()
        : m.check_platform_silent_since({ ago: formatTimeAgo(now - check.at) });
    case "platform_unread":
      return m.check_platform_unread();
    case "platform_week_full":
      return m.phase_weekly_limit_detail({ time: formatTime(check.until, { now, timeZone }) });
    case "platform_asked":
      return m.check_platform_asked();
    case "platform_not_asked":
      return m.check_platform_not_asked();
    case "budget_left":
      return budgetMessage(check);
    case "budget_used_up":
      return m.check_budget_used_up({ until: until(check.until) });
    case "budget_unknown":
      return m.check_budget_unknown();
    case "texts_arrive":
      return m.check_texts_arrive();
    case "texts_off":
      return m.check_texts_off();
    case "texts_unproved":
      return m.check_texts_unproved();
    case "texts_failing":
      return m.check_texts_failing();
    case "texts_paused":
      return m.check_texts_paused();
    case "texts_stopped":
      return m.check_texts_stopped();
    case "texts_unknown":
      return m.check_texts_unknown();
    case "push_on":
      return m.check_push_on(countInputs(check.browsers));
    case "push_lost":
      return m.check_push_lost();
    case "push_none":
      return m.check_push_none();
    case "push_needed":
      return m.check_push_needed();
  }
}

/** `14,000 of about 20,000 checks left today`, or those of a shorter span. */
function budgetMessage({ left, limit, windowMs, isDay }: Extract<Check, { code: "budget_left" }>): string {
  const figures = { left: aboutCount(left), limit: aboutCount(limit) };
  if (isDay) return m.check_budget_day(figures);
  const minutes = Math.max(1, Math.round(windowMs / MINUTE_MS));
  return minutes === 1
    ? m.check_budget_minute(figures)
    : m.check_budget_span({ ...figures, span: formatDuration(minutes * MINUTE_MS) });
}

/** Two figures of a large count: the last ones change while they are read. */
function aboutCount(count: number): string {
  const unit = count < 100 ? 1 : 10 ** (Math.floor(Math.log10(count)) - 1);
  return formatCount(Math.round(count / unit) * unit);
}
