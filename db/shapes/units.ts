import * as z from "zod/mini";

/** An instant, in milliseconds since 1970-01-01T00:00Z. */
export type EpochMs = number;

/** A length of time in milliseconds. */
export type DurationMs = number;

/** An amount of money in minor units of its currency. */
export type Cents = number;

/** A wall-clock time of day in minutes since midnight, 0 to 1439. */
export type MinuteOfDay = number;

export const epochMs = z.int().check(z.nonnegative());
export const cents = z.int().check(z.nonnegative());
export const minuteOfDay = z.int().check(z.minimum(0), z.maximum(1439));

/** The contract's ids are shorter and plainer. Ids of another platform stay as they are, as long as they are visible ASCII. */
export const PLATFORM_ID = /^[!-~]{1,200}$/;
const platformId = z.string().check(z.regex(PLATFORM_ID));

/** The `sub` of the driver's id token, which identifies the driver everywhere. */
export const driverId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))
  .brand<"DriverId">();
export type DriverId = z.infer<typeof driverId>;

export const warehouseId = platformId.brand<"WarehouseId">();
export type WarehouseId = z.infer<typeof warehouseId>;

export const offerId = platformId.brand<"OfferId">();
export type OfferId = z.infer<typeof offerId>;

export const blockId = platformId.brand<"BlockId">();
export type BlockId = z.infer<typeof blockId>;

/** One attempt to accept one offer. Also the call's `Idempotency-Key`: 8 to 64 characters. */
export const attemptId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{8,64}$/))
  .brand<"AttemptId">();
export type AttemptId = z.infer<typeof attemptId>;

/** A half-open interval: [startsAt, endsAt). */
export type Span = { startsAt: EpochMs; endsAt: EpochMs };

/** From an instant up to another, in which things happened. */
export type Period = { from: EpochMs; to: EpochMs };

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** A block's pay for one hour, rounded half up: for figures that are read. Decisions compare without rounding. */
export function hourlyPay({ payCents, startsAt, endsAt }: Span & { payCents: Cents }): Cents {
  return Math.round((payCents * HOUR_MS) / (endsAt - startsAt));
}
