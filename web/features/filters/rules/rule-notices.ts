import { DURATION_MINUTES, type Durations } from "../../../../db/shapes/work/durations.ts";
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

/** A rule of a draft whose figures are all there. */
type ComparedRule = RuleReach &
  WantedAction & { key: string; hours: RuleHours | null; bufferMinutes: number };

/**
 * The reason that a rule is useless. `never`: it is for the week's schedule, in which no day is on. `covered`: others take
 * everything that it would, at any time. They are no more than are needed for that.
 */
export type RuleNotice = { kind: "never" } | { kind: "covered"; by: readonly string[] };

const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;
const MINUTES_PER_HOUR = 60;

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

/** The blocks that a rule lets through: their pay by their length, and the times of the week at which they start. */
type RuleReach = {
  /** One cent where only the hourly minimum applies. */
  priceCents: number;
  hourlyCents: number;
  durations: Durations;
  /** For each time that any rule tells apart, whether the rule looks. */
  moments: readonly boolean[];
};

/** A block's length as a fraction, in minutes, so that nothing is rounded; without end where it is divided by zero. */
type Length = { minutes: number; over: number };

/**
 * Whether the others together let everything through that one rule does. Half of them may look on some days and half on the
 * others, or want some lengths each. Says no for a rule that itself lets nothing through.
 */
function isCovered(one: RuleReach, others: readonly RuleReach[]): boolean {
  const wanted = DURATION_MINUTES.flatMap((_minutes, index) => (one.durations[index] ? [index] : []));
  const groups = groupsByMoment(one, others);
  return (
    wanted.length > 0 &&
    groups.length > 0 &&
    groups.every((group) =>
      wanted.every((index) =>
        coversPay(
          group.filter(({ durations }) => durations[index]),
          { one, index },
        ),
      ),
    )
  );
}

/** The others that look at the same time as one rule does: each set of them once. */
function groupsByMoment(one: RuleReach, others: readonly RuleReach[]): RuleReach[][] {
  const groups = new Set<number>();
  for (const [moment, isLooking] of one.moments.entries()) {
    if (!isLooking) continue;
    let group = 0;
    for (const [index, { moments }] of others.entries()) if (moments[moment]) group |= 1 << index;
    groups.add(group);
  }
  return [...groups].map((group) => others.filter((_other, index) => group & (1 << index)));
}

/**
 * Whether some other rule asks for no more pay, at every length that counts as one of the ten. A rule's least pay is
 * the greater of a figure and one that grows with the length. Between two lengths at which some rule's least pay bends
 * or those of two meet, it's a straight line in the same order as the others, so that both ends decide.
 */
function coversPay(others: readonly RuleReach[], { one, index }: { one: RuleReach; index: number }): boolean {
  const [shortest, longest] = lengthsOf(index);
  const all = [one, ...others];
  const bends = all.flatMap(({ priceCents }) =>
    all.map(({ hourlyCents }) => ({ minutes: priceCents * MINUTES_PER_HOUR, over: hourlyCents })),
  );
  const inside = bends.filter((length) => isAtMost(shortest, length) && isAtMost(length, longest));
  return [shortest, longest, ...inside].every((length) =>
    others.some((other) => leastPay(other, length) <= leastPay(one, length)),
  );
}

/** The shortest and the longest block that count as one of the ten lengths, a tie as the longer. */
function lengthsOf(index: number): [Length, Length] {
  const [before, own = 0, after] = [index - 1, index, index + 1].map((at) => DURATION_MINUTES[at]);
  return [
    { minutes: before === undefined ? 0 : (before + own) / 2, over: 1 },
    after === undefined ? { minutes: 1, over: 0 } : { minutes: (own + after) / 2, over: 1 },
  ];
}

function isAtMost(one: Length, other: Length): boolean {
  return one.minutes * other.over <= other.minutes * one.over;
}

/** Comparable with that of another rule at the same length. */
function leastPay({ priceCents, hourlyCents }: RuleReach, { minutes, over }: Length): number {
  return Math.max(priceCents * MINUTES_PER_HOUR * over, hourlyCents * minutes);
}
