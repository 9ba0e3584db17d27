import {
  expectNothingLeft,
  type DaySchedule,
  type RuleHours,
  type WeekSchedule,
} from "../../../../db/shapes/work/filters.ts";
import { strongestAction, type WantedAction } from "../../../../db/shapes/work/rule-action.ts";
import type { Draft, DraftRule, RuleValues } from "../draft.ts";
import { MINUTES_PER_DAY } from "../schedule-window.ts";
import { isCovered, type RuleReach } from "./rule-coverage.ts";

/** The first rule of a warehouse, where the others have their id. */
export const FIRST = "first";

/** A rule of a draft whose figures are all there. */
type ComparedRule = RuleReach &
  WantedAction & { key: string; hours: RuleHours | null; bufferMinutes: number };

/**
 * The reason that a rule is useless. `never`: it is for the week's schedule, in which no day is on. `covered`: others take
 * everything that it would, at any time. They are no more than are needed for that.
 */
export type RuleNotice = { kind: "never" } | { kind: "covered"; by: readonly string[] };

const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;

/**
 * The useless rules of a warehouse by their key: an id, or `first`. All of them can be removed together and nothing changes:
 * of two that take the same, it's the later one.
 */
export function findRuleNotices(draft: Draft, rule: DraftRule): ReadonlyMap<string, RuleNotice> {
  const found = new Map<string, RuleNotice>();
  if (!hasWork(draft)) {
    found.set(FIRST, { kind: "never" });
    for (const { hours, ruleId } of rule.extraRules) if (hours === null) found.set(ruleId, { kind: "never" });
  }
  let useful = toComparedRules(draft, rule).filter(({ key }) => !found.has(key));
  for (const compared of useful.toReversed()) {
    const others = useful.filter((other) => other !== compared);
    const by = findCovering(compared, { draft, others });
    if (by.length === 0) continue;
    found.set(compared.key, { kind: "covered", by: by.map(({ key }) => key) });
    useful = others;
  }
  return found;
}

/** Whether the week's schedule, or that of some date, has hours at all. */
function hasWork({ schedule, dates }: Draft): boolean {
  return schedule.some(({ active }) => active) || hasOtherHours({ dates });
}

/** Other hours of a date are for rules without their own. */
function hasOtherHours({ dates }: Pick<Draft, "dates">): boolean {
  return dates.some(({ kind }) => kind !== "off");
}

function toComparedRules(draft: Draft, { extraRules, ...first }: DraftRule): ComparedRule[] {
  const rules = [
    { ...first, key: FIRST, hours: null },
    ...extraRules.map((extra) => ({ ...extra, key: extra.ruleId })),
  ];
  return rules.flatMap((rule) => toComparedRule(draft, rule));
}

/** None where a figure is missing. */
function toComparedRule(
  draft: Draft,
  rule: RuleValues & { key: string; hours: RuleHours | null },
): ComparedRule[] {
  const { key, hours } = rule;
  const { minPriceCents, minHourlyCents, bufferMinutes, onlyHourly, durations, action, askSeconds, ...rest } =
    pickValues(rule);
  expectNothingLeft(rest);
  const priceCents = onlyHourly ? 1 : minPriceCents;
  if (priceCents === null || minHourlyCents === null || bufferMinutes === null) return [];
  const general = draft.general.isOn ? (draft.general.cents ?? 0) : 0;
  const hourlyCents = Math.max(minHourlyCents, general);
  const moments = momentsOf(hours, draft);
  return [{ key, hours, priceCents, hourlyCents, bufferMinutes, durations, moments, action, askSeconds }];
}

/** A rule's own name, hours and place don't decide about an offer's pay, notice or length. */
function pickValues(rule: RuleValues): RuleValues {
  const { minPriceCents, minHourlyCents, bufferMinutes, durations, onlyHourly, action, askSeconds } = rule;
  return { minPriceCents, minHourlyCents, bufferMinutes, durations, onlyHourly, action, askSeconds };
}

/** As few rules as together cover one, of which each does as much with an offer; none if they don't. */
function findCovering(
  one: ComparedRule,
  { draft, others }: { draft: Draft; others: readonly ComparedRule[] },
): readonly ComparedRule[] {
  const able = others.filter(
    (other) =>
      other.bufferMinutes <= one.bufferMinutes &&
      coversAction(other, one) &&
      // With their other hours, both kinds of rule are the same on no such date.
      (!hasOtherHours(draft) || (other.hours === null) === (one.hours === null)),
  );
  if (!isCovered(one, able)) return [];
  const alone = able.find((other) => isCovered(one, [other]));
  if (alone) return [alone];
  return able.reduceRight<readonly ComparedRule[]>((needed, other) => {
    const fewer = needed.filter((kept) => kept !== other);
    return isCovered(one, fewer) ? fewer : needed;
  }, able);
}

/** Whether nothing more becomes of an offer because the other rule lets it through too. */
function coversAction(one: WantedAction, other: WantedAction): boolean {
  const both = strongestAction([one, other]);
  return both?.action === one.action && (one.action !== "ask" || both.askSeconds === one.askSeconds);
}

/**
 * The times of a week at which a block may start: its minutes, and of those after midnight apart from the others whether the
 * window is one of the day before, which ends with that day where it's off. Where the schedule has no hours but some date does,
 * one time stands for these.
 */
function momentsOf(hours: RuleHours | null, { schedule, dates }: Draft): boolean[] {
  const moments = Array<boolean>(2 * MINUTES_PER_WEEK + 1).fill(false);
  const isApart = dates.some(({ kind }) => kind === "off");
  for (const [index, day] of toWeek(hours, schedule).entries()) {
    if (!day.active) continue;
    const end = day.end > day.start ? day.end : MINUTES_PER_DAY + day.end;
    for (let minute = day.start; minute < end; minute += 1) {
      const ofWeek = (index * MINUTES_PER_DAY + minute) % MINUTES_PER_WEEK;
      moments[minute >= MINUTES_PER_DAY && isApart ? MINUTES_PER_WEEK + ofWeek : ofWeek] = true;
    }
  }
  if (hours === null && hasOtherHours({ dates })) moments[2 * MINUTES_PER_WEEK] = true;
  return moments;
}

/** The seven days on which a rule looks: its own, or those of the week's schedule. */
export function toWeek(hours: RuleHours | null, schedule: WeekSchedule): readonly DaySchedule[] {
  if (hours === null) return schedule;
  const { days, start, end } = hours;
  return schedule.map((_day, index) => ({ active: days.includes(index + 1), start, end }));
}
