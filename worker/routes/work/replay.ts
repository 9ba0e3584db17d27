import type { DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import { DAY_MS, type EpochMs, type DurationMs, type OfferId } from "../../../db/shapes/units.ts";
import { compareReplays } from "../../../durable/engine/replay/replay-report.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";
import type { ReplayInput, ReplayResponse } from "../../contract/work/replay.ts";
import { capturedIn, type LogEntry } from "../../../db/shapes/log/driver-log.ts";
import { isLastPage, parseListingRow, type ListingChange } from "../../../db/shapes/log/listing.ts";
import type { Block, Offer, Warehouse } from "../../../db/shapes/work/offer.ts";
import type { AcceptOdds } from "../../../db/shapes/work/replay.ts";
import type { WeekRefusal } from "../../../durable/engine/replay/capped-weeks.ts";
import type { ReplayContext } from "../../../durable/engine/replay/replay.ts";
import { loadLogList } from "../../../durable/runtime/log-list.ts";

/** Replays the driver's log by edited filters, beside the saved ones. */
export async function replayFilters(
  object: DurableObjectStub<DriverRpc>,
  {
    input: { days, filters, mode, specialMode },
    record: { profile: saved },
    currency,
    now,
  }: { input: ReplayInput; record: DriverRecord; currency: string; now: EpochMs },
): Promise<ReplayResponse> {
  const { log, warehouses, odds, capturedBlocks, staysFrom } = await loadReplayLog(
    object,
    now - days * DAY_MS,
  );
  const edited = {
    ...saved,
    filters,
    mode: mode ?? saved.mode,
    specialMode: specialMode === undefined ? saved.specialMode : specialMode,
  };
  const report = compareReplays({
    log,
    saved: { profile: saved, warehouses, currency },
    edited: { profile: edited, warehouses, currency },
    odds,
  });
  const known = new Set(log.changes.flatMap(({ seen }) => seen.map(({ warehouseId }) => warehouseId)));
  const listed = new Set(warehouses.map(({ warehouseId }) => warehouseId));
  const selected = filters.warehouses.filter((rule) => rule.selected && listed.has(rule.warehouseId));
  return {
    ...report,
    days,
    currency,
    since: log.changes.find(({ seen }) => seen.length > 0)?.at ?? null,
    staysFrom,
    captured: {
      blocks: capturedBlocks.length,
      payCents: capturedBlocks.reduce((sum, { payCents }) => sum + payCents, 0),
    },
    odds,
    unseen: selected.map(({ warehouseId }) => warehouseId).filter((id) => !known.has(id)),
  };
}

/** Rows that the object reads in one go, between which it can poll. */
const PAGE_SIZE = 250;
/** Offers of before listings were kept that are judged again at most, the newest. */
const MAX_JUDGED = 2_000;
const MAX_ATTEMPTS = 1_000;
/** Some 40,000 offers: a Worker has no memory for twice as many, parsed and judged by both filters. */
const MAX_LISTED_CHARS = 6_000_000;
/** How far back blocks count toward the limits of a week. */
const COUNTED_MS: DurationMs = 8 * DAY_MS;

type ListingPage = Parameters<DriverRpc["listingPage"]>[0];
type ListingRows = ReturnType<DriverRpc["listingPage"]>;

/** The driver's log as a replay needs it. */
type ReplayLog = {
  log: Omit<ReplayContext, "settingsAt">;
  warehouses: readonly Warehouse[];
  odds: AcceptOdds[];
  /** The blocks that were captured since, whatever became of them. */
  capturedBlocks: readonly Block[];
  /** From when on it is known how long offers stayed; null if it never is. */
  staysFrom: EpochMs | null;
};

/**
 * Reads the log since an instant. The object only reads its rows, some at a time; they are parsed and replayed here, beside its
 * polls. Of before the first listing, the offers that were judged stand for it, each in the moment of its verdict.
 */
async function loadReplayLog(object: DurableObjectStub<DriverRpc>, start: EpochMs): Promise<ReplayLog> {
  const [{ changes: kept, from: since }, staysFrom, won, lost, held, { warehouses }] = await Promise.all([
    loadListings(object, start),
    loadFirstListedAt(object),
    loadLogList(object, "won", { from: 0, most: MAX_ATTEMPTS }),
    loadLogList(object, "lost", { from: 0, most: MAX_ATTEMPTS }),
    object.heldBlocks(),
    object.snapshot(),
  ]);
  const judgedUntil = staysFrom ?? Infinity;
  const attempts = [...won, ...lost];
  const judged =
    judgedUntil > since ? await loadLogList(object, "disliked", { from: since, most: MAX_JUDGED }) : [];
  const capturedBlocks = won.flatMap(capturedIn).filter(({ acceptedAt }) => acceptedAt >= since);
  const captured = new Set<OfferId>(capturedBlocks.map(({ offerId }) => offerId));
  return {
    log: {
      changes: [...toMoments([...judged, ...attempts], { from: since, to: judgedUntil }), ...kept],
      heldBefore: held.filter(({ acceptedAt, endsAt }) => acceptedAt < since && endsAt > since - COUNTED_MS),
      captured,
      missed: new Set(lost.flatMap(toMissed).filter((offerId) => !captured.has(offerId))),
      // The log has the held blocks only since the first listing.
      refusals: lost.flatMap(toRefusal).filter(({ at }) => at >= judgedUntil),
    },
    warehouses,
    odds: countOdds(attempts),
    capturedBlocks,
    staysFrom,
  };
}

/** The first change of the listings that is kept; null if none is. */
export async function loadFirstListedAt(object: DurableObjectStub<DriverRpc>): Promise<EpochMs | null> {
  const rows = await object.listingPage({ after: 0, limit: 1 });
  return rows.flatMap(parseListingRow)[0]?.at ?? null;
}

/**
 * The changes of the platform's listings since an instant. Of more than a Worker has memory for it gives the newest.
 * @returns `from`: the instant since when all are there
 */
export async function loadListings(
  object: { listingPage: (page: ListingPage) => PromiseLike<ListingRows> },
  since: EpochMs,
): Promise<{ changes: ListingChange[]; from: EpochMs }> {
  let rows: { chars: number; changes: ListingChange[] }[] = [];
  let chars = 0;
  let isCut = false;
  for (let after = since - 1; ;) {
    const page = await object.listingPage({ after, limit: PAGE_SIZE });
    for (const row of page) rows.push({ chars: row.value.length, changes: parseListingRow(row) });
    chars += page.reduce((sum, { value }) => sum + value.length, 0);
    let cut = 0;
    for (; chars > MAX_LISTED_CHARS && cut < rows.length - 1; cut += 1) chars -= rows[cut]?.chars ?? 0;
    if (cut > 0) rows = rows.slice(cut);
    isCut ||= cut > 0;
    const last = page.at(-1);
    if (!last || isLastPage(page, PAGE_SIZE)) break;
    after = last.at;
  }
  const changes = rows.flatMap((row) => row.changes).filter(({ at }) => at >= since);
  return { changes, from: (isCut ? changes[0]?.at : undefined) ?? since };
}

/** Offers that are known by their verdict or attempt alone: listed in that moment, and gone after it. */
function toMoments(
  entries: readonly LogEntry[],
  { from, to }: { from: EpochMs; to: EpochMs },
): ListingChange[] {
  const seen = entries
    .flatMap(({ event }): { at: EpochMs; offer: Offer }[] => {
      if (event.kind === "offer_judged") return [{ at: event.at, offer: event.offer }];
      return event.kind === "attempt_settled"
        ? [{ at: event.attempt.createdAt, offer: event.attempt.offer }]
        : [];
    })
    .filter(({ at }) => at >= from && at < to)
    .toSorted((one, other) => one.at - other.at);
  const nothing = { isAfterPause: true, seen: [], left: [], held: [], freed: [] };
  return [...Map.groupBy(seen, ({ at }) => at)].flatMap(([at, group]): ListingChange[] => [
    { ...nothing, at, seen: group.map(({ offer }) => offer) },
    { ...nothing, at, left: group.map(({ offer }) => offer.offerId) },
  ]);
}

function toMissed({ event }: LogEntry): OfferId[] {
  return event.kind === "attempt_settled" ? [event.attempt.offer.offerId] : [];
}

function toRefusal({ event }: LogEntry): WeekRefusal[] {
  if (event.kind !== "attempt_settled") return [];
  const { offer, outcome } = event.attempt;
  return outcome.status === "lost" && outcome.reason === "weekly_limit" ? [{ at: event.at, offer }] : [];
}

function countOdds(attempts: readonly LogEntry[]): AcceptOdds[] {
  const settled = attempts.flatMap(({ event }) => (event.kind === "attempt_settled" ? [event.attempt] : []));
  return [...Map.groupBy(settled, ({ offer }) => offer.warehouseId)].map(([warehouseId, tried]) => ({
    warehouseId,
    tried: tried.length,
    won: tried.filter(({ outcome }) => outcome.status === "won").length,
  }));
}
