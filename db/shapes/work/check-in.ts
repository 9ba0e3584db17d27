import * as z from "zod/mini";
import { block, warehouse } from "./offer.ts";
import { checkInObstacle } from "./possible-now.ts";
import { blockId, epochMs, type EpochMs } from "../units.ts";

/** GET /flex/v1/user/im-here/data: a ten-minute token that only the arrived frame can use. */
export const imHereResponse = z.object({ token: z.string() });
export type ImHereResponse = z.infer<typeof imHereResponse>;

/** An older fix doesn't tell where the driver is now. */
export const MAX_FIX_AGE_MS = 60_000;
/** A less accurate fix is not sent: it could not distinguish a warehouse from the one next to it. */
export const MAX_FIX_ACCURACY_METERS = 500;

/** A position measured by the driver's own device. */
export const devicePosition = z.object({
  latitude: z.number().check(z.gte(-90), z.lte(90)),
  longitude: z.number().check(z.gte(-180), z.lte(180)),
  accuracyMeters: z.number().check(z.nonnegative(), z.lte(100_000)),
  observedAt: epochMs,
});
export type DevicePosition = z.infer<typeof devicePosition>;

/**
 * GET /flex/v1/blocks/next, which also accepts the arrived token: the block to check in to, and its warehouse. Null if
 * none is near.
 */
export const nextBlockResponse = z.object({
  block: z.nullable(block),
  warehouse: z.nullable(warehouse),
  /** The obstacle to checking in to it now. */
  obstacle: z._default(z.nullable(checkInObstacle), null),
});
export type NextBlockResponse = z.infer<typeof nextBlockResponse>;

/** The path of POST /flex/v1/blocks/{id}/check-in. */
export const checkInParams = z.object({ id: blockId });

/** POST /flex/v1/blocks/{id}/check-in with a `devicePosition` as its body. Also accepts the arrived token. */
export const checkInResponse = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("checked_in"), block }),
  z.object({ outcome: z.literal("already_checked_in") }),
  z.object({ outcome: z.literal("outside_geofence"), distanceMeters: z.nullable(z.number()) }),
  z.object({ outcome: z.literal("too_early"), opensAt: z.nullable(epochMs) }),
  z.object({ outcome: z.literal("too_late") }),
  /** An outcome of a later release. */
  z.object({ outcome: z.literal("other") }),
]);
export type CheckInResponse = z.infer<typeof checkInResponse>;

/** Why a check-in failed before the platform could decide on it. Each `code` is an error code of the API. */
export type CheckInError =
  | {
      code:
        | "not_found"
        | "not_linked"
        | "verification_required"
        | "platform_unreachable"
        | "platform_refused";
    }
  | { code: "rate_limited"; retryAt: EpochMs | null };

export type CheckInResult = { ok: true; response: CheckInResponse } | { ok: false; error: CheckInError };
