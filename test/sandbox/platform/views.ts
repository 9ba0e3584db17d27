import type { Block, EpochMs, Offer } from "../state.ts";
import { payOf } from "./offers.ts";
import type { Warehouse } from "./cities.ts";

const time = (at: EpochMs) => new Date(at).toISOString();

export function offerView(offer: Offer, now: EpochMs): Record<string, unknown> {
  return {
    offerId: offer.offerId,
    warehouseId: offer.warehouseId,
    serviceType: offer.serviceType,
    startsAt: time(offer.startsAt),
    endsAt: time(offer.endsAt),
    pay: { amount: payOf(offer, now), currency: offer.currency ?? "USD" },
    surge: offer.surge,
    expiresAt: time(offer.expiresAt),
  };
}

export function statusOf(block: Block, now: EpochMs): "scheduled" | "checked_in" | "completed" | "forfeited" {
  if (block.forfeitedAt !== null) return "forfeited";
  if (block.endsAt <= now) return "completed";
  return block.checkedInAt === null ? "scheduled" : "checked_in";
}

export function blockView(block: Block, now: EpochMs): Record<string, unknown> {
  return {
    blockId: block.blockId,
    offerId: block.offerId,
    warehouseId: block.warehouseId,
    serviceType: block.serviceType,
    startsAt: time(block.startsAt),
    endsAt: time(block.endsAt),
    pay: { amount: block.payCents, currency: "USD" },
    status: statusOf(block, now),
    acceptedAt: time(block.acceptedAt),
    ...(block.checkedInAt === null ? {} : { checkedInAt: time(block.checkedInAt) }),
  };
}

export function warehouseView(warehouse: Warehouse): Record<string, unknown> {
  const { warehouseId, name, address, serviceType, timeZone, latitude, longitude, geofenceMeters } =
    warehouse;
  return {
    warehouseId,
    ...(name === null ? {} : { name }),
    ...(address === null ? {} : { address }),
    serviceType,
    timeZone,
    location: { latitude, longitude },
    geofenceMeters,
  };
}
