import * as z from "zod";
import type { DurationMs, WarehouseId, EpochMs } from "../../db/shapes/units.ts";
import type { Offer } from "../../db/shapes/work/offer.ts";
import type { ListParts } from "../engine/state/types.ts";
import type { Quota } from "../engine/quota/quota.ts";
import type { OffersResult } from "./results.ts";
import type { PlatformRequester } from "./request.ts";
import { parseQuota } from "./headers.ts";
import { MAX_BODY_CHARS } from "./http-exchange.ts";
import { read, readItems, type Reading } from "./drift.ts";
import { STRICT, GENEROUS, type Fields } from "./fields.ts";
import { isSpanOfWork, serviceWord } from "./parse/words.ts";

/** The contract's limit on the length of `warehouseIds`. */
const MAX_SELECTION_LENGTH = 4096;
/** The contract's limit on the offers of a list: where so many are listed, more may be open. */
const MOST_LISTED = 200;
/** One call lists all offers again once there are fewer, with room for more. */
const FEW_LISTED = 150;
/** Requests parts until this share of the quota is left: one poll must not use all of it. */
const QUOTA_RESERVE = 0.1;

/** An offer; it must end after it starts. */
const offerReading: Reading<Offer> = {
  strict: offerShape(STRICT, {
    serviceType: serviceWord.strict,
    surge: z.boolean().default(false),
    expiresAt: STRICT.instant,
  }),
  generous: offerShape(GENEROUS, {
    serviceType: serviceWord.generous,
    surge: z.boolean().catch(false),
    expiresAt: GENEROUS.instant.nullable().catch(null),
  }),
};

/** Its items are parsed one by one, so that a malformed item doesn't discard the others. */
const offersJson = z.object({ offers: z.array(z.unknown()) });

export type ListOffersInput = {
  accessToken: string;
  warehouseIds: readonly WarehouseId[];
  etag: string | null;
  /** How many calls the quota has room for. */
  maxCalls?: number;
  /** The previous poll's parts of a list that was too long; null if it fitted. */
  parts?: ListParts | null;
  /** Called as each call leaves. */
  onCall?: () => void;
  /** Called with what the next poll has to ask for, if that has changed. */
  onParts?: (parts: ListParts | null) => void;
};

type PartResult = OffersResult | { kind: "too_long" };
/** `length` also stands for how many offers there are. `isCut`: there may be more of them. */
type Part = { result: PartResult; length: number; isCut: boolean };
type Listing = Extract<OffersResult, { kind: "offers" }>;

/**
 * Lists the open offers, in one call unless the list is longer than we read, or than the platform lists: then by groups of
 * warehouses, which are halved until each list fits. The caller remembers the size that fitted, so that a long list costs no
 * call that can't be read, until all parts together would fit again.
 */
export function createListOffers(
  request: PlatformRequester,
  timeoutMs: DurationMs,
): (input: ListOffersInput) => Promise<OffersResult> {
  return async (input) => {
    const { maxCalls = Infinity, warehouseIds, parts = null, onParts } = input;
    const canSplit = warehouseIds.length > 1;
    if (parts !== null && canSplit) return listInParts(input, parts, maxCalls);
    const { result, isCut } = await listPart(request, { ...input, timeoutMs });
    const halves = { size: Math.ceil(warehouseIds.length / 2), read: 0, length: 0 };
    if (isCut && canSplit) onParts?.(halves);
    if (result.kind !== "too_long") return result;
    if (!canSplit) return { kind: "unreadable" };
    onParts?.(halves);
    return listInParts(input, halves, maxCalls - 1);
  };

  async function listInParts(
    input: ListOffersInput,
    parts: ListParts,
    maxCalls: number,
  ): Promise<OffersResult> {
    const { warehouseIds, onParts } = input;
    const from = parts.read < warehouseIds.length ? parts.read : 0;
    let { size } = parts;
    let length = from === 0 ? 0 : parts.length;
    let at = from;
    let listing: Listing | null = null;
    let failure: OffersResult | null = null;
    for (let calls = 0; calls < maxCalls && at < warehouseIds.length; calls += 1) {
      const group = warehouseIds.slice(at, at + size);
      const part = await listPart(request, { ...input, warehouseIds: group, etag: null, timeoutMs });
      if (part.result.kind === "too_long" && group.length > 1) {
        size = Math.ceil(group.length / 2);
        continue;
      }
      // Smaller groups show the rest, from the next one on.
      if (part.isCut && group.length > 1) size = Math.ceil(group.length / 2);
      at += group.length;
      // Of what could not be read nobody knows that it would fit.
      length += part.result.kind === "offers" ? part.length : MAX_BODY_CHARS;
      if (part.result.kind === "too_long") continue;
      if (part.result.kind === "offers") listing = merge(listing, part.result, group);
      else if (isForEveryCall(part.result)) return part.result;
      else failure = part.result;
      const { quota } = listing ?? {};
      if (quota && quota.remaining <= quota.limit * QUOTA_RESERVE) break;
    }
    const isWhole = at >= warehouseIds.length;
    const fits = isWhole && length < MAX_BODY_CHARS / 2;
    const next = fits ? null : isWhole ? { size, read: 0, length: 0 } : { size, read: at, length };
    if (next?.size !== parts.size || next.read !== parts.read) onParts?.(next);
    if (!listing) return failure ?? { kind: "unreadable" };
    const { partOf = [], ...whole } = listing;
    return partOf.length === warehouseIds.length ? whole : listing;
  }
}

function merge(listing: Listing | null, part: Listing, warehouseIds: readonly WarehouseId[]): Listing {
  return {
    ...part,
    etag: null,
    offers: [...(listing?.offers ?? []), ...part.offers],
    skipped: (listing?.skipped ?? 0) + part.skipped,
    partOf: [...(listing?.partOf ?? []), ...warehouseIds],
  };
}

/** Whether a failure of one part says that no call may follow. */
function isForEveryCall(result: OffersResult): boolean {
  switch (result.kind) {
    case "rate_limited":
    case "signed_out":
    case "verification_required":
      return true;
    default:
      return "retryAt" in result;
  }
}

/** One call. Without ids, or with more than the contract allows, it asks for all of the driver's offers. */
async function listPart(
  request: PlatformRequester,
  { accessToken, warehouseIds, etag, onCall, timeoutMs }: ListOffersInput & { timeoutMs: DurationMs },
): Promise<Part> {
  const selection = warehouseIds.join(",");
  // The platform may list offers under another notation of an id that is not as its contract says.
  const canSelect = selection !== "" && warehouseIds.every((id) => STRICT.platformId.safeParse(id).success);
  const fits = canSelect && selection.length <= MAX_SELECTION_LENGTH;
  let length = 0;
  let isCut = false;
  let quota: Quota | null = null;
  onCall?.();
  const result = await request<PartResult>({
    call: "listOffers",
    method: "GET",
    path: "/v1/offers",
    ...(fits ? { query: { warehouseIds: selection } } : {}),
    ...(etag === null ? {} : { headers: { "if-none-match": etag } }),
    accessToken,
    timeoutMs,
    tooLong: { kind: "too_long" },
    parse: ({ status, headers, json, bodyLength, now, clockAheadMs, note }) => {
      length = bodyLength;
      quota = parseQuota(headers, now);
      if (!quota && headers.get("ratelimit-limit") !== null) note("RateLimit");
      if (status === 304) return etag === null ? null : { kind: "unchanged", quota };
      const data = read({ strict: offersJson, generous: offersJson }, json, note);
      if (!data) return null;
      const count = data.offers.length;
      isCut = count === MOST_LISTED;
      const asLength = Math.ceil((MAX_BODY_CHARS * count) / (2 * FEW_LISTED));
      length = isCut ? MAX_BODY_CHARS : Math.max(length, asLength);
      const { items, skipped } = readItems(offerReading, { items: data.offers, list: "offers", note });
      // It expires by the platform's clock.
      const offers =
        clockAheadMs === 0
          ? items
          : items.map((offer) => ({ ...offer, expiresAt: Math.max(0, offer.expiresAt + clockAheadMs) }));
      return { kind: "offers", offers, quota, etag: headers.get("etag"), skipped };
    },
  });
  // The call counts whatever its body looks like.
  return { result: result.kind === "unreadable" && quota ? { ...result, quota } : result, length, isCut };
}

function offerShape(
  fields: Fields,
  words: {
    serviceType: z.ZodType<Offer["serviceType"]>;
    surge: z.ZodType<boolean>;
    expiresAt: z.ZodType<EpochMs | null>;
  },
): z.ZodType<Offer> {
  return z
    .object({
      offerId: fields.offerId,
      warehouseId: fields.warehouseId,
      startsAt: fields.instant,
      endsAt: fields.instant,
      pay: fields.money,
      ...words,
    })
    .refine(isSpanOfWork)
    .transform(({ pay, expiresAt, ...rest }): Offer => ({
      ...rest,
      // One that does not say when it expires is open while it is listed.
      expiresAt: expiresAt ?? rest.startsAt,
      payCents: pay.amount,
      currency: pay.currency,
    }));
}
