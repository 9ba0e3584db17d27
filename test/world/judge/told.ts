import * as z from "zod/mini";
import {
  offer as offerShape,
  warehouse as warehouseShape,
  type Offer,
} from "../../../db/shapes/work/offer.ts";
import type { Profile } from "../../../db/shapes/profile.ts";
import { matchesByReference } from "../../engine/verdicts/reference-matcher.ts";
import type { PlatformOffer } from "../platform/model.ts";
import type { WeekRecord } from "../week.ts";
import type { ToldProfile } from "../host/worker-side.ts";

/** Clock jumps of a week add up to less. */
export const CLOCK_TOLERANCE_MS = 10_000;

/** An instant of the world by the object's clock. */
export function byObjectClock({ plan }: WeekRecord, at: number): number {
  return plan.items.reduce(
    (sum, item) => (item.kind === "clock jump" && item.at <= at ? sum + item.ms : sum),
    at,
  );
}

/**
 * The profiles that the object may act by at an instant: the newest that it certainly has, and newer ones that are on their
 * way. An older one that comes late changes nothing. A message of the same millisecond as its cause may have waited with
 * that response for the same write.
 */
export function profilesInForce({ worker }: WeekRecord, at: number): ToldProfile[] {
  const sent = worker.told.filter(({ sentAt }) => sentAt <= at);
  const newest = Math.max(
    ...sent.flatMap(({ returnedAt, profile }) =>
      returnedAt !== null && returnedAt < at ? [profile.revision] : [],
    ),
  );
  return sent.filter(({ profile }) => profile.revision >= newest);
}

export function isCapturing({ switchedOn, serviceUntil, waitingForSpot }: Profile, at: number): boolean {
  return switchedOn && !waitingForSpot && serviceUntil !== null && serviceUntil > at;
}

/** The terms under which an offer was listed around an instant. */
export function termsAround({ hand }: WeekRecord, offerId: string, at: number): PlatformOffer[] {
  const terms = hand.terms.get(offerId) ?? [];
  const latest = terms.findLastIndex((term) => term.at <= at - 60_000);
  return terms.filter((term, index) => index >= latest && term.at <= at).flatMap(({ offer }) => offer ?? []);
}

/** Whether a profile wants an offer at an instant, by the second reading of the filters. */
export function isWanted(
  { platform }: WeekRecord,
  { profile, offer, at }: { profile: Profile; offer: PlatformOffer; at: number },
): boolean {
  // The reference of the filters is one of offers in their currency.
  if (offer.currency !== "USD") return false;
  return matchesByReference(toOffer(offer), {
    profile,
    warehouses: platform.warehouses.map((warehouse) =>
      z.parse(warehouseShape, {
        ...warehouse,
        address: null,
        latitude: 0,
        longitude: 0,
        geofenceMeters: 100,
      }),
    ),
    held: [],
    now: at,
  });
}

/** Expiry is the platform's own matter: it refuses what has expired. */
function toOffer({ isListed: _isListed, ...rest }: PlatformOffer): Offer {
  return z.parse(offerShape, { ...rest, surge: false, expiresAt: Number.MAX_SAFE_INTEGER });
}
