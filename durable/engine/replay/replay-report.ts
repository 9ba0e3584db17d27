import type { Offer } from "../../../db/shapes/work/offer.ts";
import {
  MAX_REPLAY_CHANGES,
  type AcceptOdds,
  type CostliestRule,
  type ReplayChange,
  type ReplayFigures,
  type ReplayReport,
} from "../../../db/shapes/work/replay.ts";
import { MINUTE_MS, type OfferId, type WarehouseId } from "../../../db/shapes/units.ts";
import { RULE_REASONS, type JudgedRule, type ReasonCode } from "../../../db/shapes/work/verdict.ts";
import { compiledFiltersOf, type CompiledFilters } from "../verdicts/compiled-filters.ts";
import { replayListings, type Replay, type ReplayContext, type ReplaySettings } from "./replay.ts";
import { selectOffers } from "../selection/select.ts";

/** A share of offers above this is nearly all of them, where there are enough to say so. */
const NEARLY_ALL = 0.9;
const ENOUGH_OFFERS = 10;

/** The driver's own rules. The other reasons are of the platform, or of blocks that are held. */
const OWN_RULES: ReadonlySet<ReasonCode> = new Set([
  "service_type",
  "warehouse_not_selected",
  "date_off",
  "day_off",
  "outside_schedule",
  "too_soon",
  "duration_not_preferred",
  "price_below_minimum",
  "rate_below_minimum",
  "day_limit",
  "week_limit",
  "goal_reached",
  "rest",
  "travel",
]);

/** Reasons that leave it to the driver's blocks, not to the filters, whether an offer is taken. */
const BESIDE_FILTERS: ReadonlySet<ReasonCode> = new Set([
  "overlaps_block",
  "weekly_limit",
  "given_back",
  "expired",
  "currency",
]);

/** Compares edited settings with the saved ones: the same replay of the log by each. */
export function compareReplays({
  log,
  saved,
  edited,
  odds,
}: {
  log: Omit<ReplayContext, "settingsAt">;
  saved: ReplaySettings;
  edited: ReplaySettings;
  odds: readonly AcceptOdds[];
}): ReplayReport {
  const before = replayListings({ ...log, settingsAt: () => saved });
  const after = replayListings({ ...log, settingsAt: () => edited });
  const figuresOf = (replay: Replay) => toFigures(replay, { captured: log.captured, odds });
  const offers = countOffers(after);
  const fitting = countFitting(after);
  return {
    offers,
    saved: figuresOf(before),
    edited: figuresOf(after),
    gained: takenAlone(after, before),
    dropped: takenAlone(before, after),
    costliest: findCostliest(after, edited),
    warning: warningOf(offers, fitting),
  };
}

function toFigures(
  { taken }: Replay,
  { captured, odds }: { captured: ReadonlySet<OfferId>; odds: readonly AcceptOdds[] },
): ReplayFigures {
  const figures: ReplayFigures = { blocks: taken.length, payCents: 0, minutes: 0, likelyCents: 0 };
  let likely = 0;
  for (const { offer } of taken) {
    figures.payCents += offer.payCents;
    figures.minutes += Math.round((offer.endsAt - offer.startsAt) / MINUTE_MS);
    likely += offer.payCents * (captured.has(offer.offerId) ? 1 : shareWon(odds, offer.warehouseId));
  }
  figures.likelyCents = Math.round(likely);
  return figures;
}

/** How often an accept at a warehouse wins. Few tries say little: two more, of which one won, are counted beside them. */
export function shareWon(odds: readonly AcceptOdds[], warehouseId: WarehouseId): number {
  const known = odds.find((each) => each.warehouseId === warehouseId);
  return ((known?.won ?? 0) + 1) / ((known?.tried ?? 0) + 2);
}

function takenAlone(one: Replay, other: Replay): ReplayChange[] {
  const also = new Set(other.taken.map(({ offer }) => offer.offerId));
  return one.taken
    .filter(({ offer }) => !also.has(offer.offerId))
    .toReversed()
    .slice(0, MAX_REPLAY_CHANGES)
    .map(({ at, offer }) => {
      const { reasons = [], rule } = other.passed.get(offer.offerId) ?? {};
      return { at, offer, reasons: [...reasons], ...(rule && { rule }) };
    });
}

function countOffers({ taken, passed }: Replay): number {
  return taken.length + passed.size;
}

function countFitting({ taken, passed }: Replay): number {
  const others = [...passed.values()].filter(({ reasons }) =>
    reasons.every(({ code }) => BESIDE_FILTERS.has(code)),
  );
  return taken.length + others.length;
}

function warningOf(offers: number, fitting: number): ReplayReport["warning"] {
  if (offers < ENOUGH_OFFERS) return null;
  if (fitting === 0) return "nothing";
  return fitting >= offers * NEARLY_ALL ? "nearly_everything" : null;
}

/**
 * The rule that alone turned down the most pay at one warehouse, counting only offers that could have been worked beside the
 * blocks that are taken.
 */
function findCostliest({ taken, passed }: Replay, settings: ReplaySettings): CostliestRule | null {
  const busy = taken.map(({ offer }) => offer);
  const filters = compiledFiltersOf(settings.profile, settings.warehouses);
  const groups = new Map<
    string,
    Pick<CostliestRule, "warehouseId" | "code" | "rule"> & { offers: Offer[] }
  >();
  for (const { offer, reasons, rule: judgedBy } of passed.values()) {
    const code = reasons[0]?.code;
    if (code === undefined || !OWN_RULES.has(code) || reasons.some((reason) => reason.code !== code))
      continue;
    const { warehouseId } = offer;
    const rule =
      judgedBy && isOfOneRule(code, { warehouseId, rule: judgedBy, filters }) ? judgedBy : undefined;
    const key = `${code} ${warehouseId} ${rule?.number ?? ""}`;
    const group = groups.get(key) ?? { warehouseId, code, ...(rule && { rule }), offers: [] };
    group.offers.push(offer);
    groups.set(key, group);
  }
  let costliest: CostliestRule | null = null;
  for (const { offers, ...group } of groups.values()) {
    const workable = selectOffers("masacre", { matches: offers, busy });
    const payCents = workable.reduce((sum, offer) => sum + offer.payCents, 0);
    if (payCents > (costliest?.payCents ?? 0)) costliest = { ...group, offers: workable.length, payCents };
  }
  return costliest;
}

/**
 * Whether a reason stands in one rule of a warehouse: its minimums, notice and lengths, and its days and hours if it
 * has its own.
 */
function isOfOneRule(
  code: ReasonCode,
  of: { warehouseId: WarehouseId; rule: JudgedRule; filters: CompiledFilters },
): boolean {
  if (!RULE_REASONS.has(code)) return false;
  if (code !== "day_off" && code !== "outside_schedule") return true;
  const warehouse = of.filters.warehousesById.get(of.warehouseId);
  const rule = warehouse?.rules.find(({ name }) => name.number === of.rule.number);
  return rule !== undefined && rule.calendar !== warehouse?.calendar;
}
