import * as z from "zod/mini";
import { ALL_DURATIONS, durations } from "./durations.ts";
import { dayOfDate, localDate, weekdayOf } from "./local-date.ts";
import { ASK_SECONDS, askSeconds, ruleAction } from "./rule-action.ts";
import { cents, minuteOfDay, warehouseId } from "../units.ts";
import { readsAs } from "../tolerant.ts";

/** The highest money threshold that a filter accepts: 9999 of the currency's major unit. */
export const MAX_THRESHOLD_CENTS = 999_900;

/** The longest notice before a block's start that a driver can require for a warehouse. */
export const MAX_BUFFER_MINUTES = 1440;

/** `masacre` is the key of the mode that drivers see as turbo. */
export const MODES = ["lucrative", "secure", "masacre"] as const;
/** The engine captures in the default mode in place of one of a later release, as the database reads it. */
export const mode = readsAs(z.enum(MODES), "lucrative");
export type Mode = z.infer<typeof mode>;

/** The mode as it is shown; `other` is one of a later release. */
export const shownMode = z.enum([...MODES, "other"]);
export type ShownMode = z.infer<typeof shownMode>;

/** `wf` narrows the mode to Whole Foods offers. */
export const specialMode = z.enum(["wf"]);
export type SpecialMode = z.infer<typeof specialMode>;

export const serviceType = z.enum(["parcel", "whole_foods", "grocery", "other"]);
export type ServiceType = z.infer<typeof serviceType>;

/**
 * One weekday's window in minutes since midnight, in the warehouse's local time. A window whose end is at or
 * before its start runs past midnight and belongs to this day; start = end means 24 hours.
 */
export const daySchedule = z.object({
  active: z.boolean(),
  start: minuteOfDay,
  end: minuteOfDay,
});
export type DaySchedule = z.infer<typeof daySchedule>;

/** Monday to Sunday. */
export const weekSchedule = z.tuple([
  daySchedule,
  daySchedule,
  daySchedule,
  daySchedule,
  daySchedule,
  daySchedule,
  daySchedule,
]);
export type WeekSchedule = z.infer<typeof weekSchedule>;

const thresholdCents = cents.check(z.maximum(MAX_THRESHOLD_CENTS));

/** An ISO weekday: 1 is Monday. */
export const weekday = z.int().check(z.minimum(1), z.maximum(7));

/**
 * The requirements of a rule. Every field is named here first: rows, drafts, merges, forms, sentences and
 * judgments follow its keys or don't compile. A field added later has a default (`z._default`), which stands for it in rows
 * and drafts that were stored without it.
 */
export const rule = z.object({
  /** Minimum pay for the whole block; at least 1. */
  minPriceCents: thresholdCents.check(z.positive()),
  minHourlyCents: thresholdCents,
  bufferMinutes: z.int().check(z.minimum(0), z.maximum(MAX_BUFFER_MINUTES)),
  durations,
  /** Apply only the hourly minimum and ignore `minPriceCents`. */
  onlyHourly: z.boolean(),
  /** The action on an offer that fits, and for how long a question waits where that is to ask. */
  action: z._default(ruleAction, "take"),
  askSeconds: z._default(askSeconds, ASK_SECONDS.usual),
});
export type Rule = z.infer<typeof rule>;

/** A field that the driver sets for a rule. */
export type RuleField = keyof Rule;

/** The same window on some weekdays, as `daySchedule` has it. */
export const ruleHours = z.object({
  days: z.array(weekday).check(
    z.minLength(1),
    z.refine((days) => days.every((day, index) => index === 0 || day > (days[index - 1] ?? 0))),
  ),
  start: minuteOfDay,
  end: minuteOfDay,
});
export type RuleHours = z.infer<typeof ruleHours>;

/** How many rules a warehouse has beside the first, and how long their names are. */
export const MAX_EXTRA_RULES = 4;
export const MAX_RULE_NAME_LENGTH = 30;

/** A further rule for a warehouse. `hours` are in place of the week's schedule; null for those of the week. */
export const extraRule = z.object({
  /** Unique within the warehouse. */
  ruleId: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,24}$/)),
  /** May be empty: then its place names it. */
  name: z.string().check(z.trim(), z.maxLength(MAX_RULE_NAME_LENGTH)),
  hours: z.nullable(ruleHours),
  ...rule.shape,
});
export type ExtraRule = z.infer<typeof extraRule>;

/**
 * A driver's filters for one warehouse: its first rule, and further ones. An offer that fits any of them is wanted.
 */
export const warehouseFilter = z.object({
  warehouseId,
  selected: z.boolean(),
  ...rule.shape,
  extraRules: z._default(z.array(extraRule).check(z.maxLength(MAX_EXTRA_RULES)), []),
});
export type WarehouseFilter = z.infer<typeof warehouseFilter>;

type FieldsOf<Value> = {
  [Field in RuleField]: Rule[Field] extends Value ? Field : never;
}[RuleField];

/** The fields that are numbers to enter, and those that are switches. */
export type FigureField = Exclude<FieldsOf<number>, "askSeconds">;
export type SwitchField = FieldsOf<boolean>;

/** A driver's first filters at a warehouse. */
export const INITIAL_RULE: Rule = {
  minPriceCents: 5000,
  minHourlyCents: 1800,
  bufferMinutes: 45,
  durations: ALL_DURATIONS,
  onlyHourly: false,
  action: "take",
  askSeconds: ASK_SECONDS.usual,
};

/** The meaning of each number. */
export const FIGURE_UNITS: Readonly<Record<FigureField, "cents" | "minutes">> = {
  minPriceCents: "cents",
  minHourlyCents: "cents",
  bufferMinutes: "minutes",
};

/** The fields of a warehouse's filter, in the order in which they are shown. */
export const FILTER_FIELDS: readonly (keyof WarehouseFilter)[] = z.keyof(warehouseFilter).options;

/** Accepts what is left of an object only if nothing is: a field that was not read before does not compile. */
export function expectNothingLeft(_rest: Readonly<Record<string, never>>): void {}

/** The most that each limit can be; the least is 1. */
export const MOST_OF_LIMIT = {
  blocksPerDay: 24,
  minutesPerDay: 24 * 60,
  minutesPerWeek: 7 * 24 * 60,
  restMinutes: 24 * 60,
  travelMinutes: 24 * 60,
  weekGoalCents: MAX_THRESHOLD_CENTS,
} as const;

const limitOf = (limit: keyof typeof MOST_OF_LIMIT) =>
  z._default(z.nullable(z.int().check(z.positive(), z.maximum(MOST_OF_LIMIT[limit]))), null);

/**
 * The limits of a driver's day and week; null where there is none. A block counts whole to the day and the week (Monday to
 * Sunday) on which it starts, by the clock of its warehouse.
 */
export const limits = z.object({
  blocksPerDay: limitOf("blocksPerDay"),
  minutesPerDay: limitOf("minutesPerDay"),
  minutesPerWeek: limitOf("minutesPerWeek"),
  /** Between the end of a block and the start of the next. */
  restMinutes: limitOf("restMinutes"),
  /** The same between blocks of different warehouses. */
  travelMinutes: limitOf("travelMinutes"),
  /** Once the week's blocks pay this much, no more of that week are taken. */
  weekGoalCents: limitOf("weekGoalCents"),
});
export type Limits = z.infer<typeof limits>;
export type Limit = keyof Limits;

/** Every limit, in the order in which they are shown. */
export const LIMITS: readonly Limit[] = z.keyof(limits).options;

export const NO_LIMITS: Limits = z.parse(limits, {});

/**
 * Dates that differ from the week's schedule, each a warehouse's own. `off`: no block starts from one date to another, both
 * included. `hours`: the window of one date. `week`: the schedule of one week. Of several that concern a date, off holds before
 * hours, hours before week, and of the same kind the last.
 */
export const dateException = z.discriminatedUnion("kind", [
  z
    .object({ kind: z.literal("off"), from: localDate, to: localDate })
    .check(z.refine(({ from, to }) => from <= to)),
  z.object({ kind: z.literal("hours"), date: localDate, start: minuteOfDay, end: minuteOfDay }),
  z.object({
    kind: z.literal("week"),
    monday: localDate.check(z.refine((date) => weekdayOf(dayOfDate(date)) === 1)),
    schedule: weekSchedule,
  }),
]);
export type DateException = z.infer<typeof dateException>;

export const MAX_DATES = 60;
/** Of selected and of changed ones: a region has fewer, but what a driver saved in another one stays. */
export const MAX_WAREHOUSES = 500;

/** Which offers a driver wants. Mode and switch are kept apart, in the profile. */
export const filters = z.object({
  /** The hourly minimum for all warehouses; null if the driver turned it off. */
  minHourlyCents: z.nullable(thresholdCents),
  schedule: weekSchedule,
  warehouses: z.array(warehouseFilter).check(z.maxLength(MAX_WAREHOUSES)),
  limits: z._default(limits, NO_LIMITS),
  dates: z._default(z.array(dateException).check(z.maxLength(MAX_DATES)), []),
});
export type Filters = z.infer<typeof filters>;

/** 9:30 to 18:00, which every new driver starts with on all seven days. */
export const DEFAULT_DAY_SCHEDULE: DaySchedule = { active: true, start: 9 * 60 + 30, end: 18 * 60 };

/** Parses a stored week. A malformed day becomes a day off, so that nothing unwanted is accepted. */
export function readWeekSchedule(stored: unknown): WeekSchedule {
  const days: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return z.parse(
    weekSchedule,
    Array.from({ length: 7 }, (_, index) => {
      const day = z.safeParse(daySchedule, days[index]);
      return day.success ? day.data : { ...DEFAULT_DAY_SCHEDULE, active: false };
    }),
  );
}
