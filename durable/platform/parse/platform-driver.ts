import * as z from "zod";
import type { Reading } from "../drift.ts";
import { GENEROUS, STRICT } from "../fields.ts";
import { pageUrl, timeZone } from "./words.ts";

const strictDriver = z.object({
  driverId: STRICT.platformId,
  region: z.object({ id: STRICT.platformId, name: z.string() }),
  timeZone,
  currency: STRICT.currency,
  verification: z.object({ required: z.boolean(), url: pageUrl }),
});

/**
 * The driver that a token belongs to. Unreadable fields are null; a verification of which nothing can be read is none,
 * since the next poll says whether it is.
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
