import { applyFilterChange } from "../../../db/shapes/work/apply-filter-change.ts";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { GivenBackBlock } from "../../../db/shapes/work/given-back.ts";
import type { PassedOverGroup, ProposedGain } from "../../../db/shapes/log/passed-over.ts";
import type { Offer, Warehouse } from "../../../db/shapes/work/offer.ts";
import type { Profile } from "../../../db/shapes/profile.ts";
import type { Cents, EpochMs } from "../../../db/shapes/units.ts";
import type { Reason, ReasonCode } from "../../../db/shapes/work/verdict.ts";
import { compiledFiltersOf } from "../verdicts/compiled-filters.ts";
import { countAlso, openLimitBook, type CountedBlock, type LimitReason } from "../verdicts/limit-book.ts";
import { judgeOffer, overlaps, type BusySpan } from "../verdicts/match.ts";
import type { FullWeek } from "../verdicts/weekly-limit.ts";
import { reasonsAgainst } from "../questions/question-reasons.ts";
import { proposedChanges } from "./proposed-changes.ts";
import { selectOffers } from "../selection/select.ts";

/** An offer of the log that was passed over: when it was judged, and why. */
export type PassedOverOffer = { at: EpochMs; offer: Offer; reasons: readonly Reason[] };

/** The data behind the question. */
export type WhatIfContext = {
  /** Oldest first. */
  passedOver: readonly PassedOverOffer[];
  /** The driver's blocks, past and present, each once: never taken twice, and counted toward the limits. */
  busy: readonly CountedBlock[];
  givenBack: readonly GivenBackBlock[];
  profile: Profile;
  warehouses: readonly Warehouse[];
  currency: string;
};

const LIMIT_CODES: ReadonlySet<ReasonCode> = new Set<LimitReason["code"]>([
  "day_limit",
  "week_limit",
  "goal_reached",
  "rest",
  "travel",
]);

/** Offers that are judged in one step, and moments at which one selects among them. */
const OFFERS_A_STEP = 200;
const MOMENTS_A_STEP = 50;

/** An offer with what the driver held at its time, and the reasons against it by the present filters. */
type Judged = PassedOverOffer & { busy: readonly BusySpan[]; now: readonly Reason[] };

/**
 * Judges the offers of the log again by the present filters, each as of when it was seen, and groups those that are
 * still passed over by their main reason, those with the most to gain first. For each group it looks for the one change
 * that would have gained the most. A change's gain is counted as the mode selects, poll by poll, beside all blocks that
 * were held or match already. Whether another driver would have been faster nobody knows: a match is not a capture.
 */
export function summarizePassedOver(context: WhatIfContext): PassedOverGroup[] {
  const steps = summarizeInSteps(context);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same in short steps, for an object that polls between them. */
export function* summarizeInSteps(context: WhatIfContext): Generator<void, PassedOverGroup[]> {
  const judge = judgeBy(context);
  const judged: Judged[] = [];
  for (const known of context.passedOver) {
    if (judged.length % OFFERS_A_STEP === 0) yield;
    const busy = busyDuring(known, context.busy);
    judged.push({ ...known, busy, now: judge({ ...known, busy }) });
  }
  const matching = judged.filter(({ now }) => now.length === 0);
  const held = [...context.busy, ...(yield* takeInOrder(matching, context, context.busy))];
  const groups = Map.groupBy(
    judged.filter(({ now }) => now.length > 0),
    ({ now }) => now[0]?.code ?? "expired",
  );
  const summaries: PassedOverGroup[] = [];
  for (const [code, offers] of groups) {
    // Offers that a limit turned away are added up as if there were none: within the limits they come to nothing.
    const workable = yield* takeInOrder(offers, context, held, { keepsLimits: !LIMIT_CODES.has(code) });
    summaries.push({
      code,
      offers: offers.length,
      workable: workable.length,
      payCents: payOf(workable),
      proposal: yield* bestProposal(code, { context, offers, held }),
    });
  }
  return summaries.toSorted(
    (one, other) =>
      (other.proposal?.payCents ?? 0) - (one.proposal?.payCents ?? 0) ||
      other.payCents - one.payCents ||
      other.offers - one.offers,
  );
}

function judgeBy({
  profile,
  warehouses,
  givenBack,
  currency,
  busy: blocks,
}: WhatIfContext): (known: Omit<Judged, "now">) => Reason[] {
  const compiled = compiledFiltersOf(profile, warehouses);
  const book = openLimitBook(compiled, blocks, currency);
  // As if the driver said yes to each question.
  return ({ at, offer, reasons, busy }) => {
    const fullWeeks = fullWeeksOf(offer, reasons);
    const standards = { filters: compiled, now: at, busy, currency, givenBack, fullWeeks, book };
    return reasonsAgainst(offer, judgeOffer(offer, standards), []);
  };
}

/** The platform's limit for the week of an offer: only its verdict knew that. */
function fullWeeksOf({ startsAt, endsAt }: Offer, reasons: readonly Reason[]): FullWeek[] {
  return reasons.flatMap((reason) =>
    reason.code === "weekly_limit" ? [{ ...reason.rule, startsAt, endsAt }] : [],
  );
}

/**
 * The driver's blocks at the time of an offer. A block that was taken by hand may not be known any more; the verdict knew
 * it.
 */
function busyDuring({ offer, reasons }: PassedOverOffer, busy: readonly BusySpan[]): BusySpan[] {
  return [...busy.filter((span) => overlaps(span, offer)), ...overlapsOf(reasons)];
}

function overlapsOf(reasons: readonly Reason[]): BusySpan[] {
  return reasons.flatMap((reason) =>
    reason.code === "overlaps_block" ? [{ ...reason.rule, offerId: null }] : [],
  );
}

/** The mode's selection among the offers within the limits, poll by poll: it doesn't give up a taken block for a later one. */
function* takeInOrder(
  offers: readonly PassedOverOffer[],
  { profile, warehouses, currency }: WhatIfContext,
  busy: readonly CountedBlock[],
  { keepsLimits } = { keepsLimits: true },
): Generator<void, Offer[]> {
  const taken: Offer[] = [];
  let book = keepsLimits ? openLimitBook(compiledFiltersOf(profile, warehouses), busy, currency) : null;
  let moments = 0;
  for (const seen of Map.groupBy(offers, ({ at }) => at).values()) {
    if (moments % MOMENTS_A_STEP === 0) yield;
    moments += 1;
    const matches = seen.map(({ offer }) => offer);
    const chosen = selectOffers(profile.mode, { matches, busy: [...busy, ...taken], book });
    taken.push(...chosen);
    book = book && countAlso(book, chosen);
  }
  return taken;
}

function payOf(offers: readonly Offer[]): Cents {
  return offers.reduce((sum, { payCents }) => sum + payCents, 0);
}

function* bestProposal(
  code: ReasonCode,
  {
    context,
    offers,
    held,
  }: { context: WhatIfContext; offers: readonly Judged[]; held: readonly CountedBlock[] },
): Generator<void, PassedOverGroup["proposal"]> {
  // A change removes reasons of one kind, so only offers without any other can match.
  const within = offers.filter(({ now }) => now.every((reason) => reason.code === code));
  if (within.length === 0) return null;
  const byWarehouse = Map.groupBy(within, ({ offer }) => offer.warehouseId);
  const concernedBy = (change: FilterChange) =>
    change.kind === "min_price" || change.kind === "select" || change.kind === "rule"
      ? (byWarehouse.get(change.warehouseId) ?? [])
      : within;
  function* gainOf(change: FilterChange): Generator<void, ProposedGain> {
    const filters = applyFilterChange(context.profile.filters, change);
    const changed = { ...context, profile: { ...context.profile, filters } };
    const judge = judgeBy(changed);
    const matching: Judged[] = [];
    for (const [index, offer] of concernedBy(change).entries()) {
      if (index % OFFERS_A_STEP === 0) yield;
      if (judge(offer).length === 0) matching.push(offer);
    }
    const taken = yield* takeInOrder(matching, changed, held);
    return { change, offers: taken.length, payCents: payOf(taken) };
  }
  const known = new Set(context.warehouses.map(({ warehouseId }) => warehouseId));
  const found: ProposedGain[] = [];
  for (const family of proposedChanges(code, context.profile.filters, known)) {
    const gains: ProposedGain[] = [];
    for (const change of family) gains.push(yield* gainOf(change));
    const most = Math.max(...gains.map(({ payCents }) => payCents));
    // The least that is given up for at least half of what is to be had.
    const least = gains.find(({ payCents }) => payCents > 0 && 2 * payCents >= most);
    if (least) found.push(least);
  }
  return found.toSorted((one, other) => other.payCents - one.payCents)[0] ?? null;
}
