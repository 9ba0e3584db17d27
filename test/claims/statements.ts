import { patternOf, type MessageKey } from "./message-pattern.ts";

/** The subject of a claim. */
export type About =
  /** Whether offers are being looked for: `now`, `later`, `no`. */
  | "looking"
  /** Whether captures go on: as `looking`. */
  | "capturing"
  /** `never`, `now`, `before`. */
  | "heard"
  /** `possible`, `link`, `verify`, `wait`, `offline`. */
  | "checkIn"
  | "linked"
  | "earnings"
  /** How much service is left, in words. */
  | "days"
  | "connection"
  /** The driver's next step. */
  | "needs"
  /** The look of the switch. */
  | "light"
  | "paused"
  /** The platform: `answers`, `waits`, `silent`, `unread`, `full`, `asked`, `not asked`. */
  | "platform"
  /** The calls that the platform still allows. */
  | "budget"
  /** The driver's hours: `always`, `ahead`, `now`, `none`, `full`. */
  | "hours"
  /** The end of the driver's service, as it is written. */
  | "serviceEnd"
  /** A renewal that is not charged when it is due: `waits`. */
  | "renewal"
  /** The count of what the driver should look at. */
  | "attention"
  | Figure
  /** The controls that can be pressed. */
  | "press";

/** Sums of money and counts of blocks that several screens say. */
export type Figure =
  | "todayBlocks"
  | "todayPay"
  | "weekBlocks"
  | "weekPay"
  | "workedBlocks"
  | "workedPay"
  | "workedBefore"
  | "earnedToday"
  | "earnedWeek"
  | "earnedLastWeek";

export type Press = "switch" | "mode" | "checkIn" | "pay" | "selfie" | "pause" | "check";

export type Statement = { about: About; says: string };

const say = (about: About, says: string, ...keys: MessageKey[]) => keys.map((key) => ({ key, about, says }));

/** The messages that claim something. One that promises two things is listed twice. */
export const STATEMENTS = [
  ...say("looking", "now", "phase_polling", "phase_blocks_unreadable_detail"),
  ...say("looking", "now", "phase_polling_detail"),
  ...say("looking", "later", "phase_asleep", "phase_asleep_detail"),
  ...say("looking", "later", "phase_throttled", "phase_throttled_detail"),
  ...say("looking", "later", "phase_quota_used_up_detail", "phase_weekly_limit", "phase_weekly_limit_detail"),
  ...say("looking", "later", "phase_limit_day", "phase_limit_week", "phase_limit_goal", "phase_limit_detail"),
  ...say("looking", "later", "phase_unreachable", "phase_unreachable_detail", "phase_unreadable"),
  ...say("looking", "no", "phase_off", "phase_off_detail", "phase_asleep_open", "phase_needs_link"),
  ...say("looking", "no", "phase_limit_open_detail"),
  ...say("looking", "no", "phase_verification", "phase_no_service", "phase_waiting_spot"),
  ...say("looking", "now", "check_platform_asked"),
  ...say("looking", "later", "phase_blocks_unreadable_secure", "phase_paused", "pause_on_text"),
  ...say("looking", "later", "check_limit_reached", "check_platform_waits"),
  ...say("looking", "no", "check_switched_off", "check_link_missing", "check_service_waiting"),
  ...say("renewal", "waits", "renew_waits"),
  ...say("capturing", "on", "live_offline_on", "live_failed_text"),
  ...say("heard", "never", "pulse_never", "pulse_no_answer"),
  ...say("heard", "now", "pulse_now"),
  ...say("heard", "before", "pulse_ago", "pulse_last_answer"),
  ...say("checkIn", "possible", "arrival_outside_text", "arrival_inside", "arrival_checking_text"),
  ...say("checkIn", "possible", "arrival_early_text", "arrival_locating_text", "arrival_unavailable_text"),
  ...say("checkIn", "link", "arrived_link_first", "arrival_failed_link"),
  ...say("checkIn", "verify", "arrived_verify_first", "problem_verification_required"),
  ...say("checkIn", "wait", "arrived_wait_first", "arrival_wait_text"),
  ...say("checkIn", "offline", "arrived_offline_first", "arrival_offline_text"),
  ...say("linked", "yes", "profile_platform_linked", "linking_linked_title", "linking_linked_text"),
  ...say("linked", "yes", "check_link_good"),
  ...say("linked", "no", "check_link_missing", "check_link_ended", "check_act_link"),
  ...say("linked", "no", "profile_platform_lost", "profile_platform_none", "phase_needs_link"),
  ...say("linked", "no", "phase_needs_link_detail", "earnings_not_linked", "earnings_stale_not_linked"),
  ...say("linked", "no", "arrival_not_linked", "arrived_link_first", "spot_link_title"),
  // Links to a screen that tells a linked driver to unlink first.
  ...say("linked", "no", "phase_needs_link_action", "profile_platform_link", "profile_platform_again"),
  ...say(
    "earnings",
    "known",
    "earnings_tips",
    "earnings_tips_last_week",
    "earnings_stale",
    "earnings_stale_not_linked",
  ),
  ...say("earnings", "unknown", "earnings_none", "earnings_empty", "earnings_not_linked", "earnings_failed"),
  ...say("days", "none", "check_service_over", "check_service_waiting", "pause_obstacle_waiting"),
  ...say("days", "none", "service_none", "phase_no_service", "phase_no_service_detail"),
  ...say("connection", "cut", "live_offline", "offline_title", "profile_offline", "switch_cut"),
  ...say("connection", "cut", "switch_no_connection", "live_stale", "linking_offline"),
  ...say("connection", "cut", "checks_offline", "check_offline"),
  ...say("paused", "yes", "phase_paused", "phase_paused_detail", "pause_on", "check_service_paused"),
  ...say("paused", "no", "pause_left", "pause_begin", "check_service_good"),
  ...say("platform", "answers", "check_platform_answers"),
  ...say("platform", "waits", "check_platform_waits", "phase_throttled_detail"),
  ...say("platform", "silent", "check_platform_silent", "check_platform_silent_since", "phase_unreachable"),
  ...say("platform", "unread", "check_platform_unread", "phase_unreadable", "phase_blocks_unreadable"),
  ...say("platform", "full", "phase_weekly_limit", "phase_weekly_limit_detail"),
  ...say("platform", "asked", "check_platform_asked"),
  ...say("platform", "not asked", "check_platform_not_asked"),
  ...say("budget", "used up", "check_budget_used_up", "phase_quota_used_up_detail"),
  ...say("budget", "unknown", "check_budget_unknown"),
  ...say("hours", "always", "check_hours_always"),
  ...say("hours", "ahead", "check_hours_ahead"),
  ...say("hours", "now", "check_hours_now"),
  ...say("hours", "none", "check_hours_none", "phase_asleep_open"),
  ...say(
    "hours",
    "full",
    "check_limit_reached",
    "check_limit_too_low",
    "phase_limit_open",
    "phase_limit_detail",
  ),
  ...say("needs", "nothing", "checks_all_good", "checks_mostly_good"),
  ...say("needs", "link", "check_link_missing", "check_link_ended", "check_act_link"),
  ...say("needs", "verify", "check_selfie_required", "check_act_verify"),
  ...say("needs", "pay", "check_service_over", "check_act_days"),
  ...say("needs", "schedule", "check_hours_none", "check_act_filters"),
  ...say("needs", "limits", "check_limit_too_low"),
  ...say("needs", "link", "phase_needs_link", "phase_needs_link_action", "profile_platform_lost"),
  ...say("needs", "verify", "phase_verification", "phase_verification_detail"),
  ...say("needs", "pay", "phase_no_service", "switch_go_payments"),
  ...say("needs", "schedule", "phase_asleep_open", "switch_confirm_days"),
  ...say("needs", "limits", "phase_limit_open_action"),
].map(({ key, ...statement }) => ({ ...statement, pattern: patternOf(key) }));

/** The messages whose value is the claim. */
export const SAID_VALUES = [
  { about: "days", key: "service_left", says: ({ left = "" }) => left },
  { about: "budget", key: "check_budget_span", says: ({ left = "", limit = "" }) => `${left} of ${limit}` },
  { about: "budget", key: "check_budget_minute", says: ({ left = "", limit = "" }) => `${left} of ${limit}` },
  { about: "serviceEnd", key: "check_service_good", says: ({ until = "" }) => until },
  { about: "serviceEnd", key: "pause_on_text", says: ({ until = "" }) => until },
  { about: "todayPay", key: "today_earned", says: ({ money = "" }) => money },
] as const satisfies {
  about: About;
  key: MessageKey;
  says: (values: Readonly<Record<string, string>>) => string;
}[];

/** Terms of lists, and what their definitions say, in their order. */
export const TERMS = [
  { key: "feed_won", screen: "/flex/dashboard", about: ["todayPay"] },
  { key: "earnings_today", screen: "/flex/dashboard", about: ["earnedToday"] },
  { key: "earnings_this_week", screen: "/flex/dashboard", about: ["earnedWeek"] },
  { key: "earnings_last_week", screen: "/flex/dashboard", about: ["earnedLastWeek"] },
  { key: "your_week_captured", screen: "/flex/week", about: ["weekBlocks", "weekPay"] },
  { key: "your_week_worked", screen: "/flex/week", about: ["workedBlocks"] },
  { key: "your_week_pay", screen: "/flex/week", about: ["workedPay", "workedBefore"] },
] as const satisfies { key: MessageKey; screen: string; about: Figure[] }[];

/** Controls that send something at once, or open what does. */
export const PRESSES = (
  [
    { says: "switch", role: "switch", names: ["switch_label"] },
    { says: "mode", role: "radio", names: ["mode_lucrative", "mode_secure", "mode_masacre"] },
    { says: "mode", role: "switch", names: ["mode_wf"] },
    { says: "checkIn", role: "button", names: ["arrived_button", "arrived_instant"] },
    { says: "pay", role: "button", names: ["pay_button"] },
    { says: "pause", role: "button", names: ["pause_begin", "pause_end"] },
    { says: "check", role: "button", names: ["checks_again"] },
    { says: "selfie", role: "button", names: ["phase_verification_action"] },
  ] satisfies { says: Press; role: string; names: MessageKey[] }[]
).flatMap(({ says, role, names }) => names.map((name) => ({ says, role, pattern: patternOf(name) })));
