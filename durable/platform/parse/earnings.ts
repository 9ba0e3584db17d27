import * as z from "zod";
import { GENEROUS, STRICT, type Fields } from "../fields.ts";

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
