import * as z from "zod/mini";
import { serviceType } from "../work/filters.ts";
import type { Offer } from "../work/offer.ts";
import { blockId, cents, epochMs, offerId, PLATFORM_ID, warehouseId, type EpochMs } from "../units.ts";
import { isRecord, parseVersioned, unchanged, versionOf, type Versioned } from "../versioned.ts";

/** A block of the driver's as the log of listings keeps it. */
export const keptBlock = z.object({
  blockId,
  /** Null where the platform doesn't say which offer it was. */
  offerId: z.nullable(offerId),
  warehouseId,
  startsAt: epochMs,
  endsAt: epochMs,
  payCents: cents,
  currency: z.string(),
  /** From when on it was held, which a listing of the blocks may show later. */
  acceptedAt: epochMs,
});
export type KeptBlock = z.infer<typeof keptBlock>;

/**
 * A change of what the platform listed, or of the blocks that the driver held. Between two changes both stayed as they were.
 */
export type ListingChange = {
  at: EpochMs;
  /** Nothing is known of a while before it: what left may have left, and what is new may have come, in that while. */
  isAfterPause: boolean;
  /** When that while began: the last answer before it. Not given where there was none, or where it isn't known. */
  pausedFrom?: EpochMs | undefined;
  /** Offers that are new, or whose terms changed. */
  seen: readonly Offer[];
  left: readonly Offer["offerId"][];
  held: readonly KeptBlock[];
  freed: readonly KeptBlock["blockId"][];
  /** Those of `freed` that had begun and that a list which would show them lacks: they were given back unseen. */
  returned?: readonly KeptBlock["blockId"][] | undefined;
};

/** An offer as a row, in the order of its fields below: a third of the size. */
const seenOffer = z.tuple([
  offerId,
  warehouseId,
  serviceType,
  epochMs,
  epochMs,
  cents,
  z.string(),
  epochMs,
  z.boolean(),
]);

/** A change as it is stored; what is empty is left out. */
const storedChange = z.object({
  at: epochMs,
  paused: z.optional(z.literal(true)),
  from: z.optional(epochMs),
  seen: z.optional(z.array(seenOffer)),
  left: z.optional(z.array(offerId)),
  held: z.optional(z.array(keptBlock)),
  freed: z.optional(z.array(blockId)),
  returned: z.optional(z.array(blockId)),
});
type StoredChange = z.infer<typeof storedChange>;

/** The changes of some minutes, oldest first. */
export const storedListing = {
  shape: z.array(storedChange),
  upcasts: [unchanged],
} as const satisfies Versioned<StoredChange[]>;

export function encodeListing(changes: readonly ListingChange[]): StoredChange[] {
  return changes.map(({ at, isAfterPause, pausedFrom, seen, left, held, freed, returned = [] }) => ({
    at,
    ...(isAfterPause && { paused: true }),
    ...(pausedFrom !== undefined && { from: pausedFrom }),
    ...(seen.length > 0 && { seen: seen.map(toTuple) }),
    ...(left.length > 0 && { left: [...left] }),
    ...(held.length > 0 && { held: [...held] }),
    ...(freed.length > 0 && { freed: [...freed] }),
    ...(returned.length > 0 && { returned: [...returned] }),
  }));
}

export function decodeListing(stored: readonly StoredChange[]): ListingChange[] {
  return stored.map(
    ({ at, paused = false, from, seen = [], left = [], held = [], freed = [], returned }) => ({
      at,
      isAfterPause: paused,
      ...(from !== undefined && { pausedFrom: from }),
      seen: seen.map(fromTuple),
      left,
      held,
      freed,
      ...(returned && { returned }),
    }),
  );
}

/** The changes of a row. One that can't be read is left out: what it knew is not known. */
export function parseListingRow({ version, value }: { version: number; value: string }): ListingChange[] {
  try {
    const stored: unknown = JSON.parse(value);
    const isAsWritten = version === versionOf(storedListing) && isPlainListing(stored);
    return decodeListing(isAsWritten ? stored : parseVersioned(storedListing, { version, value: stored }));
  } catch {
    return [];
  }
}

/** Of the rows of one page. A call of an object has an answer of 32 MiB at most, and both sides keep it in memory. */
export const MAX_PAGE_CHARS = 8_000_000;
/** SQLite in an object takes two megabytes as one value. */
const MAX_ROW_CHARS = 2_000_000;

/** Whether no row follows those of a page: it has fewer than its limit, though another would have had room. */
export function isLastPage(rows: readonly { value: string }[], limit: number): boolean {
  const chars = rows.reduce((sum, { value }) => sum + value.length, 0);
  return rows.length < limit && chars <= MAX_PAGE_CHARS - MAX_ROW_CHARS;
}

const PLAIN_KEYS: ReadonlySet<string> = new Set(["at", "paused", "from", "seen", "left"]);
const SERVICE_TYPES: ReadonlySet<unknown> = new Set(Object.values(serviceType.def.entries));

/**
 * Whether a row is as this release writes most of them, without blocks: ten thousand offers are known to be whole in a fifth of
 * the time that the shape takes. Every other row is left to the shape, also a faulty one.
 */
function isPlainListing(stored: unknown): stored is StoredChange[] {
  return Array.isArray(stored) && stored.every(isPlainChange);
}

function isPlainChange(change: unknown): boolean {
  if (!isRecord(change) || !isCount(change["at"])) return false;
  for (const key in change) if (!PLAIN_KEYS.has(key)) return false;
  const { paused = true, from = 0, seen = [], left = [] } = change;
  return paused === true && isCount(from) && isListOf(seen, isPlainOffer) && isListOf(left, isId);
}

function isPlainOffer(offer: unknown): boolean {
  if (!Array.isArray(offer) || offer.length !== seenOffer.def.items.length) return false;
  const [id, place, service, startsAt, endsAt, payCents, currency, expiresAt, surge]: unknown[] = offer;
  return (
    isId(id) &&
    isId(place) &&
    SERVICE_TYPES.has(service) &&
    isCount(startsAt) &&
    isCount(endsAt) &&
    isCount(payCents) &&
    typeof currency === "string" &&
    isCount(expiresAt) &&
    typeof surge === "boolean"
  );
}

function isListOf(list: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(list) && list.every(isItem);
}

function isId(value: unknown): boolean {
  return typeof value === "string" && PLATFORM_ID.test(value);
}

/** Of instants and cents. */
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function toTuple(offer: Offer): z.infer<typeof seenOffer> {
  const { startsAt, endsAt, payCents, currency, expiresAt, surge } = offer;
  return [
    offer.offerId,
    offer.warehouseId,
    offer.serviceType,
    startsAt,
    endsAt,
    payCents,
    currency,
    expiresAt,
    surge,
  ];
}

function fromTuple([id, place, service, startsAt, endsAt, payCents, currency, expiresAt, surge]: z.infer<
  typeof seenOffer
>): Offer {
  return {
    offerId: id,
    warehouseId: place,
    serviceType: service,
    startsAt,
    endsAt,
    payCents,
    currency,
    expiresAt,
    surge,
  };
}
