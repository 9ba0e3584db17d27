import * as z from "zod";
import { serviceType as serviceTypes } from "../../db/shapes/work/filters.ts";
import { blockStatus, type Offer, type Warehouse } from "../../db/shapes/work/offer.ts";
import { DAY_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { PartialBlock } from "../engine/outcomes.ts";
import { nameDrift, type NoteDrift, type Reading } from "./drift.ts";
import { GENEROUS, STRICT, type Fields } from "./fields.ts";

// Parsers from the platform's JSON (platform.openapi.yaml) to our shapes. Unknown fields are dropped. What is not as the
// contract says is named, and read all the same where it has one meaning or where no decision depends on it.

const optionalText = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value || null);

// The platform may add words at any time.
const serviceWord = {
  strict: z.enum(serviceTypes.options),
  generous: z.enum(serviceTypes.options).catch("other"),
};
const statusWord = {
  strict: z.enum(["scheduled", "checked_in", "completed", "forfeited"]),
  generous: z.preprocess(
    (given) => (typeof given === "string" ? given.trim().toLowerCase() : given),
    z.enum(blockStatus.options).catch("other"),
  ),
};

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

/** A span that is longer is none of work: one end of it says something else. */
const LONGEST_BLOCK_MS = DAY_MS;

const isSpanOfWork = ({ startsAt, endsAt }: { startsAt: EpochMs; endsAt: EpochMs }) =>
  startsAt < endsAt && endsAt - startsAt <= LONGEST_BLOCK_MS;

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

/** An offer; it must end after it starts. */
export const offerReading: Reading<Offer> = {
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

/** A block as the contract has it. */
const strictBlock = z
  .object({
    blockId: STRICT.blockId,
    offerId: STRICT.offerId,
    warehouseId: STRICT.warehouseId,
    serviceType: serviceWord.strict,
    startsAt: STRICT.instant,
    endsAt: STRICT.instant,
    pay: STRICT.money,
    status: statusWord.strict,
    acceptedAt: STRICT.instant,
    checkedInAt: STRICT.instant.optional(),
  })
  .refine(isSpanOfWork);

/** Whatever can be read of a block; each field for itself. */
const partialBlock = z
  .object({
    blockId: GENEROUS.blockId.nullable().catch(null),
    offerId: GENEROUS.offerId.nullable().catch(null),
    warehouseId: GENEROUS.warehouseId.nullable().catch(null),
    serviceType: serviceWord.generous.nullable().catch(null),
    startsAt: GENEROUS.instant.nullable().catch(null),
    endsAt: GENEROUS.instant.nullable().catch(null),
    pay: GENEROUS.money.nullable().catch(null),
    status: statusWord.generous,
    acceptedAt: GENEROUS.instant.nullable().catch(null),
    checkedInAt: GENEROUS.instant.nullable().catch(null),
  })
  .transform(({ pay, startsAt, endsAt, ...rest }): PartialBlock => {
    const isSpan = startsAt !== null && endsAt !== null && isSpanOfWork({ startsAt, endsAt });
    return {
      ...rest,
      startsAt: isSpan ? startsAt : null,
      endsAt: isSpan ? endsAt : null,
      payCents: pay?.amount ?? null,
      currency: pay?.currency ?? null,
    };
  });

/** Reads what can be read of a block; null if it is none at all. */
export function readBlock(given: unknown, note: NoteDrift): PartialBlock | null {
  nameDrift(strictBlock, given, note);
  return partialBlock.safeParse(given).data ?? null;
}

/** Reads a list of blocks. `skipped` counts those that are not as the contract says. */
export function readBlocks(
  items: readonly unknown[],
  note: NoteDrift,
): { blocks: PartialBlock[]; skipped: number } {
  let skipped = 0;
  const blocks = items.flatMap((item) => {
    let isOdd = false;
    const block = readBlock(item, (field) => {
      isOdd = true;
      note(field === "body" ? "blocks" : `blocks.${field}`);
    });
    if (isOdd) skipped += 1;
    return block ? [block] : [];
  });
  return { blocks, skipped };
}

/** Half the way around the Earth: a fence that everybody is inside of, so that the platform's own decides. */
const NO_FENCE_METERS = 20_100_000;

const latitude = z.number().min(-90).max(90);
const longitude = z.number().min(-180).max(180);

function warehouseShape(
  fields: Fields,
  words: {
    serviceType: z.ZodType<Offer["serviceType"]>;
    name: z.ZodType<string | null | undefined>;
    address: z.ZodType<string | null | undefined>;
    location: z.ZodType<{ latitude: number; longitude: number } | null>;
    geofenceMeters: z.ZodType<number | null>;
  },
): z.ZodType<Warehouse> {
  return z
    .object({ warehouseId: fields.warehouseId, timeZone, ...words })
    .transform(({ location, name, address, geofenceMeters, ...rest }): Warehouse => {
      // Without its place or its fence nobody can say that the driver is too far away.
      const isPlaced = location !== null && geofenceMeters !== null;
      return {
        ...rest,
        name: name || null,
        address: address || null,
        latitude: location?.latitude ?? 0,
        longitude: location?.longitude ?? 0,
        geofenceMeters: isPlaced ? geofenceMeters : NO_FENCE_METERS,
      };
    });
}

/** A warehouse; the name is null if the platform leaves it out. */
export const warehouseReading: Reading<Warehouse> = {
  strict: warehouseShape(STRICT, {
    serviceType: serviceWord.strict,
    name: z.string().optional(),
    address: z.string().optional(),
    location: z.object({ latitude, longitude }),
    geofenceMeters: z.number().nonnegative(),
  }),
  generous: warehouseShape(GENEROUS, {
    serviceType: serviceWord.generous,
    name: optionalText,
    address: optionalText,
    location: z.object({ latitude, longitude }).nullable().catch(null),
    geofenceMeters: z.number().nonnegative().nullable().catch(null),
  }),
};

/** Visible ASCII, so that it is safe in a header. */
const token = z.string().regex(/^[\x21-\x7e]+$/);

/** Where the platform does not say how long a token lives. One that ends sooner is refused, and refreshed then. */
const USUAL_LIFE_SECONDS = 600;

function tokensShape(expiresIn: z.ZodType<number>) {
  return z
    .object({ accessToken: token, refreshToken: token, expiresIn })
    .transform(({ expiresIn, ...pair }) => ({ ...pair, expiresInMs: expiresIn * 1000 }));
}

/** A token pair; `expiresIn` (seconds) becomes `expiresInMs`. */
export const tokensReading = {
  strict: tokensShape(STRICT.int.nonnegative()),
  generous: tokensShape(GENEROUS.int.pipe(z.int().nonnegative()).catch(USUAL_LIFE_SECONDS)),
};
export type TokensJson = z.output<typeof tokensReading.strict>;

/** How long a step of linking lasts where the platform does not say. */
const STEP_LIFE_MS = 600_000;

const sessionState = z.enum(["otp_required", "approval_required", "active", "denied", "expired"]);
const otp = z.object({ channel: z.enum(["sms", "email"]), destination: z.string() });

/** A linking session and its state. `now` is ours. */
export function sessionReading(now: EpochMs) {
  return {
    strict: z.object({
      sessionId: STRICT.platformId,
      state: sessionState,
      expiresAt: STRICT.instant,
      otp: otp.optional().transform((value) => value ?? null),
      tokens: tokensReading.strict.optional().transform((value) => value ?? null),
    }),
    generous: z.object({
      sessionId: GENEROUS.platformId,
      state: sessionState,
      expiresAt: GENEROUS.instant.catch(now + STEP_LIFE_MS),
      otp: otp
        .nullish()
        .catch(null)
        .transform((value) => value ?? null),
      tokens: tokensReading.generous.nullish().transform((value) => value ?? null),
    }),
  };
}
export type SessionJson = z.output<ReturnType<typeof sessionReading>["strict"]>;

const strictDriver = z.object({
  driverId: STRICT.platformId,
  region: z.object({ id: STRICT.platformId, name: z.string() }),
  timeZone,
  currency: STRICT.currency,
  verification: z.object({ required: z.boolean(), url: pageUrl }),
});

/**
 * The driver that a token belongs to. What can't be read is null; a verification of which nothing can be read is none, since the
 * next poll says whether it is.
 */
const generousDriver = z
  .object({
    driverId: GENEROUS.platformId.nullable().catch(null),
    region: z
      .object({ name: z.string().min(1) })
      .nullable()
      .catch(null),
    timeZone: timeZone.nullable().catch(null),
    verification: z.object({ required: z.boolean(), url: pageUrl }).catch({ required: false, url: null }),
  })
  .refine(({ driverId, region, timeZone: zone }) => driverId !== null || region !== null || zone !== null);
export type DriverJson = z.output<typeof generousDriver>;

export const driverReading: Reading<DriverJson> = {
  strict: strictDriver.transform(({ currency: _currency, region, ...driver }): DriverJson => ({
    ...driver,
    region: { name: region.name },
  })),
  generous: generousDriver,
};

function earningsShape(fields: Fields) {
  return z
    .object({ currency: fields.currency, total: fields.int, items: z.array(z.unknown()) })
    .transform(({ currency, total, items }) => ({ currency, totalCents: total, items }));
}

/** Earnings in minor units, without their items. */
export const earningsReading = {
  strict: earningsShape(STRICT),
  // The items are what is shown; the sum is made of them.
  generous: z
    .object({ currency: GENEROUS.currency, total: GENEROUS.int.catch(0), items: z.array(z.unknown()) })
    .transform(({ currency, total, items }) => ({ currency, totalCents: total, items })),
};

function earningItemShape(fields: Fields, tips: z.ZodType<number>) {
  return z
    .object({ blockId: fields.platformId, amount: fields.int, tips })
    .transform(({ blockId, amount, tips }) => ({ blockId, amountCents: amount, tipsCents: tips }));
}

/** Earnings of one block; `amountCents` excludes tips. */
export const earningItemReading = {
  strict: earningItemShape(STRICT, STRICT.int),
  generous: earningItemShape(GENEROUS, GENEROUS.int),
};
export type EarningItemJson = z.output<typeof earningItemReading.strict>;

/** Lists whose items are parsed one by one, so that a malformed item doesn't discard the others. */
export const offersJson = z.object({ offers: z.array(z.unknown()) });
export const warehousesJson = z.object({ warehouses: z.array(z.unknown()) });
export const blocksJson = z.object({ blocks: z.array(z.unknown()) });

/** The codes of the contract. */
const PROBLEM_CODES = [
  "invalid_credentials",
  "account_locked",
  "session_not_found",
  "otp_invalid",
  "otp_expired",
  "approval_denied",
  "invalid_token",
  "invalid_grant",
  "verification_required",
  "offer_gone",
  "overlap",
  "weekly_limit",
  "pay_changed",
  "already_yours",
  "block_not_found",
  "too_late",
  "too_early",
  "outside_geofence",
  "already_checked_in",
  "rate_limited",
  "invalid_request",
  "internal",
] as const;

const strictProblem = z.object({
  status: z.int(),
  code: z.enum(PROBLEM_CODES),
  title: z.string(),
  attemptsLeft: z.int().nonnegative().optional(),
  distanceMeters: z.number().nonnegative().optional(),
  opensAt: STRICT.instant.optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
  block: strictBlock.optional(),
});

/** The parts of RFC 9457 problem details that we use. */
const problemJson = z.object({
  code: z.string().transform((code) => code.trim().toLowerCase()),
  attemptsLeft: GENEROUS.int.pipe(z.int().nonnegative()).nullable().catch(null),
  distanceMeters: z.number().nonnegative().nullable().catch(null),
  opensAt: GENEROUS.instant.nullable().catch(null),
  url: pageUrl,
  block: partialBlock.nullable().catch(null),
});
export type PlatformProblem = z.infer<typeof problemJson>;

/** Problem details; null if the body is none. */
export function readProblem(given: unknown, note: NoteDrift): PlatformProblem | null {
  nameDrift(strictProblem, given, (field) => note(`problem.${field}`));
  return problemJson.safeParse(given).data ?? null;
}

/** Whether a body is a refusal by its code, whatever the status says. */
export function isRefusal(given: unknown): boolean {
  return z.object({ code: z.enum(PROBLEM_CODES) }).safeParse(given).success;
}

/** Parses JSON; undefined, which no shape accepts, if it is malformed. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
