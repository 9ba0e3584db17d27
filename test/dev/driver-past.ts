import * as z from "zod/mini";
import type { Attempt } from "../../db/shapes/log/attempt.ts";
import type { LogEvent } from "../../db/shapes/log/driver-log.ts";
import type { ListingChange } from "../../db/shapes/log/listing.ts";
import type { Block, Offer, Warehouse } from "../../db/shapes/work/offer.ts";
import { block, offer as offerShape, warehouse as warehouseShape } from "../../db/shapes/work/offer.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import {
  attemptId,
  blockId,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type DurationMs,
  type EpochMs,
} from "../../db/shapes/units.ts";
import { compileFilters } from "../../durable/engine/verdicts/compiled-filters.ts";
import { judgeOffer } from "../../durable/engine/verdicts/match.ts";
import { selectOffers } from "../../durable/engine/selection/select.ts";
import { createChance } from "../sandbox/chance.ts";
import { WAREHOUSES } from "../sandbox/platform/cities.ts";
import { dropsIn } from "../sandbox/platform/generate.ts";

/** A driver's last weeks: what the log says of them, the blocks as the platform has them, and what the platform listed. */
export type DriverPast = {
  events: LogEvent[];
  won: { attempt: Attempt; block: Block }[];
  listings: ListingChange[];
};

const WEEKS_MS: DurationMs = 21 * DAY_MS;
/** Offers drop this often; at night they don't. */
const EVERY_MS: DurationMs = 90 * MINUTE_MS;
const NIGHT = { from: 22, to: 5 };
/** Four times the usual: each slot has one burst. */
const TEMPO = 4;
const SLOT_MS = 5_000;
/** How many of the attempts win. */
const WON_SHARE = 0.6;
/** How long an offer is listed at most. */
const MAX_STAY_MS: DurationMs = 4 * MINUTE_MS;
const SEED = 21;

const UNCHANGED = { isAfterPause: false, seen: [], left: [], held: [], freed: [] };

/** The warehouses of a region of the sandbox, as the product knows them. */
export function warehousesOf(region: string): Warehouse[] {
  return WAREHOUSES.filter(({ regionId }) => regionId === region).map((warehouse) =>
    z.parse(warehouseShape, warehouse),
  );
}

/**
 * Three weeks up to `now` in which the sandbox's offers came more slowly, judged by the engine and selected by the
 * driver's mode. Others are faster where a die says so.
 */
export function makeDriverPast(
  profile: Profile,
  { region, now }: { region: string; now: EpochMs },
): DriverPast {
  const warehouses = warehousesOf(region);
  const filters = compileFilters(profile, warehouses);
  const events: LogEvent[] = [];
  const won: DriverPast["won"] = [];
  const listings: ListingChange[] = [];
  const chance = createChance(`past:${SEED}`);
  const stays = createChance(`stays:${SEED}`);
  for (let at = now - WEEKS_MS; at < now - HOUR_MS; at += EVERY_MS * (0.5 + chance())) {
    if (isNight(at, warehouses)) continue;
    const slot = Math.floor(at / SLOT_MS);
    // Fields of the sandbox alone are left out by the parser.
    const offers = dropsIn({ seed: SEED, regionId: region, slot, tempo: TEMPO })
      .map((dropped) => z.parse(offerShape, { ...dropped, currency: "USD" }))
      // A poll asks for the selected warehouses alone.
      .filter(({ warehouseId }) => filters.selectedIds.includes(warehouseId));
    const seenAt = (slot + 1) * SLOT_MS + Math.floor(chance() * 900);
    const busy = won.map((capture) => capture.block);
    const judged = offers
      .map((offer) => ({
        offer,
        reasons: judgeOffer(offer, { filters, now: seenAt, busy, currency: "USD", givenBack: [] }).reasons,
      }))
      .filter(({ offer, reasons }) => reasons.length > 0 || hasRoom(offer, busy));
    const seen = judged.map(({ offer }) => offer);
    if (seen.length > 0) listings.push({ ...UNCHANGED, at: seenAt, seen });
    for (const { offerId } of seen)
      listings.push({ ...UNCHANGED, at: seenAt + Math.ceil(stays() ** 3 * MAX_STAY_MS), left: [offerId] });
    for (const { offer, reasons } of judged)
      events.push({
        kind: "offer_judged",
        at: seenAt,
        offer,
        reasons,
        filtersVersion: profile.filtersVersion,
      });
    const matches = judged.flatMap(({ offer, reasons }) => (reasons.length === 0 ? [offer] : []));
    for (const offer of selectOffers(profile.mode, { matches, busy })) {
      const name = `past-${String(events.length).padStart(6, "0")}`;
      const started = startAttempt(offer, { name, at: seenAt, profile });
      const endedAt = seenAt + 90 + Math.floor(chance() * 200);
      const capture = chance() < WON_SHARE ? toBlock(offer, { name, at: endedAt }) : null;
      const settled: Attempt = {
        ...started,
        endedAt,
        outcome: capture ? { status: "won", block: capture } : { status: "lost", reason: "offer_gone" },
      };
      events.push({ kind: "attempt_started", at: seenAt, attempt: started });
      events.push({ kind: "attempt_settled", at: endedAt, attempt: settled });
      if (capture) won.push({ attempt: settled, block: capture });
    }
  }
  return { events, won, listings: listings.toSorted((one, other) => one.at - other.at) };
}

/** Whether a driver who also sleeps would work it: one block in 20 hours, and 18 hours in any seven days. */
function hasRoom({ startsAt, endsAt }: Offer, held: readonly Block[]): boolean {
  const within = (ms: DurationMs) => held.filter((block) => Math.abs(block.startsAt - startsAt) < ms);
  const worked = within(7 * DAY_MS).reduce((sum, block) => sum + block.endsAt - block.startsAt, 0);
  return within(20 * HOUR_MS).length === 0 && worked + endsAt - startsAt <= 18 * HOUR_MS;
}

function isNight(at: EpochMs, warehouses: readonly Warehouse[]): boolean {
  const timeZone = warehouses[0]?.timeZone ?? "UTC";
  const hour = Number(
    new Intl.DateTimeFormat("en-US", { timeZone, hour: "2-digit", hourCycle: "h23" }).format(at),
  );
  return hour >= NIGHT.from || hour < NIGHT.to;
}

function startAttempt(
  offer: Offer,
  { name, at, profile }: { name: string; at: EpochMs; profile: Profile },
): Attempt {
  const filter = profile.filters.warehouses.find(({ warehouseId }) => warehouseId === offer.warehouseId);
  return {
    attemptId: z.parse(attemptId, name),
    offer,
    place: null,
    payAtLeastCents: Math.min(offer.payCents, filter?.minPriceCents ?? 0),
    createdAt: at,
    endedAt: null,
    outcome: { status: "pending" },
  };
}

function toBlock(offer: Offer, { name, at }: { name: string; at: EpochMs }): Block {
  return z.parse(block, {
    ...offer,
    blockId: z.parse(blockId, `blk_${name}`),
    status: "scheduled",
    acceptedAt: at,
    checkedInAt: null,
  });
}
