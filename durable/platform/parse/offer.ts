import * as z from "zod";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { Reading } from "../drift.ts";
import { GENEROUS, STRICT, type Fields } from "../fields.ts";
import { isSpanOfWork, serviceWord } from "./words.ts";

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

/** Its items are parsed one by one, so that a malformed item doesn't discard the others. */
export const offersJson = z.object({ offers: z.array(z.unknown()) });
