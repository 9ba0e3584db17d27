import * as z from "zod";
import { serviceType } from "../engine/rules.ts";
import type { Block, Offer, Warehouse } from "../engine/types.ts";
import { blockId, offerId, warehouseId } from "../engine/units.ts";
import type { Earnings, Session, Tokens } from "./answers.ts";

// The platform's JSON, known here and nowhere else. Fields that are not named are ignored: the
// platform may add some at any time (platform.openapi.yaml).

const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const pay = z.object({ amount: z.int().nonnegative(), currency: z.string().regex(/^[A-Z]{3}$/) });
const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const tokensShape = z
  .object({
    accessToken: z.string().min(1).max(4096),
    refreshToken: z.string().min(1).max(4096),
    expiresIn: z.int().positive(),
  })
  .transform(({ expiresIn, ...pair }): Tokens => ({
    accessToken: pair.accessToken,
    refreshToken: pair.refreshToken,
    expiresInMs: expiresIn * 1000,
  }));

export const sessionShape = z
  .object({
    sessionId: id,
    state: z.enum(["otp_required", "approval_required", "active", "denied", "expired"]),
    expiresAt: instant,
    otp: z.object({ channel: z.enum(["sms", "email"]), destination: z.string() }).optional(),
    tokens: tokensShape.optional(),
  })
  .transform((session): Session => ({
    ...session,
    otp: session.otp ?? null,
    tokens: session.tokens ?? null,
  }));

export const driverShape = z
  .object({
    driverId: id,
    region: z.object({ id, name: z.string() }),
    timeZone: z.string(),
    currency: z.string(),
    verification: z.object({ required: z.boolean(), url: z.url().optional() }),
  })
  .transform((driver) => ({
    ...driver,
    verification: { required: driver.verification.required, url: driver.verification.url ?? null },
  }));

export const warehouseShape = z
  .object({
    warehouseId,
    name: z.string().optional(),
    address: z.string().optional(),
    serviceType,
    timeZone: z.string(),
    location: z.object({ latitude: z.number(), longitude: z.number() }),
    geofenceMeters: z.number(),
  })
  .transform(({ location, name, address, ...rest }): Warehouse => ({
    ...rest,
    name: name ?? null,
    address: address ?? null,
    latitude: location.latitude,
    longitude: location.longitude,
  }));

export const offerShape = z
  .object({
    offerId,
    warehouseId,
    serviceType,
    startsAt: instant,
    endsAt: instant,
    pay,
    surge: z.boolean().optional(),
    expiresAt: instant,
  })
  .refine((offer) => offer.endsAt > offer.startsAt)
  .transform(({ pay: { amount, currency }, surge, ...rest }): Offer => ({
    ...rest,
    payCents: amount,
    currency,
    surge: surge ?? false,
  }));

export const blockShape = z
  .object({
    blockId,
    offerId,
    warehouseId,
    serviceType,
    startsAt: instant,
    endsAt: instant,
    pay,
    status: z.enum(["scheduled", "checked_in", "completed", "forfeited"]),
    acceptedAt: instant,
    checkedInAt: instant.optional(),
  })
  .transform(({ pay: { amount, currency }, checkedInAt, ...rest }): Block => ({
    ...rest,
    payCents: amount,
    currency,
    checkedInAt: checkedInAt ?? null,
  }));

export const warehousesShape = z
  .object({ warehouses: z.array(warehouseShape).max(500) })
  .transform((answer) => answer.warehouses);

/** A line that can't be read must not hide the others: it is left out. */
export const offersShape = z
  .object({ offers: z.array(z.unknown()).max(200) })
  .transform(({ offers }) => offers.flatMap((line) => offerShape.safeParse(line).data ?? []));

export const blocksShape = z.object({ blocks: z.array(blockShape) }).transform((answer) => answer.blocks);

export const earningsShape = z
  .object({
    currency: z.string(),
    total: z.int(),
    items: z.array(z.object({ blockId: id, amount: z.int(), tips: z.int() })),
  })
  .transform(({ currency, total, items }): Earnings => ({
    currency,
    totalCents: total,
    items: items.map((item) => ({ blockId: item.blockId, amountCents: item.amount, tipsCents: item.tips })),
  }));

/** RFC 9457, as far as anything here acts on it. */
export const problemShape = z.object({
  code: z.string(),
  attemptsLeft: z.int().optional(),
  distanceMeters: z.number().optional(),
  opensAt: instant.optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
  block: blockShape.optional(),
});
export type PlatformProblem = z.infer<typeof problemShape>;
