import type { DaySchedule } from "../../../durable/engine/rules.ts";
import { withDay, withRule, type Draft, type DraftRule } from "./draft.ts";

/** A part of the filters that is kept or taken as a whole: what a driver would name. */
export type Part =
  | { kind: "general"; of: Draft["general"] }
  | { kind: "day"; index: number; of: DaySchedule }
  | { kind: "warehouse"; of: DraftRule };

/** Whose word stands on a part. */
export type Side = "mine" | "theirs";

/** A part on which two drafts differ, and who changed it since both were the same. */
export type Difference = { key: string; mine: Part; theirs: Part; changedBy: Side | "both" };

const URGENCY = { both: 0, mine: 1, theirs: 2 } satisfies Record<Difference["changedBy"], number>;

/** Where `mine` and `theirs`, both grown from `base`, say different things: what needs a decision first. */
export function findDifferences({
  base,
  mine,
  theirs,
}: {
  base: Draft;
  mine: Draft;
  theirs: Draft;
}): Difference[] {
  const before = partsOf(base);
  const there = partsOf(theirs);
  const found = [...partsOf(mine)].flatMap(([key, part]): Difference[] => {
    const other = there.get(key) ?? before.get(key) ?? part;
    if (isSame(part, other)) return [];
    const known = before.get(key);
    const byMe = !known || !isSame(part, known);
    const byThem = !known || !isSame(other, known);
    return [
      { key, mine: part, theirs: other, changedBy: byMe && byThem ? "both" : byMe ? "mine" : "theirs" },
    ];
  });
  return found.sort((one, other) => URGENCY[one.changedBy] - URGENCY[other.changedBy]);
}

/** Whose word is proposed: the one who changed it; where both did, one's own. */
export function proposeSide({ changedBy }: Difference): Side {
  return changedBy === "theirs" ? "theirs" : "mine";
}

/** `mine` with the other side's word on the parts where it was chosen. */
export function mergeDrafts(
  mine: Draft,
  differences: readonly Difference[],
  sideOf: (difference: Difference) => Side,
): Draft {
  return differences
    .filter((difference) => sideOf(difference) === "theirs")
    .reduce((draft, { theirs }) => withPart(draft, theirs), mine);
}

/** What two parts say, so that what is switched off and the way it is written do not count. */
function isSame(one: Part, other: Part): boolean {
  return JSON.stringify(meaningOf(one)) === JSON.stringify(meaningOf(other));
}

function meaningOf(part: Part): unknown {
  switch (part.kind) {
    case "general":
      return part.of.isOn ? part.of.cents : null;
    case "day":
      return [part.of.active, part.of.start, part.of.end];
    case "warehouse": {
      const { selected, minPriceCents, bufferMinutes, minHourlyCents, durations, onlyHourly } = part.of;
      return [selected, minPriceCents, bufferMinutes, minHourlyCents, durations, onlyHourly];
    }
  }
}

function partsOf({ warehouses, general, schedule }: Draft): Map<string, Part> {
  return new Map<string, Part>([
    ...warehouses.map((rule) => [`warehouse ${rule.warehouseId}`, { kind: "warehouse", of: rule }] as const),
    ["general", { kind: "general", of: general }],
    ...schedule.map((day, index) => [`day ${index}`, { kind: "day", index, of: day }] as const),
  ]);
}

function withPart(draft: Draft, part: Part): Draft {
  switch (part.kind) {
    case "general":
      return { ...draft, general: part.of };
    case "day":
      return withDay(draft, part.index, part.of);
    case "warehouse":
      return withRule(draft, part.of);
  }
}
