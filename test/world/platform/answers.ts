import type { Answer, PlatformBlock, PlatformOffer, PlatformWarehouse } from "./model.ts";

export function operationOf(path: string): string {
  if (path === "/v1/sessions/current") return "end session";
  if (path === "/v1/driver") return "driver";
  if (path === "/v1/warehouses") return "warehouses";
  if (path === "/v1/offers") return "offers";
  if (path.startsWith("/v1/offers/")) return "accept";
  if (path === "/v1/blocks") return "blocks";
  if (path.endsWith("/check-in")) return "check in";
  return path === "/v1/earnings" ? "earnings" : path === "/v1/token" ? "refresh" : "session";
}

export function problem(status: number, code: string): Answer {
  return { status, body: problemBody(status, code) };
}

export function problemBody(status: number, code: string) {
  return { status, code, title: code };
}

export function selfie(): Answer {
  return {
    status: 403,
    body: { ...problemBody(403, "verification_required"), url: "http://platform.localhost/selfie" },
  };
}

export function json(body: unknown): Answer {
  return { status: 200, body };
}

export function isProblem(body: unknown): body is { code: string } {
  return typeof body === "object" && body !== null && "code" in body && typeof body.code === "string";
}

export function toOfferJson({ payCents, currency, isListed: _isListed, ...rest }: PlatformOffer) {
  return {
    ...rest,
    pay: { amount: payCents, currency },
    startsAt: iso(rest.startsAt),
    endsAt: iso(rest.endsAt),
    expiresAt: iso(rest.expiresAt),
  };
}

export function toBlockJson(block: PlatformBlock) {
  return {
    blockId: block.blockId,
    offerId: block.offerId,
    warehouseId: block.warehouseId,
    serviceType: block.serviceType,
    startsAt: iso(block.startsAt),
    endsAt: iso(block.endsAt),
    pay: { amount: block.payCents, currency: block.currency },
    status: block.givenBackAt === null ? block.status : "forfeited",
    acceptedAt: iso(block.acceptedAt),
  };
}

/** The earnings of the blocks that the driver has checked in to. */
export function toEarningsJson(blocks: readonly PlatformBlock[]) {
  const items = blocks
    .filter(({ status }) => status === "checked_in")
    .map(({ blockId, payCents }) => ({ blockId, amount: payCents, tips: 100 }));
  return { currency: "USD", total: items.reduce((sum, { amount }) => sum + amount, 0), items };
}

export function toWarehouseJson({ warehouseId, name, timeZone, serviceType }: PlatformWarehouse) {
  return {
    warehouseId,
    name,
    serviceType,
    timeZone,
    location: { latitude: 40.75, longitude: -73.49 },
    geofenceMeters: 150,
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
