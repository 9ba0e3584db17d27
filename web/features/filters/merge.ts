import { LIMITS, type DateException, type DaySchedule, type Limit } from "../../../db/shapes/work/filters.ts";
import { findDate, keyOfDate, replaceDate, withoutDate } from "./dates/dates.ts";
import { withDay, withLimit, withRule, type Draft, type DraftLimit, type DraftRule } from "./draft.ts";

/** A part of the filters that is merged as a whole, named as a driver would. */
export type FilterPart =
  | { kind: "general"; value: Draft["general"] }
  | { kind: "day"; index: number; value: DaySchedule }
  | { kind: "limit"; limit: Limit; value: DraftLimit }
  /** Null where these dates are as every week. */
  | { kind: "date"; date: DateException; value: DateException | null }
  | { kind: "warehouse"; value: DraftRule };

/** The side whose version of a part wins. */
export type Side = "mine" | "theirs";

/** A part where two drafts differ, and which side changed it since their common base. */
export type Difference = { key: string; mine: FilterPart; theirs: FilterPart; changedBy: Side | "both" };

const URGENCY = { both: 0, mine: 1, theirs: 2 } satisfies Record<Difference["changedBy"], number>;

/**
 * Where `mine` and `theirs`, both grown from `base`, say different things: what needs a decision first. Without a base,
 * all does.
 */
export function findDifferences({
  base,
  mine,
  theirs,
}: {
  base: Draft | null;
  mine: Draft;
  theirs: Draft;
}): Difference[] {
  const dates = [mine, theirs, ...(base ? [base] : [])].flatMap((draft) => draft.dates);
  const baseParts = base ? partsOf(base, dates) : new Map<string, FilterPart>();
  const theirParts = partsOf(theirs, dates);
  const found = [...partsOf(mine, dates)].flatMap(([key, part]): Difference[] => {
    const other = theirParts.get(key) ?? baseParts.get(key) ?? part;
    if (isSamePart(part, other)) return [];
    const known = baseParts.get(key);
    const byMe = !known || !isSamePart(part, known);
    const byThem = !known || !isSamePart(other, known);
    return [
      { key, mine: part, theirs: other, changedBy: byMe && byThem ? "both" : byMe ? "mine" : "theirs" },
    ];
  });
  return found.sort((one, other) => URGENCY[one.changedBy] - URGENCY[other.changedBy]);
}

/** The default choice: the side that changed it; mine where both did. */
export function proposeSide({ changedBy }: Difference): Side {
  return changedBy === "theirs" ? "theirs" : "mine";
}

/** `mine`, with the parts of `theirs` that were chosen. */
export function mergeDrafts(
  mine: Draft,
  differences: readonly Difference[],
  sideOf: (difference: Difference) => Side,
): Draft {
  return differences
    .filter((difference) => sideOf(difference) === "theirs")
    .reduce((draft, { theirs }) => withPart(draft, theirs), mine);
}

/** A comparable form of a part, in which the values behind a switch that is off don't count. */
function isSamePart(one: FilterPart, other: FilterPart): boolean {
  return JSON.stringify(comparableValue(one)) === JSON.stringify(comparableValue(other));
}

function comparableValue(part: FilterPart): unknown {
  switch (part.kind) {
    case "general":
      return part.value.isOn ? part.value.cents : null;
    case "limit":
      return part.value.isOn ? part.value.figure : null;
    case "day":
    case "date":
    case "warehouse":
      return toSorted(part.value);
  }
}

/** The same whatever the order of its keys. */
function toSorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, toSorted(item)]);
  return entries.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** @param dates those of all sides, each of which is a part of each side, whether it has it or not */
function partsOf(draft: Draft, dates: readonly DateException[]): Map<string, FilterPart> {
  const { warehouses, general, schedule, limits } = draft;
  return new Map<string, FilterPart>([
    ...warehouses.map(
      (rule) => [`warehouse ${rule.warehouseId}`, { kind: "warehouse", value: rule }] as const,
    ),
    ["general", { kind: "general", value: general }],
    ...schedule.map((day, index) => [`day ${index}`, { kind: "day", index, value: day }] as const),
    ...LIMITS.map((limit) => [`limit ${limit}`, { kind: "limit", limit, value: limits[limit] }] as const),
    ...dates.map((date) => [keyOfDate(date), { kind: "date", date, value: findDate(draft, date) }] as const),
  ]);
}

function withPart(draft: Draft, part: FilterPart): Draft {
  switch (part.kind) {
    case "general":
      return { ...draft, general: part.value };
    case "day":
      return withDay(draft, part.index, part.value);
    case "limit":
      return withLimit(draft, part.limit, part.value);
    case "date":
      return part.value === null ? withoutDate(draft, part.date) : replaceDate(draft, part.value);
    case "warehouse":
      return withRule(draft, part.value);
  }
}
