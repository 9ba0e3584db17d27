import { NO_LIMITS } from "../../db/shapes/work/filters.ts";
import { encodeListing, parseListingRow, type ListingChange } from "../../db/shapes/log/listing.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { compareReplays } from "../../durable/engine/replay/replay-report.ts";
import {
  idOf,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  NOON,
  week,
} from "../engine/fixtures.ts";

const WAREHOUSES = 8;
const ROUNDS = 9;
/** Offers of one row of the log. */
const OFFERS_A_ROW = 12;

export type ReplayFigure = { offers: number; parseMs: number; replayMs: number; bytesAnOffer: number };

/** The work that the Worker does for one question: the rows parsed, and the log replayed twice. The median of some rounds. */
export function benchReplay(): ReplayFigure[] {
  return [1_000, 10_000, 30_000].map((offers) => {
    const rows = makeRows(offers);
    const figures = Array.from({ length: ROUNDS }, () => measure(rows));
    const medianOf = (times: readonly number[]) =>
      times.toSorted((one, other) => one - other)[ROUNDS >> 1] ?? 0;
    return {
      offers,
      parseMs: medianOf(figures.map(({ parseMs }) => parseMs)),
      replayMs: medianOf(figures.map(({ replayMs }) => replayMs)),
      bytesAnOffer: rows.reduce((sum, row) => sum + row.length, 0) / offers,
    };
  });
}

function measure(rows: readonly string[]): { parseMs: number; replayMs: number } {
  const startedAt = performance.now();
  const changes = rows.flatMap((value) => parseListingRow({ version: 1, value }));
  const parsedAt = performance.now();
  const names = Array.from({ length: WAREHOUSES }, (_, index) => idOf.warehouse(`W${index}`));
  const warehouses = names.map((warehouseId) => makeWarehouse({ warehouseId }));
  const settings = (minPriceCents: number) => ({
    profile: makeProfile({
      filters: makeFilters({
        schedule: week(6 * 60, 22 * 60),
        limits: { ...NO_LIMITS, minutesPerDay: 480, restMinutes: 30, travelMinutes: 60 },
        warehouses: names.map((warehouseId) =>
          makeWarehouseFilter({ warehouseId, minPriceCents, minHourlyCents: 2_000, bufferMinutes: 45 }),
        ),
      }),
    }),
    warehouses,
    currency: "USD",
  });
  compareReplays({
    log: { changes, heldBefore: [], captured: new Set(), missed: new Set(), refusals: [] },
    saved: settings(8_000),
    edited: settings(5_000),
    odds: [],
  });
  return { parseMs: parsedAt - startedAt, replayMs: performance.now() - parsedAt };
}

/** A month of offers, each listed for some minutes, as rows of the log. */
function makeRows(count: number): string[] {
  const gapMs = (28 * 24 * HOUR_MS) / count;
  const changes = Array.from({ length: count }, (_, index): ListingChange => {
    const at = Math.round(NOON + index * gapMs);
    const startsAt = at + (1 + (index % 11)) * HOUR_MS;
    const offer = makeOffer(`of_${(index * 7919).toString(36).padStart(10, "0")}`, {
      warehouseId: idOf.warehouse(`W${index % WAREHOUSES}`),
      startsAt,
      endsAt: startsAt + (2 + (index % 3)) * HOUR_MS,
      payCents: 4_000 + ((index * 131) % 9_000),
      expiresAt: startsAt - 15 * MINUTE_MS,
    });
    const gone = index >= 5 ? [idOf.offer(`of_${((index - 5) * 7919).toString(36).padStart(10, "0")}`)] : [];
    return { at, isAfterPause: false, seen: [offer], left: gone, held: [], freed: [] };
  });
  return Array.from({ length: Math.ceil(count / OFFERS_A_ROW) }, (_, row) =>
    JSON.stringify(encodeListing(changes.slice(row * OFFERS_A_ROW, (row + 1) * OFFERS_A_ROW))),
  );
}
