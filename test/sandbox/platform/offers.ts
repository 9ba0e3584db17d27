import { z } from "zod";
import { createChance } from "../chance.ts";
import { countUp, nextId } from "../ids.ts";
import { Refusal } from "../problem.ts";
import type { EpochMs, Offer, State } from "../state.ts";
import type { Settings } from "../settings.ts";
import { findWarehouse } from "./cities.ts";
import { generateOffers } from "./generate.ts";

/** A region's open offers as of now: generated, raised, taken by rivals and expired. */
export function openOffers(state: State, regionId: string, now: EpochMs): Offer[] {
  generateOffers(state, regionId, now);
  const settings = state.settings.get();
  return state.offers.values().filter((offer) => {
    if (findWarehouse(offer.warehouseId)?.regionId !== regionId) return false;
    if (goneAt(offer, settings) <= now) {
      state.offers.delete(offer.offerId);
      return false;
    }
    return offer.publishedAt <= now;
  });
}

/** An offer's present pay, after any raises. */
export function payOf(offer: Offer, now: EpochMs): number {
  return offer.rises.findLast(({ at }) => at <= now)?.payCents ?? offer.payCents;
}

function goneAt(offer: Offer, { rivals }: Settings): EpochMs {
  const lapsesAt = Math.min(offer.expiresAt, offer.startsAt);
  if (!rivals) return Math.min(lapsesAt, offer.rivalAt ?? Infinity);
  return offer.roll < rivals.share ? Math.min(lapsesAt, offer.publishedAt + rivals.delayMs) : lapsesAt;
}

const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

export const drop = z.strictObject({
  /** To offer a block that was given back under the id that it had. */
  offerId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional(),
  warehouseId: z.string(),
  startsAt: instant,
  minutes: z.int().min(1).max(1440),
  payCents: z.int().min(0),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  serviceType: z.enum(["parcel", "whole_foods", "grocery", "other"]).optional(),
  expiresAt: instant.optional(),
  surge: z.boolean().optional(),
});

/** Publishes an offer now. It expires at its start by default. */
export function dropOffer(state: State, given: z.infer<typeof drop>, now: EpochMs): Offer {
  const warehouse = findWarehouse(given.warehouseId);
  if (!warehouse) throw new Refusal(400, "invalid_request", { detail: "There is no such warehouse." });
  const offer: Offer = {
    offerId: given.offerId ?? nextId(state, "of"),
    warehouseId: given.warehouseId,
    serviceType: given.serviceType ?? warehouse.serviceType,
    startsAt: given.startsAt,
    endsAt: given.startsAt + given.minutes * 60_000,
    payCents: given.payCents,
    ...(given.currency === undefined ? {} : { currency: given.currency }),
    surge: given.surge ?? false,
    publishedAt: now,
    expiresAt: given.expiresAt ?? given.startsAt,
    rises: [],
    rivalAt: null,
    roll: createChance(`${state.settings.get().seed}:drop:${countUp(state.cursors, "drops")}`)(),
  };
  state.offers.set(offer.offerId, offer);
  return offer;
}

export const offerChange = z.strictObject({ payCents: z.int().min(0) });

export function changeOffer(state: State, offerId: string, { payCents }: z.infer<typeof offerChange>): Offer {
  const offer = state.offers.get(offerId);
  if (!offer) throw new Refusal(404, "offer_gone");
  const changed = { ...offer, payCents, rises: [] };
  state.offers.set(offerId, changed);
  return changed;
}

export function withdrawOffer(state: State, offerId: string): void {
  if (!state.offers.delete(offerId)) throw new Refusal(404, "offer_gone");
}
