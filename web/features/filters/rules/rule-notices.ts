import {
  expectNothingLeft,
  type DaySchedule,
  type RuleHours,
  type WeekSchedule,
} from "../../../../db/shapes/work/filters.ts";
import { strongestAction, type WantedAction } from "../../../../db/shapes/work/rule-action.ts";
import type { Draft, DraftRule, RuleValues } from "../draft.ts";
import { MINUTES_PER_DAY } from "../schedule-window.ts";

/** The first rule of a warehouse, where the others have their id. */
export const FIRST = "first";

/** A rule's values, with the hours that are its own. */
type ComparedRule = RuleValues & { key: string; hours: RuleHours | null };

/**
 * The reason that a rule is useless. `never`: it is for the week's schedule, in which no day is on. `covered`: another one takes
 * everything that it would, at any time.
 */
export type RuleNotice = { kind: "never" } | { kind: "covered"; by: string };

const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;

/** The useless rules of a warehouse by their key: an id, or `first`. Of two that take the same, the later one. */
export function findRuleNotices(draft: Draft, rule: DraftRule): ReadonlyMap<string, RuleNotice> {
  const rules = toComparedRules(rule);
  const found = new Map<string, RuleNotice>();
  for (const [index, compared] of rules.entries()) {
    if (compared.hours === null && !hasWork(draft)) {
      found.set(compared.key, { kind: "never" });
      continue;
    }
    const by = rules.find(
      (other, position) =>
        position !== index &&
        covers(draft, other, compared) &&
        // Of two that cover each other, the earlier one stays.
        (position < index || !covers(draft, compared, other)),
    );
    if (by) found.set(compared.key, { kind: "covered", by: by.key });
  }
  return found;
}

/** Whether the week's schedule, or that of some date, has hours at all. */
function hasWork({ schedule, dates }: Draft): boolean {
  return schedule.some(({ active }) => active) || dates.some(({ kind }) => kind !== "off");
}

function toComparedRules({ extraRules, ...first }: DraftRule): ComparedRule[] {
  const extras = extraRules.map((extra) => ({ ...extra, key: extra.ruleId }));
  return [{ ...first, key: FIRST, hours: null }, ...extras];
}

/**
 * Whether one rule lets every offer through that the other does, and does as much with it. Says no where a figure is missing.
 */
function covers(draft: Draft, one: ComparedRule, other: ComparedRule): boolean {
  return coversValues(one, other) && coversHours(draft, one.hours, other.hours);
}

function coversValues(one: RuleValues, other: RuleValues): boolean {
  const { minPriceCents, minHourlyCents, bufferMinutes, durations, onlyHourly, action, askSeconds, ...rest } =
    pickValues(one);
  expectNothingLeft(rest);
  return (
    coversAction({ action, askSeconds }, other) &&
    (onlyHourly || (!other.onlyHourly && isAtMost(minPriceCents, other.minPriceCents))) &&
    isAtMost(minHourlyCents, other.minHourlyCents) &&
    isAtMost(bufferMinutes, other.bufferMinutes) &&
    other.durations.every((isWanted, index) => !isWanted || durations[index])
  );
}

/** A rule's own name, hours and place don't decide about an offer's pay, notice or length. */
function pickValues(rule: RuleValues): RuleValues {
  const { minPriceCents, minHourlyCents, bufferMinutes, durations, onlyHourly, action, askSeconds } = rule;
  return { minPriceCents, minHourlyCents, bufferMinutes, durations, onlyHourly, action, askSeconds };
}

/** Whether nothing more becomes of an offer because the other rule lets it through too. */
function coversAction(one: WantedAction, other: WantedAction): boolean {
  const both = strongestAction([one, other]);
  return both?.action === one.action && (one.action !== "ask" || both.askSeconds === one.askSeconds);
}

function isAtMost(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && one <= other;
}

/** Dates with other hours are for rules without their own, so that both kinds of rule are the same on no such date. */
function coversHours({ schedule, dates }: Draft, one: RuleHours | null, other: RuleHours | null): boolean {
  if (one === null && other === null) return true;
  if ((one === null || other === null) && dates.some(({ kind }) => kind !== "off")) return false;
  const minutes = minutesOfWeek(one, schedule);
  return minutesOfWeek(other, schedule).every((isLooking, minute) => !isLooking || minutes[minute]);
}

/** For each minute of a week whether a block may start in it. */
function minutesOfWeek(hours: RuleHours | null, schedule: WeekSchedule): boolean[] {
  const minutes = Array<boolean>(MINUTES_PER_WEEK).fill(false);
  for (const [index, day] of toWeek(hours, schedule).entries()) {
    if (!day.active) continue;
    const from = index * MINUTES_PER_DAY + day.start;
    const length = day.end > day.start ? day.end - day.start : MINUTES_PER_DAY - day.start + day.end;
    for (let minute = from; minute < from + length; minute += 1) minutes[minute % MINUTES_PER_WEEK] = true;
  }
  return minutes;
}

/** The seven days on which a rule looks: its own, or those of the week's schedule. */
export function toWeek(hours: RuleHours | null, schedule: WeekSchedule): readonly DaySchedule[] {
  if (hours === null) return schedule;
  const { days, start, end } = hours;
  return schedule.map((_day, index) => ({ active: days.includes(index + 1), start, end }));
}
