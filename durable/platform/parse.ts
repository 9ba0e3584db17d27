import * as z from "zod";
import { serviceType as serviceTypes } from "../../db/shapes/work/filters.ts";
import { blockStatus, type Block, type Offer, type Warehouse } from "../../db/shapes/work/offer.ts";
import { blockId, cents, offerId, warehouseId, type EpochMs, type Span } from "../../db/shapes/units.ts";

// Parsers from the platform's JSON (platform.openapi.yaml) to our shapes. Unknown fields are dropped. Fields that
// no decision depends on are lenient: a wrong type there becomes a default.

const optionalText = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value || null);

/** RFC 3339 with an offset, to epoch ms. */
const instant = z
  .string()
  .toUpperCase()
  .pipe(z.iso.datetime({ offset: true }))
  .transform((value): EpochMs => Date.parse(value))
  .pipe(z.int().nonnegative());

// The platform may add words at any time.
const serviceType = z.enum(serviceTypes.options).catch("other");
const status = z.enum(blockStatus.options).catch("other");

const platformId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const currency = z.string().regex(/^[A-Z]{3}$/);
const money = z.object({ amount: cents, currency });

const knownZones = new Set<string>();

/** An IANA zone that the runtime knows, since the engine computes local times in it. */
const timeZone = z.string().refine((zone) => {
  if (knownZones.has(zone)) return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone }).format(0);
  } catch {
    return false;
  }
  knownZones.add(zone);
  return true;
});

/** A URL for a frame or a link: http or https only, never `javascript:`. */
const pageUrl = z
  .url({ protocol: /^https?$/ })
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

/** The fields that offers and blocks have in common. */
const terms = { offerId, warehouseId, serviceType, startsAt: instant, endsAt: instant, pay: money };

const endsAfterItStarts = ({ startsAt, endsAt }: { startsAt: EpochMs; endsAt: EpochMs }) => startsAt < endsAt;

/** An offer; it must end after it starts. */
export const offerJson = z
  .object({
    ...terms,
    surge: z.boolean().catch(false),
    expiresAt: instant,
  })
  .refine(endsAfterItStarts)
  .transform(({ pay, ...rest }): Offer => ({ ...rest, payCents: pay.amount, currency: pay.currency }));

/** A block, whatever its status; it must end after it starts. */
export const blockJson = z
  .object({
    blockId,
    ...terms,
    status,
    acceptedAt: instant,
    checkedInAt: instant.nullish().catch(null),
  })
  .refine(endsAfterItStarts)
  .transform(({ pay, checkedInAt, ...rest }): Block => ({
    ...rest,
    payCents: pay.amount,
    currency: pay.currency,
    checkedInAt: checkedInAt ?? null,
  }));

/** The part of a block that tells when the driver is not free. */
const blockSpanJson = z.object({ startsAt: instant, endsAt: instant, status }).refine(endsAfterItStarts);

/** A warehouse; the name is null if the platform leaves it out. */
export const warehouseJson = z
  .object({
    warehouseId,
    name: optionalText,
    address: optionalText,
    serviceType,
    timeZone,
    location: z.object({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
    }),
    geofenceMeters: z.number().nonnegative(),
  })
  .transform(({ location, ...rest }): Warehouse => ({ ...rest, ...location }));

/** Visible ASCII, so that it is safe in a header. */
const token = z.string().regex(/^[\x21-\x7e]+$/);

/** A token pair; `expiresIn` (seconds) becomes `expiresInMs`. */
export const tokensJson = z
  .object({ accessToken: token, refreshToken: token, expiresIn: z.int().nonnegative() })
  .transform(({ expiresIn, ...pair }) => ({ ...pair, expiresInMs: expiresIn * 1000 }));

/** A linking session and its state. */
export const sessionJson = z.object({
  sessionId: platformId,
  state: z.enum(["otp_required", "approval_required", "active", "denied", "expired"]),
  expiresAt: instant,
  otp: z
    .object({ channel: z.enum(["sms", "email"]), destination: z.string() })
    .nullish()
    .catch(null)
    .transform((value) => value ?? null),
  tokens: tokensJson.nullish().transform((value) => value ?? null),
});

/** The driver that a token belongs to. */
export const driverJson = z.object({
  driverId: platformId,
  region: z.object({ id: platformId, name: z.string() }),
  timeZone,
  currency,
  verification: z.object({ required: z.boolean(), url: pageUrl }),
});

/** Earnings in minor units, without their items. */
export const earningsJson = z
  .object({ currency, total: z.int(), items: z.array(z.unknown()) })
  .transform(({ currency, total, items }) => ({ currency, totalCents: total, items }));

/** Earnings of one block; `amountCents` excludes tips. */
export const earningItemJson = z
  .object({ blockId: platformId, amount: z.int(), tips: z.int() })
  .transform(({ blockId, amount, tips }) => ({ blockId, amountCents: amount, tipsCents: tips }));

/** Lists whose items are parsed one by one, so that a malformed item doesn't discard the others. */
export const offersJson = z.object({ offers: z.array(z.unknown()) });
export const warehousesJson = z.object({ warehouses: z.array(z.unknown()) });
export const blocksJson = z.object({ blocks: z.array(z.unknown()) });

/** The parts of RFC 9457 problem details that we use. */
export const problemJson = z.object({
  code: z.string(),
  attemptsLeft: z.int().nonnegative().nullable().catch(null),
  distanceMeters: z.number().nonnegative().nullable().catch(null),
  opensAt: instant.nullable().catch(null),
  url: pageUrl,
  block: blockJson.nullable().catch(null),
});
export type PlatformProblem = z.infer<typeof problemJson>;

/** Parses each item; `skipped` counts those that are malformed. */
export function parseItems<Item>(
  shape: z.ZodType<Item>,
  items: readonly unknown[],
): { items: Item[]; skipped: number } {
  const parsedItems = items.flatMap((item) => {
    const parsed = shape.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
  return { items: parsedItems, skipped: items.length - parsedItems.length };
}

/**
 * Parses blocks one by one. Of a malformed one the span is kept if it can be read, since nothing that overlaps it may be
 * accepted. `skipped` counts all malformed ones.
 */
export function parseBlocks(items: readonly unknown[]): {
  blocks: Block[];
  unreadable: Span[];
  skipped: number;
} {
  const malformed = items.filter((item) => !blockJson.safeParse(item).success);
  const { items: blocks } = parseItems(blockJson, items);
  const spans = parseItems(blockSpanJson, malformed).items.filter(({ status }) => status !== "forfeited");
  const unreadable = spans.map(({ startsAt, endsAt }) => ({ startsAt, endsAt }));
  return { blocks, unreadable, skipped: malformed.length };
}

/** Parses JSON; undefined, which no shape accepts, if it is malformed. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
