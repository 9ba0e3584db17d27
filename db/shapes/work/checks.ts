import * as z from "zod/mini";
import { epochMs } from "../units.ts";
import type { LocalDate } from "./local-date.ts";

/** The subjects of the list, each a line, in the order in which they are read. */
export const CHECK_SUBJECTS = ["link", "service", "hours", "platform", "budget", "texts", "push"] as const;
export type CheckSubject = (typeof CHECK_SUBJECTS)[number];

export type CheckState = "ok" | "attention" | "unknown";

/** The driver's next hours, or those that have begun. The zone is that of the warehouse whose hours begin first. */
const hours = { startsAt: epochMs, timeZone: z.string() };

/** A line of the list of everything that has to be right for a capture, by its code. */
export const check = z.discriminatedUnion("code", [
  z.object({ code: z.literal("link_good") }),
  z.object({ code: z.literal("link_missing") }),
  /** The platform has ended the link. */
  z.object({ code: z.literal("link_ended") }),
  z.object({ code: z.literal("selfie_required") }),
  z.object({ code: z.literal("service_good"), until: epochMs }),
  /** It ends before the next hours, or those that have begun, are over. */
  z.object({ code: z.literal("service_ends_within"), until: epochMs }),
  z.object({ code: z.literal("service_over") }),
  z.object({ code: z.literal("service_waiting") }),
  z.object({ code: z.literal("service_paused"), until: epochMs }),
  z.object({ code: z.literal("switched_off") }),
  z.object({ code: z.literal("hours_none") }),
  /** Before an account is linked no warehouse is known, and so no time zone. */
  z.object({ code: z.literal("hours_unknown") }),
  z.object({ code: z.literal("hours_always") }),
  z.object({ code: z.literal("hours_ahead"), ...hours }),
  z.object({ code: z.literal("hours_now"), endsAt: epochMs, timeZone: z.string() }),
  /** The driver's own limits leave no room until then. */
  z.object({ code: z.literal("limit_reached"), until: epochMs }),
  /** They leave none on any day. */
  z.object({ code: z.literal("limit_too_low") }),
  z.object({ code: z.literal("platform_answers"), at: epochMs }),
  z.object({ code: z.literal("platform_waits"), until: epochMs }),
  z.object({ code: z.literal("platform_silent"), at: z.nullable(epochMs) }),
  /** Its offers, or the driver's blocks. */
  z.object({ code: z.literal("platform_unread") }),
  /** It gives the driver no more blocks this week, and is asked again then. */
  z.object({ code: z.literal("platform_week_full"), until: epochMs }),
  /** It is being asked, and has not answered yet. */
  z.object({ code: z.literal("platform_asked") }),
  /** Nothing was asked of it lately. */
  z.object({ code: z.literal("platform_not_asked") }),
  /** Calls that are left of the platform's quota, until it begins anew. `isDay`: it counts by the day. */
  z.object({
    code: z.literal("budget_left"),
    left: z.int(),
    limit: z.int(),
    windowMs: z.int(),
    isDay: z.boolean(),
  }),
  z.object({ code: z.literal("budget_used_up"), until: epochMs }),
  z.object({ code: z.literal("budget_unknown") }),
  z.object({ code: z.literal("texts_arrive") }),
  /** The driver has chosen none. */
  z.object({ code: z.literal("texts_off") }),
  /** They go to the account's number until a code proves the preferred one. */
  z.object({ code: z.literal("texts_unproved") }),
  z.object({ code: z.literal("texts_failing") }),
  z.object({ code: z.literal("texts_paused") }),
  z.object({ code: z.literal("texts_stopped") }),
  z.object({ code: z.literal("texts_unknown") }),
  z.object({ code: z.literal("push_on"), browsers: z.int() }),
  /** The last browser that listened is gone: its permission, its installation or its sign-in. */
  z.object({ code: z.literal("push_lost") }),
  /** No browser listens, and texts arrive. */
  z.object({ code: z.literal("push_none") }),
  /** No browser listens, and no text arrives either. */
  z.object({ code: z.literal("push_needed") }),
]);
export type Check = z.infer<typeof check>;
export type CheckCode = Check["code"];

const PAYMENTS = "/flex/payments";
const TEXTS = "/flex/profile#notifications";

type CheckFacts = { subject: CheckSubject; state: CheckState; action: string | null };

/** Of each code: its subject, its state, and the address at which one tap mends it. */
export const CHECKS: Readonly<Record<CheckCode, CheckFacts>> = {
  link_good: { subject: "link", state: "ok", action: null },
  link_missing: { subject: "link", state: "attention", action: "/flex/login" },
  link_ended: { subject: "link", state: "attention", action: "/flex/login" },
  selfie_required: { subject: "link", state: "attention", action: "/flex/dashboard" },
  service_good: { subject: "service", state: "ok", action: null },
  service_ends_within: { subject: "service", state: "attention", action: `${PAYMENTS}?again=1` },
  service_over: { subject: "service", state: "attention", action: `${PAYMENTS}?again=1` },
  service_waiting: { subject: "service", state: "attention", action: PAYMENTS },
  service_paused: { subject: "service", state: "attention", action: PAYMENTS },
  switched_off: { subject: "hours", state: "attention", action: "/flex/dashboard" },
  hours_none: { subject: "hours", state: "attention", action: "/flex/filters" },
  hours_unknown: { subject: "hours", state: "unknown", action: null },
  hours_always: { subject: "hours", state: "ok", action: null },
  hours_ahead: { subject: "hours", state: "ok", action: null },
  hours_now: { subject: "hours", state: "ok", action: null },
  limit_reached: { subject: "hours", state: "ok", action: null },
  limit_too_low: { subject: "hours", state: "attention", action: "/flex/filters" },
  platform_answers: { subject: "platform", state: "ok", action: null },
  platform_waits: { subject: "platform", state: "attention", action: "/health" },
  platform_silent: { subject: "platform", state: "attention", action: "/health" },
  platform_unread: { subject: "platform", state: "attention", action: "/health" },
  platform_week_full: { subject: "platform", state: "attention", action: null },
  platform_asked: { subject: "platform", state: "unknown", action: null },
  platform_not_asked: { subject: "platform", state: "unknown", action: null },
  budget_left: { subject: "budget", state: "ok", action: null },
  budget_used_up: { subject: "budget", state: "attention", action: "/flex/dashboard" },
  budget_unknown: { subject: "budget", state: "unknown", action: null },
  texts_arrive: { subject: "texts", state: "ok", action: null },
  texts_off: { subject: "texts", state: "ok", action: null },
  texts_unproved: { subject: "texts", state: "attention", action: "/flex/profile" },
  texts_failing: { subject: "texts", state: "attention", action: TEXTS },
  texts_paused: { subject: "texts", state: "attention", action: TEXTS },
  texts_stopped: { subject: "texts", state: "attention", action: TEXTS },
  texts_unknown: { subject: "texts", state: "unknown", action: null },
  push_on: { subject: "push", state: "ok", action: null },
  push_lost: { subject: "push", state: "attention", action: "/flex/checks" },
  push_none: { subject: "push", state: "ok", action: null },
  push_needed: { subject: "push", state: "attention", action: "/flex/checks" },
};

/** The findings of which the driver is told before their hours: those that they alone can mend, with one tap. */
export const shiftNeed = z.enum([
  "link_ended",
  "selfie_required",
  "service_over",
  "service_ends_within",
  "push_lost",
  "texts_stopped",
  "texts_paused",
]);
export type ShiftNeed = z.infer<typeof shiftNeed>;

/** The last start of hours that had its check, and the needs that the driver knows since. */
export const shiftCheck = z.object({ startsAt: epochMs, told: z.array(shiftNeed) });
export type ShiftCheck = z.infer<typeof shiftCheck>;

/** The stored part of the checks. `pushLostAt`: when the last browser that listened was lost. */
export type KeptChecks = {
  shiftCheck: ShiftCheck | null;
  pushLostAt: number | null;
  /** The Monday of the last week whose figures were sent. */
  weekTold: LocalDate | null;
};
