import * as z from "zod";
import { blockId, cents, offerId, warehouseId, type EpochMs } from "../../db/shapes/units.ts";

// Fields of the platform's JSON, each twice: as the contract writes it, and with every other way of writing that has one
// meaning. What may mean two things (an amount of 90.5, a time without a zone) is not read.

/** RFC 3339 with an offset, to epoch ms. */
const strictInstant = z
  .string()
  .toUpperCase()
  .pipe(z.iso.datetime({ offset: true }))
  .transform((value): EpochMs => Date.parse(value))
  .pipe(z.int().nonnegative());

const DATE_TIME =
  /^\s*(\d{4}-\d{2}-\d{2})(?:[T_]|\s+)(\d{2}:\d{2})(:\d{2})?(?:[.,](\d+))?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)\s*$/i;

/** Ten digits are seconds, thirteen are milliseconds: between 2001 and 2286 no number can be both. */
const EPOCH_DIGITS = /^\s*(\d{10}|\d{13})\s*$/;

/** An instant in any notation that names its zone, or seconds or milliseconds of the epoch; null if it is none. */
export function readInstant(given: unknown): EpochMs | null {
  if (typeof given !== "string" && typeof given !== "number") return null;
  const text = String(given);
  const [, digits] = EPOCH_DIGITS.exec(text) ?? [];
  if (digits !== undefined) return Number(digits) * (digits.length === 10 ? 1000 : 1);
  const [, date, minutes, seconds = ":00", fraction = "0", zone = ""] = DATE_TIME.exec(text) ?? [];
  if (date === undefined || minutes === undefined) return null;
  const at = Date.parse(
    `${date}T${minutes}${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}${toOffset(zone)}`,
  );
  return Number.isSafeInteger(at) && at >= 0 ? at : null;
}

function toOffset(zone: string): string {
  const [, hours, minutes = "00"] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return hours === undefined ? "Z" : `${hours}:${minutes}`;
}

/** An int, also as text. */
function toInt(given: unknown): unknown {
  return typeof given === "string" && /^\s*-?\d{1,15}(\.0+)?\s*$/.test(given) ? Number(given) : given;
}

function toText(given: unknown): unknown {
  return typeof given === "number" && Number.isSafeInteger(given) ? String(given) : given;
}

function trimmed(given: unknown): unknown {
  const text = toText(given);
  return typeof text === "string" ? text.trim() : text;
}

const strictId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const strictCurrency = z.string().regex(/^[A-Z]{3}$/);

/** As the contract has them. */
export const STRICT = {
  instant: strictInstant,
  platformId: strictId,
  offerId: strictId.pipe(offerId),
  warehouseId: strictId.pipe(warehouseId),
  blockId: strictId.pipe(blockId),
  currency: strictCurrency,
  money: z.object({ amount: cents, currency: strictCurrency }),
  int: z.int(),
};

const generousCurrency = z.preprocess(
  (given) => (typeof given === "string" ? given.trim().toUpperCase() : given),
  strictCurrency,
);

/** Also what is written otherwise. */
export const GENEROUS = {
  instant: z.unknown().transform((given, context): EpochMs => {
    const at = readInstant(given);
    if (at !== null) return at;
    context.addIssue({ code: "custom", message: "no instant" });
    return z.NEVER;
  }),
  platformId: z.preprocess(trimmed, z.string().regex(/^[!-~]{1,200}$/)),
  offerId: z.preprocess(trimmed, offerId),
  warehouseId: z.preprocess(trimmed, warehouseId),
  blockId: z.preprocess(trimmed, blockId),
  currency: generousCurrency,
  money: z.object({ amount: z.preprocess(toInt, cents), currency: generousCurrency }),
  int: z.preprocess(toInt, z.int()),
};

/** The two readings of a field have one type, so that shapes can be made of either. */
export type Fields = { [Name in keyof typeof STRICT]: z.ZodType<z.output<(typeof STRICT)[Name]>> };
