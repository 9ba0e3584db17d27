import { DURATION_MINUTES, durationsToMinutes } from "../../../db/shapes/work/durations.ts";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type {
  ExtraRule,
  Filters,
  Limit,
  Limits,
  Rule,
  WarehouseFilter,
} from "../../../db/shapes/work/filters.ts";
import type { JudgedRule, ReasonCode } from "../../../db/shapes/work/verdict.ts";
import type { Cents, WarehouseId } from "../../../db/shapes/units.ts";
import { FIRST_RULE } from "../verdicts/compiled-filters.ts";

/** How far a proposal goes: a quarter off a minimum of pay or on a goal, half of a notice or a gap, two hours more of a day. */
const PAY_SHARE = 0.25;
const NOTICE_SHARE = 0.5;
const WIDER_MINUTES = [30, 60, 90, 120];
const WHOLE_UNIT: Cents = 100;
const NOTICE_STEP_MINUTES = 5;
const HALF_HOUR = 30;
const STEPS = 8;
const MORE_BLOCKS = 2;
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

const PAY = { share: PAY_SHARE, unit: WHOLE_UNIT };
const NOTICE = { share: NOTICE_SHARE, unit: NOTICE_STEP_MINUTES };

/** The warehouses that the driver filters for and the platform lists: those that are selected, and the others. */
type Proposable = {
  filters: Filters;
  selected: readonly WarehouseFilter[];
  others: readonly WarehouseFilter[];
  further: readonly Further[];
};

/** A further rule of a selected warehouse. */
type Further = { warehouseId: WarehouseId; rule: JudgedRule; fields: ExtraRule };

/** The changes that can remove a reason, in families; each family goes from the least change to the greatest. */
const CHANGES: Readonly<Record<ReasonCode, (of: Proposable) => readonly (readonly FilterChange[])[]>> = {
  currency: () => [],
  given_back: () => [],
  expired: () => [],
  warehouse_not_selected: ({ others }) => others.map(({ warehouseId }) => [{ kind: "select", warehouseId }]),
  service_type: () => [],
  day_off: ({ filters, further }) => [
    ...filters.schedule.flatMap((day, index): FilterChange[][] =>
      day.active ? [] : [[{ kind: "day_on", day: index + 1 }]],
    ),
    ...further.flatMap((each) =>
      WEEKDAYS.filter((day) => each.fields.hours?.days.includes(day) === false).map((day) =>
        ofRule(each, "day_on", [day]),
      ),
    ),
  ],
  outside_schedule: ({ further }) =>
    (["earlier", "later"] as const).flatMap((kind) => [
      WIDER_MINUTES.map((minutes) => ({ kind, day: null, minutes })),
      ...further.filter(({ fields }) => fields.hours).map((each) => ofRule(each, kind, WIDER_MINUTES)),
    ]),
  too_soon: ({ selected, further }) => {
    const present = Math.max(0, ...selected.map(({ bufferMinutes }) => bufferMinutes));
    return [
      lowerValues(present, NOTICE).map((minutes) => ({ kind: "notice", warehouseId: null, minutes })),
      ...further.map((each) => ofRule(each, "notice", lowerValues(each.fields.bufferMinutes, NOTICE))),
    ];
  },
  duration_not_preferred: ({ selected, further }) => [
    ...DURATION_MINUTES.filter((minutes) => selected.some((rule) => lacksLength(rule, minutes))).map(
      (minutes): FilterChange[] => [{ kind: "length", warehouseId: null, minutes }],
    ),
    ...further.flatMap((each) =>
      DURATION_MINUTES.filter((minutes) => lacksLength(each.fields, minutes)).map((minutes) =>
        ofRule(each, "length", [minutes]),
      ),
    ),
  ],
  price_below_minimum: ({ selected, further }) => [
    ...selected.map(({ warehouseId, minPriceCents, extraRules }) =>
      lowerValues(minPriceCents, PAY).map((cents): FilterChange => {
        const change = { kind: "min_price", warehouseId, cents: Math.max(1, cents) } as const;
        return extraRules.length > 0 ? { ...change, rule: FIRST_RULE } : change;
      }),
    ),
    ...further.map((each) => ofRule(each, "min_price", lowerValues(each.fields.minPriceCents, PAY))),
  ],
  rate_below_minimum: ({ filters, selected, further }) => {
    const general = filters.minHourlyCents ?? 0;
    const present = Math.max(general, ...selected.map((each) => each.minHourlyCents));
    return [
      lowerValues(present, PAY).map((cents) => ({ kind: "min_hourly", warehouseId: null, cents })),
      ...further.map((each) =>
        ofRule(each, "min_hourly", lowerValues(Math.max(general, each.fields.minHourlyCents), PAY)),
      ),
    ];
  },
  date_off: () => [],
  weekly_limit: () => [],
  day_limit: ({ filters: { limits } }) => [
    raised("blocksPerDay", limits, { step: 1, steps: MORE_BLOCKS }),
    raised("minutesPerDay", limits, { step: HALF_HOUR, steps: 8 }),
  ],
  week_limit: ({ filters: { limits } }) => [raised("minutesPerWeek", limits, { step: 60, steps: STEPS })],
  goal_reached: ({ filters: { limits } }) => {
    const step = WHOLE_UNIT * Math.ceil(((limits.weekGoalCents ?? 0) * PAY_SHARE) / STEPS / WHOLE_UNIT);
    return [raised("weekGoalCents", limits, { step, steps: STEPS })];
  },
  rest: ({ filters: { limits } }) => [shortened("restMinutes", limits)],
  travel: ({ filters: { limits } }) => [shortened("travelMinutes", limits)],
  overlaps_block: () => [],
  passed: () => [],
  unanswered: () => [],
  only_told: () => [],
  other: () => [],
};

/** The changes that can remove a reason, at the warehouses that the platform lists. */
export function proposedChanges(
  code: ReasonCode,
  filters: Filters,
  known: ReadonlySet<WarehouseId>,
): readonly (readonly FilterChange[])[] {
  const listed = filters.warehouses.filter(({ warehouseId }) => known.has(warehouseId));
  const selected = listed.filter((filter) => filter.selected);
  return CHANGES[code]({
    filters,
    selected,
    others: listed.filter((filter) => !filter.selected),
    further: selected.flatMap(({ warehouseId, extraRules }) =>
      extraRules.map((fields, index): Further => {
        const { ruleId, name } = fields;
        return { warehouseId, rule: { ruleId, name, number: index + 2 }, fields };
      }),
    ),
  });
}

function ofRule(
  { warehouseId, rule }: Further,
  part: Extract<FilterChange, { kind: "rule" }>["part"],
  figures: readonly number[],
): FilterChange[] {
  return figures.map((figure) => ({ kind: "rule", warehouseId, rule, part, figure }));
}

function lacksLength({ durations }: Pick<Rule, "durations">, minutes: number): boolean {
  return !durationsToMinutes(durations).includes(minutes);
}

/** More of a limit, the least first; nothing where there is none. */
function raised(
  limit: Limit,
  limits: Limits,
  { step, steps }: { step: number; steps: number },
): FilterChange[] {
  const present = limits[limit];
  if (present === null) return [];
  return Array.from({ length: steps }, (_, index) => ({
    kind: "limit",
    limit,
    figure: present + step * (index + 1),
  }));
}

function shortened(limit: "restMinutes" | "travelMinutes", limits: Limits): FilterChange[] {
  return lowerValues(limits[limit] ?? 0, NOTICE).map((figure) => ({ kind: "limit", limit, figure }));
}

/** Round values below a present one, the nearest first, down to a share less. */
function lowerValues(present: number, { share, unit }: { share: number; unit: number }): number[] {
  const least = present * (1 - share);
  const step = unit * Math.max(1, Math.ceil((present - least) / STEPS / unit));
  const values: number[] = [];
  for (let value = Math.floor((present - 1) / unit) * unit; value >= least; value -= step) values.push(value);
  return values;
}
