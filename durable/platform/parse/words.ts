import * as z from "zod";
import { serviceType as serviceTypes } from "../../../db/shapes/work/filters.ts";
import { blockStatus } from "../../../db/shapes/work/offer.ts";
import { knownTimeZone } from "../../../db/shapes/time-zone.ts";
import { DAY_MS, type EpochMs } from "../../../db/shapes/units.ts";

// Words and values that several parsers of the platform's JSON (platform.openapi.yaml) share. Unknown fields are
// dropped. Fields that differ from the contract are named, and read all the same where they have one meaning or where
// no decision depends on them.

export const optionalText = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value || null);

// The platform may add words at any time.
export const serviceWord = {
  strict: z.enum(serviceTypes.options),
  generous: z.enum(serviceTypes.options).catch("other"),
};
export const statusWord = {
  strict: z.enum(["scheduled", "checked_in", "completed", "forfeited"]),
  generous: z.preprocess(
    (given) => (typeof given === "string" ? given.trim().toLowerCase() : given),
    z.enum(blockStatus.options).catch("other"),
  ),
};

/** An IANA zone that the runtime knows, since the engine computes local times in it. */
export const timeZone = z.string().refine((zone) => knownTimeZone(zone) !== undefined);

/** A URL for a frame or a link: http or https only, never `javascript:`. */
export const pageUrl = z
  .url({ protocol: /^https?$/ })
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

/** No block is longer: an end of such a span is not the end of a block. */
const LONGEST_BLOCK_MS = DAY_MS;

export const isSpanOfWork = ({ startsAt, endsAt }: { startsAt: EpochMs; endsAt: EpochMs }) =>
  startsAt < endsAt && endsAt - startsAt <= LONGEST_BLOCK_MS;
