import { DURATION_MINUTES, type Durations } from "../../../../db/shapes/work/durations.ts";

/** The blocks that a rule lets through: their pay by their length, and the times of the week at which they start. */
export type RuleReach = {
  /** One cent where only the hourly minimum applies. */
  priceCents: number;
  hourlyCents: number;
  durations: Durations;
  /** For each time that any rule tells apart, whether the rule looks. */
  moments: readonly boolean[];
};

/** A block's length as a fraction, in minutes, so that nothing is rounded; without end where it is divided by zero. */
type Length = { minutes: number; over: number };

const MINUTES_PER_HOUR = 60;

/**
 * Whether the others together let everything through that one rule does. Half of them may look on some days and half on the
 * others, or want some lengths each. Says no for a rule that itself lets nothing through.
 */
export function isCovered(one: RuleReach, others: readonly RuleReach[]): boolean {
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
 * Whether some other rule asks for no more pay, at every length that counts as one of the ten. A rule's least pay is the greater
 * of a figure and one that grows with the length. Between two lengths at which some rule's least pay bends or those of two
 * meet, it's a straight line in the same order as the others, so that both ends decide.
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
