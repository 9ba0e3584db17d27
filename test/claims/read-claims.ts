import english from "../../locales/en.json" with { type: "json" };
import type { TreeLine } from "./accessibility-tree.ts";

/** A statement of a screen about one thing, and the line that makes it. */
export type Claim = { about: About; says: string; line: string };

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
  /** The controls that can be pressed. */
  | "press";

export type Press = "switch" | "mode" | "checkIn" | "pay" | "selfie";

type MessageKey = keyof typeof english;
type Statement = { about: About; says: string };

const say = (about: About, says: string, ...keys: MessageKey[]) => keys.map((key) => ({ key, about, says }));

/** Patterns of values, where any text would also match other messages. */
const VALUES: Readonly<Record<string, string>> = {
  ago: String.raw`\d.*? ago`,
  left: String.raw`\d+ \w+(?:, \d+ \w+)?`,
};

/** The messages that claim something. One that promises two things is listed twice. */
const STATEMENTS = [
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
  ...say("linked", "no", "profile_platform_lost", "profile_platform_none", "phase_needs_link"),
  ...say("linked", "no", "phase_needs_link_detail", "earnings_not_linked", "earnings_stale_not_linked"),
  ...say("linked", "no", "arrival_not_linked", "arrived_link_first", "spot_link_title"),
  ...say("earnings", "known", "earnings_tips", "earnings_stale", "earnings_stale_not_linked"),
  ...say("earnings", "unknown", "earnings_none", "earnings_empty", "earnings_not_linked", "earnings_failed"),
  ...say("days", "none", "service_none", "phase_no_service", "phase_no_service_detail"),
  ...say("connection", "cut", "live_offline", "offline_title", "profile_offline", "switch_cut"),
  ...say("connection", "cut", "switch_no_connection", "live_stale", "linking_offline"),
  ...say("needs", "link", "phase_needs_link", "phase_needs_link_action", "profile_platform_lost"),
  ...say("needs", "verify", "phase_verification", "phase_verification_detail"),
  ...say("needs", "pay", "phase_no_service", "switch_go_payments"),
  ...say("needs", "schedule", "phase_asleep_open", "switch_confirm_days"),
  ...say("needs", "limits", "phase_limit_open_action"),
].map(({ key, ...statement }) => ({ ...statement, pattern: patternOf(key) }));

const DAYS_LEFT = patternOf("service_left");

/** Controls that send something at once, or open what does. */
const PRESSES = (
  [
    { says: "switch", role: "switch", names: ["switch_label"] },
    { says: "mode", role: "radio", names: ["mode_lucrative", "mode_secure", "mode_masacre"] },
    { says: "mode", role: "switch", names: ["mode_wf"] },
    { says: "checkIn", role: "button", names: ["arrived_button", "arrived_instant"] },
    { says: "pay", role: "button", names: ["pay_button"] },
    { says: "selfie", role: "button", names: ["phase_verification_action"] },
  ] satisfies { says: Press; role: string; names: MessageKey[] }[]
).flatMap(({ says, role, names }) => names.map((name) => ({ says, role, pattern: patternOf(name) })));

/** The claims of a screen in English. An offline screen's quote of the last known state is no claim about now. */
export function readClaims(tree: readonly TreeLine[]): Claim[] {
  const quoted = patternOf("switch_last_known");
  return tree.flatMap(({ role, text, isDisabled }) => {
    const control = PRESSES.find((press) => press.role === role && press.pattern.test(text));
    if (control) return isDisabled ? [] : [{ about: "press", says: control.says, line: text }];
    if (quoted.test(text)) return [];
    const statements: Statement[] = STATEMENTS.filter(({ pattern }) => pattern.test(text));
    const left = DAYS_LEFT.exec(text)?.groups?.["left"];
    return [
      ...statements.map(({ about, says }) => ({ about, says, line: text })),
      ...(left === undefined ? [] : [{ about: "days" as const, says: left, line: text }]),
    ];
  });
}

/** A message as it stands in a line of the tree, whole or as a sentence of it. */
function patternOf(key: MessageKey): RegExp {
  const message = english[key];
  if (typeof message !== "string") throw new TypeError(`${key} has forms`);
  const parts = message.split(/(?<value>\{\w+\})/u).map((part) => {
    const name = /^\{(?<name>\w+)\}$/u.exec(part)?.groups?.["name"];
    return name === undefined
      ? part.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`)
      : `(?<${name}>${VALUES[name] ?? ".+?"})`;
  });
  return new RegExp(String.raw`(?<![\p{L}\d])${parts.join("")}(?![\p{L}\d])`, "u");
}
